//! What the suite is worth: scenarios fail on drivers that are broken, and hold where only the wrapping is different.

use crate::broken::streams::{
    AnswersAfterCancel, GluesLines, LosesBytes, NeverCloses, OneAtATime, ReadsOrWrites,
    WritesWithoutLimit,
};
use crate::broken::{Broken, IgnoresTheCap, Nothing};
use conformance::scenarios::{backpressure, cancellation, ending, framing, ordering};

macro_rules! catches {
    ($($(#[$doc:meta])* $name:ident: $fault:ty, $topic:ident::$scenario:ident, $says:literal;)*) => {
        $($(#[$doc])*
        #[test]
        fn $name() {
            // Where the wrapping alone failed it, the failure would say nothing of the fault.
            let sound = $topic::$scenario::<Broken<Nothing>>();
            assert_eq!(sound, Ok(()), "without the fault");
            match $topic::$scenario::<Broken<$fault>>() {
                Ok(()) => panic!("the fault is not caught"),
                Err(error) => assert!(error.contains($says), "caught by chance: {error}"),
            }
        })*
    };
}

catches! {
    /// B3
    a_driver_that_does_not_read_while_it_writes: ReadsOrWrites,
        backpressure::many_requests_before_the_first_reply_is_read,
        "the server does not take";
    /// F13
    a_driver_that_loses_bytes_with_a_dropped_future: LosesBytes,
        framing::a_message_may_arrive_in_pieces_while_replies_go_out,
        r#"expected {"jsonrpc":"2.0","id":"pieces-"#;
    /// C1
    a_driver_that_answers_after_the_cancellation: AnswersAfterCancel,
        cancellation::an_answer_after_the_cancellation_is_not_written,
        r#"got {"jsonrpc":"2.0","id":1,"result":{"n":1}}"#;
    /// Q3
    a_driver_that_ignores_the_cap: IgnoresTheCap,
        ordering::a_connection_has_its_share,
        "server busy";
    /// Q5
    a_driver_that_ignores_the_cap_in_bytes: IgnoresTheCap,
        ordering::bytes_in_flight_are_bounded,
        "expected busy";
    /// Q1
    a_driver_that_runs_one_request_at_a_time: OneAtATime,
        ordering::slow_requests_hold_up_nobody,
        r#"expected {"jsonrpc":"2.0","id":4,"result":{}}"#;
    /// F12
    a_driver_that_glues_lines: GluesLines,
        ordering::inline_methods_are_answered_in_read_order,
        "}{";
    /// B2
    a_driver_that_buffers_without_limit: WritesWithoutLimit,
        backpressure::a_peer_that_never_reads_is_given_up,
        "and no reply";
    /// X1
    a_driver_that_leaves_the_stream_open: NeverCloses,
        ending::an_idle_connection_ends_with_its_input,
        "expected the end of output";
}
