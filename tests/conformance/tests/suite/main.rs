//! The suite on every runtime that there is an adapter for, clients and servers across them, and what the suite is worth:
//! broken drivers that it has to catch.
#![cfg(unix)]

mod across;
mod auto_traits;
mod broken;
mod catches;
mod harnesses;

mod tokio_multi_thread {
    conformance::suite!(crate::harnesses::TokioMultiThread);
}

mod tokio_current_thread {
    conformance::suite!(crate::harnesses::TokioCurrentThread);
}

mod smol {
    conformance::suite!(crate::harnesses::Smol);
}

mod async_std {
    conformance::suite!(crate::harnesses::AsyncStd);
}
