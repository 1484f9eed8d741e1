//! What other ways to read lines of JSON cost, without any IO: `in-process-peers` without arguments lists them.

use bytes::{Bytes, BytesMut};
use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use rmcp::transport::async_rw::JsonRpcMessageCodec;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::hint::black_box;
use std::process::ExitCode;
use tokio_util::codec::{AnyDelimiterCodec, Decoder};
use workload::{Measurement, Setting, Stream};

fn main() -> ExitCode {
    workload::run(&[BORROWED, VALUE, CODEC, RMCP])
}

const BORROWED: Measurement = Measurement {
    name: "borrowed",
    prepare: |Setting { stream, .. }| {
        Box::new(move || {
            each_line(&stream, |line| {
                black_box(serde_json::from_slice::<Envelope<'_>>(line)).is_ok()
            })
        })
    },
};

const VALUE: Measurement = Measurement {
    name: "value",
    prepare: |Setting { stream, .. }| {
        Box::new(move || {
            each_line(&stream, |line| black_box(serde_json::from_slice::<Value>(line)).is_ok())
        })
    },
};

const CODEC: Measurement = Measurement {
    name: "codec",
    prepare: |Setting { stream, .. }| {
        Box::new(move || {
            let codec = AnyDelimiterCodec::new(b"\n".to_vec(), b"\n".to_vec());
            decode(codec, &stream, |line: Bytes| {
                black_box(serde_json::from_slice::<Value>(&line)).is_ok()
            })
        })
    },
};

const RMCP: Measurement = Measurement {
    name: "rmcp",
    prepare: |Setting { stream, .. }| {
        Box::new(move || {
            let codec = JsonRpcMessageCodec::<RxJsonRpcMessage<RoleServer>>::new();
            decode(codec, &stream, |message| {
                black_box(message);
                true
            })
        })
    },
};

/// Nothing is copied: values stay text.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "reading it is what is measured")]
struct Envelope<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Puts lines together in one buffer that is used again, and counts those that could be read.
fn each_line(stream: &Stream, mut read: impl FnMut(&[u8]) -> bool) -> usize {
    let mut buffer = Vec::new();
    let mut messages = 0;
    for piece in stream.pieces() {
        let mut searched = buffer.len();
        buffer.extend_from_slice(piece);
        let mut start = 0;
        while let Some(end) = memchr::memchr(b'\n', &buffer[searched..]) {
            messages += usize::from(read(&buffer[start..searched + end]));
            start = searched + end + 1;
            searched = start;
        }
        buffer.drain(..start);
    }
    messages
}

fn decode<D: Decoder>(
    mut decoder: D,
    stream: &Stream,
    mut read: impl FnMut(D::Item) -> bool,
) -> usize {
    let mut buffer = BytesMut::new();
    let mut messages = 0;
    for piece in stream.pieces() {
        buffer.extend_from_slice(piece);
        while let Ok(Some(item)) = decoder.decode(&mut buffer) {
            messages += usize::from(read(item));
        }
    }
    messages
}
