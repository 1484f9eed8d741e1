//! The file system server's reading and writing, in the folder that it may work in.

use crate::report::{Failure, Report, ensure};
use crate::session::Session;
use mcp_wire_driver::Runtime;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "first line\nsecond \u{2028} line\r\n\u{1f600} \"end\"\n";

pub(super) async fn run<Rt: Runtime>(report: &mut Report<Rt>, session: &Session) {
    report.step("write a file", write(session)).await;
    report.step("read a file", read(session)).await;
    report.step("list a folder", list(session)).await;
    report.step("leave the folder", leave(session)).await;
}

async fn write(session: &Session) -> Result<Value, Failure> {
    let path = folder(session).await?.join("written.txt");
    session.text_of("write_file", &json!({ "path": path, "content": TEXT })).await?;
    ensure(fs::read_to_string(&path)? == TEXT, "the file holds the text")?;
    Ok(json!({ "path": path }))
}

async fn read(session: &Session) -> Result<Value, Failure> {
    let path = folder(session).await?.join("read.txt");
    let text = TEXT.repeat(10_000);
    fs::write(&path, &text)?;
    let read = session.text_of("read_text_file", &json!({ "path": path })).await?;
    ensure(read == text, "the text is what the file holds")?;
    Ok(json!({ "bytes": text.len() }))
}

async fn list(session: &Session) -> Result<Value, Failure> {
    let path = folder(session).await?;
    let listed = session.text_of("list_directory", &json!({ "path": path })).await?;
    let both = listed.contains("written.txt") && listed.contains("read.txt");
    ensure(both, format_args!("{listed:?} names both files"))?;
    Ok(json!({}))
}

/// A tool that refuses is no error of the call.
async fn leave(session: &Session) -> Result<Value, Failure> {
    let outside = folder(session).await?.join("../outside.txt");
    let arguments = json!({ "path": outside, "content": TEXT });
    let result = session.client.call_tool("write_file", &arguments).await?;
    ensure(result.is_error(), format_args!("{:?} is an error", result.as_text()))?;
    ensure(!Path::new(&outside).exists(), "nothing is written outside")?;
    Ok(json!({ "text": result.as_text() }))
}

/// The folder that the server may work in, as it says.
async fn folder(session: &Session) -> Result<PathBuf, Failure> {
    let listed = session.text_of("list_allowed_directories", &json!({})).await?;
    let folder = listed.lines().next_back().ok_or("the server names no folder")?;
    Ok(PathBuf::from(folder))
}
