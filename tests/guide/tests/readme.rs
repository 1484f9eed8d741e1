//! The test that README.md shows, of the server that it shows.

use mcp_wire_tokio::{Context, Host, Server, Tool, connect_server};
use serde_json::json;

#[derive(serde::Deserialize)]
struct Greet {
    name: String,
}

fn greeter() -> Server {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    Server::new("greeter", "1.0.0").tool(
        Tool::new("greet", "Greets someone by name", schema),
        async |_: Context, greet: Greet| format!("hello {}", greet.name),
    )
}

#[tokio::test]
async fn greets_by_name() -> Result<(), Box<dyn std::error::Error>> {
    let client = connect_server(Host::new("test", "1.0.0"), greeter()).await?;
    let greeting = client.call_tool("greet", &json!({ "name": "Ann" })).await?;
    assert_eq!(greeting.as_text(), "hello Ann");
    let mistake = client.call_tool("greet", &json!({ "nam": "Ann" })).await?;
    assert!(mistake.is_error());
    Ok(())
}

#[test]
fn the_readme_shows_them() {
    let (readme, this) = (include_str!("../../../README.md"), include_str!("readme.rs"));
    for first_line in ["fn greeter() -> Server {", "#[tokio::test]\n"] {
        let item = &this[this.find(first_line).unwrap()..];
        let (item, _) = item.split_once("\n}\n").unwrap();
        assert!(readme.contains(item), "README.md shows something else than {item}");
    }
}
