//! The behaviours that every adapter has to have, one function each. A scenario gives an error that says what was different.

pub mod backpressure;
pub mod cancellation;
pub mod classification;
pub mod client_calls;
pub mod client_handshake;
pub mod client_host;
pub mod client_many;
pub mod corpus;
pub mod dropping;
pub mod ending;
pub mod faults;
pub mod framing;
pub mod limits;
pub mod notifications;
pub mod ordering;
pub mod two_way;
