//! The memory server's graph.

use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::Runtime;
use serde_json::{Value, json};

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &Session) {
    report.step("write the graph", write(session)).await;
    report.step("read the graph", read(session)).await;
    report.step("search the graph", search(session)).await;
}

async fn write(session: &Session) -> Result<Value, Failure> {
    let entity = |name: &str, observation: &str| json!({ "name": name, "entityType": "person", "observations": [observation] });
    let entities = json!([entity("Ada", "likes engines"), entity("Zo\u{eb}", "likes \u{1f431}")]);
    session.text_of("create_entities", &json!({ "entities": entities })).await?;
    let relation = json!({ "from": "Ada", "to": "Zo\u{eb}", "relationType": "knows" });
    session.text_of("create_relations", &json!({ "relations": [relation] })).await?;
    Ok(json!({}))
}

async fn read(session: &Session) -> Result<Value, Failure> {
    let graph: Value = serde_json::from_str(&session.text_of("read_graph", &json!({})).await?)?;
    let names: Vec<&Value> =
        graph["entities"].as_array().into_iter().flatten().map(|it| &it["name"]).collect();
    ensure(names == ["Ada", "Zo\u{eb}"], format_args!("{names:?} are the entities"))?;
    let relation = &graph["relations"][0];
    ensure(relation["relationType"] == "knows", format_args!("{relation} is the relation"))?;
    Ok(json!({ "names": names }))
}

async fn search(session: &Session) -> Result<Value, Failure> {
    let found = session.text_of("search_nodes", &json!({ "query": "\u{1f431}" })).await?;
    let found: Value = serde_json::from_str(&found)?;
    let name = &found["entities"][0]["name"];
    ensure(name == "Zo\u{eb}", format_args!("{found} is what was searched for"))?;
    Ok(json!({}))
}
