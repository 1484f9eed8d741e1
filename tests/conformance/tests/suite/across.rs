//! A client on one runtime, a server on another.

use crate::harnesses::{AsyncStd, Smol, TokioMultiThread};
use conformance::across;

macro_rules! across {
    ($($name:ident: $client:ty, $server:ty;)*) => {
        $(#[test]
        fn $name() {
            if let Err(error) = across::<$client, $server>() {
                panic!("{error}");
            }
        })*
    };
}

across! {
    tokio_to_tokio: TokioMultiThread, TokioMultiThread;
    tokio_to_smol: TokioMultiThread, Smol;
    tokio_to_async_std: TokioMultiThread, AsyncStd;
    smol_to_tokio: Smol, TokioMultiThread;
    smol_to_smol: Smol, Smol;
    smol_to_async_std: Smol, AsyncStd;
    async_std_to_tokio: AsyncStd, TokioMultiThread;
    async_std_to_smol: AsyncStd, Smol;
    async_std_to_async_std: AsyncStd, AsyncStd;
}
