//! Each layer knows only those under it.

use super::Tree;

/// Which of our crates a crate may depend on, and which others it may: `None` where that is its own business.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    others: Option<&'static [&'static str]>,
}

const LAYERS: [Layer; 8] = [
    Layer {
        name: "mcp-wire-core",
        ours: &[],
        others: Some(&["bytes", "itoa", "memchr", "serde", "serde_json"]),
    },
    Layer {
        name: "mcp-wire-stdio",
        ours: &[],
        others: Some(&["async-io", "futures-io", "rustix", "tokio"]),
    },
    Layer {
        name: "mcp-wire-driver",
        ours: &["mcp-wire-core"],
        others: Some(&[
            "bytes",
            "futures-io",
            "futures-util",
            "percent-encoding",
            "pin-project",
            // Only where its feature is on.
            "schemars",
            "serde",
            "serde_json",
            "tracing",
        ]),
    },
    Layer {
        name: "mcp-wire-child",
        ours: &["mcp-wire-driver", "mcp-wire-stdio"],
        others: Some(&["futures-io", "rustix", "tracing"]),
    },
    Layer { name: "mcp-wire-async-std", ours: ADAPTERS, others: None },
    Layer { name: "mcp-wire-smol", ours: ADAPTERS, others: None },
    Layer { name: "mcp-wire-tokio", ours: ADAPTERS, others: None },
    // It has no driver: rmcp drives.
    Layer { name: "mcp-wire-rmcp", ours: &["mcp-wire-core", "mcp-wire-stdio"], others: None },
];

const ADAPTERS: &[&str] = &["mcp-wire-child", "mcp-wire-driver", "mcp-wire-stdio"];

pub(super) fn complaints(tree: &Tree) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, manifest) in tree.ending("toml") {
        let Some(directory) = path.strip_prefix("crates").ok().and_then(|path| path.parent())
        else {
            continue;
        };
        if !path.ends_with("Cargo.toml") {
            continue;
        }
        match LAYERS.iter().find(|layer| directory.ends_with(layer.name)) {
            Some(layer) => complaints.extend(check(layer, manifest)),
            None => complaints.push(format!("{} is in no layer: add it", directory.display())),
        }
    }
    complaints
}

fn check(layer: &Layer, manifest: &str) -> Vec<String> {
    dependencies(manifest)
        .filter(|name| match layer.others {
            _ if name.starts_with("mcp-wire") => !layer.ours.contains(name),
            Some(others) => !others.contains(name),
            None => false,
        })
        .map(|name| format!("{} must not depend on {name}", layer.name))
        .collect()
}

/// The names under `[dependencies]` and its kin for one platform, but not those for tests.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let mut counts = false;
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            counts = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
            return None;
        }
        let (name, _) = line.split_once([' ', '.', '='])?;
        (counts && !name.is_empty() && !name.starts_with('#')).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_upwards_is_found() {
        let manifest = "[package]\nname = \"mcp-wire-core\"\n[dependencies]\nbytes.workspace = true\n\
            mcp-wire-driver = { path = \"x\" }\n[target.'cfg(unix)'.dependencies]\ntokio = \"1\"\n\
            [dev-dependencies]\nproptest = \"1\"\n";
        assert_eq!(
            check(&LAYERS[0], manifest),
            [
                "mcp-wire-core must not depend on mcp-wire-driver",
                "mcp-wire-core must not depend on tokio"
            ]
        );
    }
}
