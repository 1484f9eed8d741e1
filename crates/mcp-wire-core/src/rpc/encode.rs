//! Messages as lines. Each begins here and ends with one LF.

use super::Output;
use crate::message::{ErrorObject, Id, Json, write};

/// Whose answer a reply is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Addressee<'a> {
    Id(&'a Id),
    /// `"id":null`
    Null,
    /// No id at all.
    Omitted,
}

pub(super) fn reply(
    output: &mut Output,
    addressee: Addressee<'_>,
    outcome: Result<Json, ErrorObject>,
) {
    output.append(|out| match addressee {
        Addressee::Id(id) => {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
            id.write(out);
        }
        Addressee::Null => out.extend_from_slice(br#"{"jsonrpc":"2.0","id":null"#),
        Addressee::Omitted => out.extend_from_slice(br#"{"jsonrpc":"2.0""#),
    });
    match outcome {
        Ok(result) => {
            output.append(|out| out.extend_from_slice(br#","result":"#));
            output.append_json(result);
        }
        Err(error) => {
            output.append(|out| {
                out.extend_from_slice(br#","error":{"code":"#);
                write::integer(out, error.code);
                out.extend_from_slice(br#","message":"#);
                write::string(out, &error.message);
            });
            if let Some(data) = error.data {
                output.append(|out| out.extend_from_slice(br#","data":"#));
                output.append_json(data);
            }
            output.append(|out| out.push(b'}'));
        }
    }
    output.append(|out| out.extend_from_slice(b"}\n"));
}

/// A request where there is an `id`, else a notification.
pub(super) fn call(output: &mut Output, id: Option<i64>, method: &str, params: Option<Json>) {
    output.append(|out| {
        out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
        if let Some(id) = id {
            out.extend_from_slice(br#","id":"#);
            write::integer(out, id);
        }
        out.extend_from_slice(br#","method":"#);
        write::string(out, method);
    });
    if let Some(params) = params {
        output.append(|out| out.extend_from_slice(br#","params":"#));
        output.append_json(params);
    }
    output.append(|out| out.extend_from_slice(b"}\n"));
}
