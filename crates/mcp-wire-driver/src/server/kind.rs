//! Where a server's handlers run.

use super::completion::CompletionRequest;
use super::tasks::{InPlace, Reply, Spawned, Tasks};
use super::texts::Texts;
use crate::Runtime;
use crate::context::Context;
use crate::peer::Peer;
use futures_util::stream::FuturesUnordered;
use mcp_wire_core::message::{ErrorObject, Json, Notification, Request};
use std::future::Future;
use std::pin::Pin;

/// Where a server's handlers run: [`Shared`] between threads, or [`Local`] to one task. It cannot be implemented elsewhere.
pub trait Kind: sealed::Sealed + Sized + 'static {
    /// A handler's work.
    type Future: Future<Output = Result<Json, ErrorObject>> + 'static;
    /// It takes its arguments.
    #[doc(hidden)]
    type Tool: Fn(Context, Json) -> Reply<Self::Future> + ?Sized;
    /// A resource, a template or a prompt: it takes the name or URI that it was asked for by, and variables or arguments.
    #[doc(hidden)]
    type Named: Fn(Context, &str, Texts) -> Reply<Self::Future> + ?Sized;
    #[doc(hidden)]
    type Completion: Fn(Context, CompletionRequest) -> Reply<Self::Future> + ?Sized;
    #[doc(hidden)]
    type Method: Fn(Context, Request) -> Reply<Self::Future> + ?Sized;
    #[doc(hidden)]
    type Notified: Fn(&Peer, Notification) + ?Sized;

    #[doc(hidden)]
    type Tasks<Rt: Runtime>: Tasks<Self::Future>;

    #[doc(hidden)]
    fn tasks<Rt: Runtime>(runtime: &Rt) -> Self::Tasks<Rt>;
}

/// Handlers run as tasks of the runtime, on any thread.
#[derive(Debug)]
pub enum Shared {}

/// Handlers run on the task that serves the connection.
#[derive(Debug)]
pub enum Local {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Shared {}
    impl Sealed for super::Local {}
}

macro_rules! kind {
    ($kind:ident, [$($function:tt)*], [$($future:tt)*], $tasks:ty, $start:expr) => {
        impl Kind for $kind {
            type Future = Pin<Box<dyn Future<Output = Result<Json, ErrorObject>> $($future)*>>;
            type Tool = dyn Fn(Context, Json) -> Reply<Self::Future> $($function)*;
            type Named = dyn Fn(Context, &str, Texts) -> Reply<Self::Future> $($function)*;
            type Completion = dyn Fn(Context, CompletionRequest) -> Reply<Self::Future> $($function)*;
            type Method = dyn Fn(Context, Request) -> Reply<Self::Future> $($function)*;
            type Notified = dyn Fn(&Peer, Notification) $($function)*;
            type Tasks<Rt: Runtime> = $tasks;

            fn tasks<Rt: Runtime>(runtime: &Rt) -> Self::Tasks<Rt> {
                $start(runtime)
            }
        }
    };
}

kind!(Shared, [+ Send + Sync], [+ Send], Spawned<Rt>, |runtime: &Rt| Spawned(runtime.clone()));
kind!(Local, [], [], InPlace<Self::Future>, |_: &Rt| InPlace(FuturesUnordered::new()));
