//! The way that was chosen for a stream, with what it takes.

use std::sync::Arc;

use crate::{Direction, Reactor, Stream, Way};

/// `R` is the reactor's registration, `T` the near end of a thread.
pub(crate) enum State<R, T> {
    Direct(Arc<Stream>),
    Registered { reactor: R, stream: Arc<Stream> },
    Thread(T),
}

impl<R: Reactor, T: From<Arc<Stream>>> State<R, T> {
    pub(crate) fn start(stream: Stream, direction: Direction) -> Self {
        let way = stream.way();
        let stream = Arc::new(stream);
        match way {
            Way::Direct => Self::Direct(stream),
            Way::Readiness => match R::register(Arc::clone(&stream), direction) {
                Ok(reactor) => Self::Registered { reactor, stream },
                Err(_) => Self::Thread(stream.into()),
            },
            Way::Thread => Self::Thread(stream.into()),
        }
    }
}

impl<R, T> State<R, T> {
    pub(crate) fn way(&self) -> Way {
        match self {
            Self::Direct(_) => Way::Direct,
            Self::Registered { .. } => Way::Readiness,
            Self::Thread(_) => Way::Thread,
        }
    }
}
