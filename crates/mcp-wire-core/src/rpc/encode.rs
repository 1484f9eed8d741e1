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

/// Not inlined, so that its cost can be measured by itself.
#[inline(never)]
pub(super) fn reply(
    output: &mut Output,
    addressee: Addressee<'_>,
    outcome: Result<Json, ErrorObject>,
) {
    match outcome {
        Ok(result) => {
            let head = |out: &mut Vec<u8>| {
                begin_reply(out, addressee);
                out.extend_from_slice(br#","result":"#);
            };
            output.append_around(head, result, b"}\n");
        }
        Err(error) => {
            let head = |out: &mut Vec<u8>| {
                begin_reply(out, addressee);
                out.extend_from_slice(br#","error":{"code":"#);
                write::integer(out, error.code);
                out.extend_from_slice(br#","message":"#);
                write::string(out, &error.message);
            };
            match error.data {
                Some(data) => {
                    let head = |out: &mut Vec<u8>| {
                        head(out);
                        out.extend_from_slice(br#","data":"#);
                    };
                    output.append_around(head, data, b"}}\n");
                }
                None => output.append(|out| {
                    head(out);
                    out.extend_from_slice(b"}}\n");
                }),
            }
        }
    }
}

fn begin_reply(out: &mut Vec<u8>, addressee: Addressee<'_>) {
    match addressee {
        Addressee::Id(id) => {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
            id.write(out);
        }
        Addressee::Null => out.extend_from_slice(br#"{"jsonrpc":"2.0","id":null"#),
        Addressee::Omitted => out.extend_from_slice(br#"{"jsonrpc":"2.0""#),
    }
}

/// A request where there is an `id`, else a notification.
pub(super) fn call(output: &mut Output, id: Option<i64>, method: &str, params: Option<Json>) {
    let head = |out: &mut Vec<u8>| {
        out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
        if let Some(id) = id {
            out.extend_from_slice(br#","id":"#);
            write::integer(out, id);
        }
        out.extend_from_slice(br#","method":"#);
        write::string(out, method);
    };
    match params {
        Some(params) => {
            let head = |out: &mut Vec<u8>| {
                head(out);
                out.extend_from_slice(br#","params":"#);
            };
            output.append_around(head, params, b"}\n");
        }
        None => output.append(|out| {
            head(out);
            out.extend_from_slice(b"}\n");
        }),
    }
}
