//! Tools that tell of changes: nothing has changed, but that is what clients have to be told of.

use crate::json;
use crate::tools::object;
use mcp_wire_driver::{Context, HandlerError, Server, Tool};
use serde::Deserialize;
use serde_json::json as value;

#[derive(Deserialize)]
struct Touch {
    uri: String,
}

#[derive(Deserialize)]
struct ChangeList {
    list: List,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum List {
    Prompts,
    Resources,
    Tools,
}

pub(crate) fn add(server: Server) -> Server {
    server
        .tool(
            Tool::new(
                "touch",
                "Tells those who subscribed to a resource that it has changed",
                object(value!({ "uri": { "type": "string" } })),
            ),
            touch,
        )
        .tool(
            Tool::new(
                "change_list",
                "Tells that a list has changed",
                object(value!({
                    "list": { "type": "string", "enum": ["prompts", "resources", "tools"] },
                })),
            ),
            change_list,
        )
}

async fn touch(context: Context, touch: Touch) -> Result<&'static str, HandlerError> {
    let params = json(value!({ "uri": touch.uri }));
    context.peer().notify("notifications/resources/updated", Some(params)).await?;
    Ok("touched")
}

async fn change_list(context: Context, change: ChangeList) -> Result<&'static str, HandlerError> {
    let method = match change.list {
        List::Prompts => "notifications/prompts/list_changed",
        List::Resources => "notifications/resources/list_changed",
        List::Tools => "notifications/tools/list_changed",
    };
    context.peer().notify(method, None).await?;
    Ok("changed")
}
