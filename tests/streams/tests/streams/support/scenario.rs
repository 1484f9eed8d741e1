//! One scenario, many tests.

/// Makes a test of each scenario for each runtime, which it gets by name.
macro_rules! on_every_runtime {
    ($($scenario:ident),+ $(,)?) => {$(
        mod $scenario {
            #[test]
            fn async_std() {
                super::$scenario("async-std");
            }

            #[test]
            fn smol() {
                super::$scenario("smol");
            }

            #[test]
            fn tokio() {
                super::$scenario("tokio");
            }

            #[test]
            fn tokio_current_thread() {
                super::$scenario("tokio-current-thread");
            }
        }
    )+};
}

/// Makes a test of each scenario for each kind of stream and each runtime.
macro_rules! on_every_stream {
    ($($scenario:ident),+ $(,)?) => {$(
        mod $scenario {
            use crate::support::{Streams, on_every_runtime};

            fn pipes(runtime: &str) {
                super::$scenario(runtime, Streams::Pipes);
            }

            fn sockets(runtime: &str) {
                super::$scenario(runtime, Streams::Sockets);
            }

            fn terminal(runtime: &str) {
                super::$scenario(runtime, Streams::Terminal);
            }

            on_every_runtime!(pipes, sockets, terminal);
        }
    )+};
}

pub(crate) use {on_every_runtime, on_every_stream};
