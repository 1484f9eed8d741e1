use super::*;

fn observer(max_lines: usize, max_bytes: usize) -> Observer {
    Observer::new(NonZeroUsize::new(4).expect("not zero"), max_lines, max_bytes)
}

fn line(direction: Direction, text: &str) -> Observed {
    Observed::Line(direction, text.as_bytes().to_vec())
}

fn all(observer: &mut Observer) -> Vec<Observed> {
    std::iter::from_fn(|| observer.poll()).collect()
}

/// N5: lines of both directions come out whole and in order, however they were cut.
#[test]
fn both_directions_are_seen() {
    let mut observer = observer(10, 100);
    observer.record(Direction::Received, b"a\nb");
    observer.record(Direction::Sent, b"x\nlonger\n");
    observer.record(Direction::Received, b"c\n");
    assert_eq!(
        all(&mut observer),
        [
            line(Direction::Received, "a"),
            line(Direction::Sent, "x"),
            Observed::Oversize(Direction::Sent, b"long".to_vec()),
            line(Direction::Received, "bc"),
        ]
    );
}

/// N5: one that begins in the middle of a line sees whole lines alone.
#[test]
fn half_a_line_is_not_shown() {
    let mut observer = observer(10, 100);
    observer.skip_line(Direction::Received);
    observer.record(Direction::Received, b"st\nnew\n");
    assert_eq!(all(&mut observer), [line(Direction::Received, "new")]);
}

/// N5: a slow observer costs a bounded amount, and is told what it missed, where it missed it.
#[test]
fn a_slow_observer_is_told_what_it_missed() {
    for (max_lines, max_bytes) in [(2, 100), (100, 2)] {
        let mut observer = observer(max_lines, max_bytes);
        for _ in 0..1000 {
            observer.record(Direction::Received, b"a\n");
        }
        assert_eq!(observer.queue.len(), 2);
        assert_eq!(
            all(&mut observer),
            [line(Direction::Received, "a"), line(Direction::Received, "a"), Observed::Lagged(998),]
        );
        observer.record(Direction::Received, b"b\n");
        assert_eq!(all(&mut observer), [line(Direction::Received, "b")]);
    }
}

/// N5: the gap is told before what came after it, also where nobody asked in between.
#[test]
fn the_gap_is_in_one_place() {
    let mut observer = observer(1, 100);
    observer.record(Direction::Sent, b"1\n2\n");
    assert_eq!(observer.poll(), Some(line(Direction::Sent, "1")));
    observer.record(Direction::Sent, b"3\n");
    assert_eq!(all(&mut observer), [Observed::Lagged(1), line(Direction::Sent, "3")]);
}
