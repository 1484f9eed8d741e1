//! What may go to another thread, and what several may share: who depends on it notices only in a program of his own.
//! All of it is checked when this is compiled.

use std::process::Command;
use std::sync::Arc;

use mcp_wire_driver::frame::Decoder;
use mcp_wire_driver::mcp::{ClientSession, HandshakeError, ServerSession, Session};
use mcp_wire_driver::memory::{Reader, Writer};
use mcp_wire_driver::message::{Fault, Id, Message};
use mcp_wire_driver::rpc::{Connection, Event, Lent, Output};
use mcp_wire_driver::shutdown::Shutdown;
use mcp_wire_driver::{
    Budget, Call, CallError, CallOptions, Cancellation, Canceller, Client, Closed, Config,
    ConnectError, Context, Denial, Driver, ErrorObject, HandlerError, Host, Inbound, Incoming,
    InputError, Json, Notice, Notifications, Observer, Peer, Prompt, PromptResult, Resource,
    ResourceContents, Responder, SendError, Serve, ServeError, Server, SessionEnd, Shared,
    Subscription, SubscriptionFilter, Tool, ToolResult,
};

const fn shared<T: Send + Sync>() {}

const fn send<T: Send>() {}

fn sent<T: Send>(_: T) {}

/// The core.
const _: () = {
    shared::<Budget>();
    shared::<CallError>();
    shared::<CallOptions>();
    shared::<ClientSession>();
    shared::<Closed>();
    shared::<Config>();
    shared::<Connection>();
    shared::<Decoder>();
    shared::<ErrorObject>();
    shared::<Event>();
    shared::<Fault>();
    shared::<HandshakeError>();
    shared::<Id>();
    shared::<Json>();
    shared::<Lent>();
    shared::<Message>();
    shared::<Output>();
    shared::<SendError>();
    shared::<ServerSession>();
    shared::<Session>();
    shared::<Shutdown>();
    shared::<SubscriptionFilter>();
    shared::<mcp_wire_driver::observe::Observer>();
};

/// The driver.
const _: () = {
    shared::<Call>();
    shared::<Cancellation>();
    shared::<Canceller>();
    shared::<Client>();
    shared::<ConnectError>();
    shared::<Context>();
    shared::<Denial>();
    shared::<Host>();
    shared::<Inbound>();
    shared::<Incoming>();
    shared::<InputError>();
    shared::<Notice>();
    shared::<Notifications>();
    shared::<Observer>();
    shared::<Peer>();
    shared::<Prompt>();
    shared::<PromptResult>();
    shared::<Resource>();
    shared::<ResourceContents>();
    shared::<Responder>();
    shared::<ServeError>();
    shared::<Server>();
    shared::<SessionEnd>();
    shared::<Subscription>();
    shared::<Tool>();
    shared::<HandlerError>();
    shared::<ToolResult>();
};

/// The driver's futures can be spawned.
const _: fn(&Client, &Context, &Json) = |client, context, json| {
    sent(client.call::<Json>("", json));
    sent(client.call_tool("", json));
    sent(client.call_tool_with("", json, CallOptions::default(), |_| ()));
    sent(client.close());
    sent(client.complete(json, "", ""));
    sent(client.get_prompt("", json));
    sent(client.listen(SubscriptionFilter::new()));
    sent(client.list_tools());
    sent(client.notify("", None));
    sent(client.ping());
    sent(client.read_resource(""));
    sent(client.wait_closed());
    sent(context.approve(""));
    sent(context.elicit(json.clone()));
    sent(context.input("", "", Json::null()));
    sent(context.list_roots());
    sent(context.peer().wait_closed());
    sent(context.sample(json.clone()));
};

const _: fn(&mut Call, &mut Incoming, &mut Notifications, &mut Observer, &mut Subscription) =
    |call, incoming, notifications, observer, subscription| {
        sent(call.progress());
        sent(incoming.next());
        sent(notifications.next());
        sent(observer.next());
        sent(subscription.next());
    };

/// So can what an adapter gives, over streams that can be sent.
macro_rules! adapter {
    ($adapter:ident, $runtime:ty, $stream:ty) => {
        const _: fn(Arc<Host>, Arc<Server>, [$stream; 4]) =
            |host, server, [reader, writer, input, output]| {
                use $adapter as adapter;
                sent(adapter::connect_command(Arc::clone(&host), Command::new("")));
                sent(adapter::connect_server(Arc::clone(&host), Arc::clone(&server)));
                sent(adapter::connect_streams(host, reader, writer));
                sent(adapter::serve(Arc::clone(&server), input, output));
                sent(adapter::serve_stdio(server));
            };

        const _: () = {
            shared::<$runtime>();
            shared::<Driver<Reader, Writer, $runtime>>();
            send::<Serve<Reader, Writer, $runtime, Shared>>();
        };
    };
}

adapter!(mcp_wire_tokio, mcp_wire_tokio::Tokio, tokio::net::TcpStream);
adapter!(mcp_wire_smol, mcp_wire_smol::Smol, smol::net::TcpStream);
adapter!(mcp_wire_async_std, mcp_wire_async_std::AsyncStd, async_std::net::TcpStream);
