//! Every scenario, by name.

/// Makes one test of each scenario, for one [`Harness`](crate::Harness). It has to stand in a module of its own.
#[macro_export]
macro_rules! suite {
    ($harness:ty) => {
        $crate::suite! { $harness:
            backpressure {
                many_requests_before_the_first_reply_is_read
                many_pings_before_the_first_reply_is_read
                a_peer_that_never_reads_is_given_up
                a_slow_reader_gets_everything
                senders_wait_for_room
                what_nobody_takes_is_dropped_and_counted
            }
            cancellation {
                a_cancelled_request_is_not_answered
                an_answer_after_the_cancellation_is_not_written
                answers_and_cancellations_may_race
                nothing_is_told_of_a_cancelled_request
                work_elsewhere_is_told_the_reason
                a_dropped_handler_knows_that_it_is_cancelled
                its_open_questions_are_withdrawn
                other_cancellations_do_nothing
                connections_cancel_their_own_requests
                a_dropped_call_is_cancelled_once
                a_call_that_takes_too_long_is_cancelled
            }
            classification {
                bad_utf8_harms_its_own_line_alone
                payload_is_carried_verbatim
                deep_nesting_is_refused_with_its_id
                wrong_params_are_answered
                batches_exist_in_one_revision
                ids_come_back_exactly
                an_id_in_flight_is_not_taken_twice
                bad_lines_are_answered_where_their_sender_is_known
                unknown_methods_are_answered
                the_handshake_comes_first
                the_handshake_holds_for_the_next_line
            }
            client_calls {
                answers_may_come_in_any_order
                stray_lines_do_no_harm
                wrong_answers_settle_nothing
                bad_answers_fail_their_call
                cancelled_calls_are_told_once
                progress_comes_to_its_call
                calls_have_their_time
                calls_fail_when_the_server_hangs_up
                closing_ends_the_session
                dropping_the_client_ends_the_session
            }
            client_handshake {
                they_agree
                another_revision_will_do
                stray_lines_before_the_answer_do_no_harm
                a_server_that_does_not_agree_is_left
                a_silent_server_is_given_up
                an_end_before_the_answer_is_the_reason
                connecting_may_be_given_up
                a_server_in_memory_is_like_any_other
            }
            client_host {
                questions_reach_their_handlers
                both_sides_ask_at_once
                questions_may_be_taken_back
                questions_end_with_the_connection
                notifications_come_in_order
            }
            client_many {
                very_many_calls_at_once
            }
            corpus {
                every_entry_holds_in_a_loop_of_ones_own
                every_entry_holds_for_a_server
            }
            dropping {
                a_dropped_server_closes_its_stream
                a_dropped_local_server_closes_its_stream
                a_dropped_driver_settles_everybody
                waiting_for_what_comes_in_may_be_given_up
                sending_may_be_given_up
                calls_may_be_given_up
                a_question_may_be_given_up
                waiting_for_the_end_may_be_given_up
            }
            ending {
                an_idle_connection_ends_with_its_input
                replies_are_written_after_the_end_of_input
                requests_in_flight_are_waited_for
                without_grace_requests_are_cancelled
                after_the_grace_requests_are_cancelled
                requests_that_wait_for_the_peer_are_cancelled
                calls_fail_at_the_end_of_input
                closing_cancels_and_flushes
                shutting_down_drains
                shutting_down_ends_with_its_grace
                a_server_that_is_shut_down_ends_its_connections
            }
            faults {
                panics_are_answered_for
                panics_on_one_task_harm_nobody
                dropped_responders_are_answered_for
                handlers_may_have_a_time_limit
                a_write_error_ends_the_connection
                a_flood_of_junk_harms_nobody
            }
            framing {
                only_a_line_feed_ends_a_message
                carriage_returns_and_blank_lines_are_skipped
                a_byte_order_mark_is_skipped
                a_message_may_arrive_byte_by_byte
                a_message_may_arrive_in_pieces_while_replies_go_out
                messages_around_a_bad_line_are_handled
                an_unterminated_last_line_is_a_message
                a_large_reply_is_read_in_small_pieces
                a_large_message_comes_back
                headers_of_another_framing_harm_nothing
            }
            limits {
                the_longest_line_passes
                the_sender_of_a_long_line_is_told
                a_reply_that_is_too_long_becomes_an_error
                the_depth_can_be_set
                a_configuration_that_cannot_work_is_refused
            }
            notifications {
                notifications_keep_their_order
                progress_rises_and_ends
                changes_wait_for_the_client
                log_messages_have_a_level
                notifications_are_handled_in_order
                all_connections_are_notified
            }
            ordering {
                slow_requests_hold_up_nobody
                inline_methods_are_answered_in_read_order
                a_connection_has_its_share
                connections_share_the_slots
                queued_requests_run_later
                the_limit_holds_up_no_answers
                a_cancelled_request_gives_its_slot_away
                bytes_in_flight_are_bounded
            }
            two_way {
                a_handler_asks_the_client
                questions_nest
                many_questions_are_open_at_once
                many_questions_are_open_on_one_task
                the_ids_of_both_sides_are_apart
                undeclared_capabilities_are_refused
                questions_wait_for_the_client_to_be_ready
                errors_reach_the_handler
                questions_time_out
                a_client_answers_while_it_asks
            }
        }
    };
    ($harness:ty: $($topic:ident { $($scenario:ident)* })*) => {
        $(mod $topic {
            $(#[test]
            fn $scenario() {
                if let Err(error) = $crate::scenarios::$topic::$scenario::<$harness>() {
                    panic!("{error}");
                }
            })*
        })*
    };
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// A scenario that is not listed would never run.
    #[test]
    fn every_scenario_is_in_the_suite() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let suite = fs::read_to_string(source.join("suite.rs")).unwrap();
        for file in fs::read_dir(source.join("scenarios")).unwrap() {
            let path = file.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            for line in text.lines() {
                let Some(rest) = line.strip_prefix("pub fn ") else { continue };
                let name = rest.split('<').next().unwrap();
                let listed = suite.lines().any(|line| line.trim() == name);
                assert!(listed, "{name} of {} is not in the suite", path.display());
            }
        }
    }
}
