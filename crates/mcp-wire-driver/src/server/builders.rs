//! How handlers are added to a server.

use super::completion::{CompletionOutput, CompletionRequest};
use super::outcome::Outcome;
use super::prompt_output::PromptOutput;
use super::resource_output::ResourceOutput;
use super::source::Source;
use super::tasks::Reply;
use super::{Local, Server, Shared, ToolOutput, parse, resources, tool_output};
use crate::context::Context;
use crate::listed::{Prompt, Resource, ResourceTemplate, Tool};
use crate::peer::Peer;
use mcp_wire_core::message::{ErrorObject, Json};
use serde::de::DeserializeOwned;
use std::future::Future;

/// Reads arguments as a type. Their text is gone before the handler begins: it may be large, and so may be what comes of it.
/// The place of a fault in the text is left out, since whoever is told has not written that.
fn read<A: DeserializeOwned>(arguments: Json) -> Result<A, String> {
    // A sequence would be read as a struct too.
    if !arguments.as_str().starts_with('{') {
        return Err("they have to be an object".to_owned());
    }
    arguments.parse().map_err(|error: serde_json::Error| {
        let text = error.to_string();
        text.rsplit_once(" at line ").map_or(text.clone(), |(why, _)| why.to_owned())
    })
}

// A closure's parameters are inferred only from a plain `Fn` bound on the method itself, so the two kinds of server cannot
// share one signature. The macro keeps them from drifting apart.
macro_rules! builders {
    ($kind:ident, $(#[$new_doc:meta])* $new:ident, [$($function:tt)*], [$($future:tt)*]) => {
        impl Server<$kind> {
            $(#[$new_doc])*
            #[must_use]
            pub fn $new(name: impl Into<String>, version: impl Into<String>) -> Self {
                Self::empty(name, version)
            }

            /// Adds a tool that works asynchronously; one of the same name is replaced. Its future is dropped when the call is
            /// cancelled. What it gives may be any [`ToolOutput`].
            ///
            /// A state is shared by way of [`with_state`](crate::with_state), since an `async` closure that captures something is no
            /// handler; a function that is not `async` is added with [`tool_now`](Self::tool_now).
            #[must_use]
            pub fn tool<A, O, F>(
                mut self,
                tool: Tool,
                // The compiler shows this line to those whose closure captures something: `with_state` is the way around.
                handler: impl Fn(Context, A) -> F + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: ToolOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                self.tools.add(tool, Box::new(move |context, arguments| {
                    match read(arguments) {
                        Ok(arguments) => {
                            let work = handler(context, arguments);
                            Reply::Later(Box::pin(Outcome::of(work, |output: O| output.into_outcome())))
                        }
                        Err(error) => Reply::Now(tool_output::bad_arguments(&error)),
                    }
                }));
                self
            }

            /// Adds a tool that never waits; one of the same name is replaced. It runs on the connection's own task, so it has
            /// to be quick.
            #[must_use]
            pub fn tool_now<A, O>(
                mut self,
                tool: Tool,
                handler: impl Fn(&Context, A) -> O + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: ToolOutput,
            {
                self.tools.add(tool, Box::new(move |context, arguments| {
                    Reply::Now(match read(arguments) {
                        Ok(arguments) => handler(&context, arguments).into_outcome(),
                        Err(error) => tool_output::bad_arguments(&error),
                    })
                }));
                self
            }

            /// Adds a resource; one of the same URI is replaced. The handler is given the URI. Its future is dropped when the
            /// request is cancelled. What it gives may be any [`ResourceOutput`].
            #[must_use]
            pub fn resource<O, F>(
                mut self,
                resource: Resource,
                handler: impl Fn(Context, String) -> F + $($function)* 'static,
            ) -> Self
            where
                O: ResourceOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                let mime_type = resource.mime_type.clone();
                self.resources.fixed.add(resource, Source::<$kind>::Handler(Box::new(move |context, uri, _| {
                    let (uri, mime_type) = (uri.to_owned(), mime_type.clone());
                    let work = handler(context.with_uri(&uri), uri.clone());
                    Reply::Later(Box::pin(Outcome::of(work, move |output: O| {
                        output.into_outcome(&uri, mime_type.as_deref())
                    })))
                })));
                self
            }

            /// Adds resources by a template for their URIs; one of the same template is replaced. The handler is given the
            /// variables as members of a type; [`Context::uri`] is the URI as a whole. A URI whose variables do not fit the
            /// type does not exist: why is logged at debug level. Where a URI fits several templates, the first one counts,
            /// and a resource of that very URI before all templates.
            #[must_use]
            pub fn resource_template<T, O, F>(
                mut self,
                template: ResourceTemplate,
                handler: impl Fn(Context, T) -> F + $($function)* 'static,
            ) -> Self
            where
                T: DeserializeOwned,
                O: ResourceOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                let mime_type = template.mime_type.clone();
                self.resources.add_template(template, Box::new(move |context, uri, variables| {
                    let variables = match variables.read() {
                        Ok(variables) => variables,
                        Err(error) => {
                            tracing::debug!(uri, %error, "the variables of a template do not fit their type");
                            return Reply::Now(Err(resources::not_found(uri)));
                        }
                    };
                    let (uri, mime_type) = (uri.to_owned(), mime_type.clone());
                    let work = handler(context.with_uri(&uri), variables);
                    Reply::Later(Box::pin(Outcome::of(work, move |output: O| {
                        output.into_outcome(&uri, mime_type.as_deref())
                    })))
                }));
                self
            }

            /// Adds a prompt; one of the same name is replaced. The handler is given the arguments as members of a type. A
            /// client whose arguments do not fit it, or that leaves out a required one, is told so.
            #[must_use]
            pub fn prompt<A, O, F>(
                mut self,
                prompt: Prompt,
                handler: impl Fn(Context, A) -> F + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: PromptOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                self.prompts.add(prompt, Source::<$kind>::Handler(Box::new(move |context, _, arguments| {
                    match arguments.read() {
                        Ok(arguments) => {
                            let work = handler(context, arguments);
                            Reply::Later(Box::pin(Outcome::of(work, |output: O| output.into_outcome())))
                        }
                        Err(error) => Reply::Now(Err(ErrorObject::invalid_params(error))),
                    }
                })));
                self
            }

            /// Answers what may be meant by the beginning of a prompt's argument, or of a template's variable. There is one
            /// such handler: a second one replaces it.
            #[must_use]
            pub fn completion<O, F>(
                mut self,
                handler: impl Fn(Context, CompletionRequest) -> F + $($function)* 'static,
            ) -> Self
            where
                O: CompletionOutput,
                F: Future<Output = O> + $($future)* 'static,
            {
                self.completion = Some(Box::new(move |context, request| {
                    let work = handler(context, request);
                    Reply::Later(Box::pin(Outcome::of(work, |output: O| output.into_outcome())))
                }));
                self
            }

            /// Adds a method of any name that works asynchronously. Its future is dropped when the request is cancelled.
            ///
            /// It goes before what the server would answer by itself: a `tools/list` that is added here is the one that
            /// clients get. What it needs to be declared, [`capability`](Server::capability) declares.
            ///
            /// MCP has objects as params and as results. Since revision 2026-07-28 another result is an "internal error", and so
            /// is a code from -32099 to -32000, which belong to the specification (both are logged as warnings), and results
            /// get `resultType` and a member of `_meta`. For JSON-RPC without these, connect by hand.
            #[must_use]
            pub fn method<A, O, F>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(Context, A) -> F + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: Into<Json>,
                F: Future<Output = Result<O, ErrorObject>> + $($future)* 'static,
            {
                self.methods.insert(method.into(), Box::new(move |context, request| {
                    match parse(request.params().unwrap_or("{}")) {
                        Ok(params) => {
                            let work = handler(context, params);
                            Reply::Later(Box::pin(Outcome::of(work, |output: Result<O, _>| output.map(Into::into))))
                        }
                        Err(error) => Reply::Now(Err(error)),
                    }
                }));
                self
            }

            /// Adds a method that is answered at once, in read order, on the connection's own task. It needs no slot, so it
            /// is answered at the limit too, and it cannot be cancelled.
            #[must_use]
            pub fn inline<A, O>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(&Context, A) -> Result<O, ErrorObject> + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
                O: Into<Json>,
            {
                let method = method.into();
                self.add_inline(&method);
                self.methods.insert(method, Box::new(move |context, request| {
                    let params = parse(request.params().unwrap_or("{}"));
                    Reply::Now(params.and_then(|params| Ok(handler(&context, params)?.into())))
                }));
                self
            }

            /// Adds what is done on a notification, in read order, on the connection's own task. One whose params do not fit
            /// is ignored.
            #[must_use]
            pub fn notification<A>(
                mut self,
                method: impl Into<String>,
                handler: impl Fn(&Peer, A) + $($function)* 'static,
            ) -> Self
            where
                A: DeserializeOwned,
            {
                self.notifications.insert(method.into(), Box::new(move |peer, notification| {
                    match parse(notification.params().unwrap_or("{}")) {
                        Ok(params) => handler(peer, params),
                        Err(error) => tracing::debug!(%error, method = notification.method(), "ignored a notification"),
                    }
                }));
                self
            }
        }
    };
}

builders!(
    Shared,
    /// A server whose handlers run as tasks of the runtime, on any thread.
    new,
    [Send + Sync +],
    [Send +]
);
builders!(
    Local,
    /// A server whose handlers run on the task that serves the connection, and need not be [`Send`].
    local,
    [],
    []
);
