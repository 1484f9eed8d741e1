//! Byte streams in memory that do what a test says.

use super::Manual;
use futures_io::{AsyncRead, AsyncWrite};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

thread_local! {
    /// What runs when an output is used, by its address. Hooks belong to the thread, like time, so that streams are `Send`.
    static HOOKS: RefCell<HashMap<usize, Box<dyn FnMut()>>> = RefCell::default();
}

/// What the driver reads.
#[derive(Clone, Default)]
pub(crate) struct Input(Arc<Mutex<Source>>);

#[derive(Default)]
struct Source {
    chunks: VecDeque<Result<Vec<u8>, io::ErrorKind>>,
    /// What it gives where nothing else is left.
    flood: Option<&'static [u8]>,
    waker: Option<Waker>,
    polls: usize,
    read: usize,
}

impl Input {
    /// One read gives these bytes; none are the end of input.
    pub(crate) fn push(&self, bytes: impl Into<Vec<u8>>) {
        self.add(Ok(bytes.into()));
    }

    pub(crate) fn end(&self) {
        self.push([]);
    }

    pub(crate) fn fail(&self, error: io::ErrorKind) {
        self.add(Err(error));
    }

    /// From now on it gives these bytes again and again. So that this has an end, each time takes a millisecond.
    pub(crate) fn flood(&self, bytes: &'static [u8]) {
        self.change(|source| source.flood = Some(bytes));
    }

    fn add(&self, chunk: Result<Vec<u8>, io::ErrorKind>) {
        self.change(|source| source.chunks.push_back(chunk));
    }

    fn change(&self, change: impl FnOnce(&mut Source)) {
        let waker = {
            let mut source = self.lock();
            change(&mut source);
            source.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, Source> {
        self.0.lock().expect("no test panics under this lock")
    }

    /// How often it was polled.
    pub(crate) fn polls(&self) -> usize {
        self.lock().polls
    }

    /// How many bytes wait to be read.
    pub(crate) fn unread(&self) -> usize {
        self.lock().chunks.iter().flatten().map(Vec::len).sum::<usize>()
    }
}

impl AsyncRead for Input {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut source = self.lock();
        source.polls += 1;
        if source.chunks.is_empty()
            && let Some(bytes) = source.flood
        {
            Manual::pass(Duration::from_millis(1));
            buffer[..bytes.len()].copy_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        let Some(chunk) = source.chunks.pop_front() else {
            source.waker = Some(context.waker().clone());
            return Poll::Pending;
        };
        let mut bytes = chunk?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        source.read += count;
        if count < bytes.len() {
            bytes.drain(..count);
            source.chunks.push_front(Ok(bytes));
        }
        Poll::Ready(Ok(count))
    }
}

/// What a stream does with bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    All,
    /// So many with each write.
    AtMost(usize),
    /// So many in all, then it waits.
    Bytes(usize),
    Fails(io::ErrorKind),
    /// `Ok(0)`.
    Zero,
}

/// What a stream does when it is flushed or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    Fails(io::ErrorKind),
    Waits,
}

/// What the driver writes to.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Sink>>);

struct Sink {
    takes: Takes,
    flush: Step,
    close: Step,
    bytes: Vec<u8>,
    flushed: usize,
    taken: usize,
    writes: usize,
    flushes: usize,
    closes: usize,
    waker: Option<Waker>,
    onward: Option<Input>,
}

impl Default for Output {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Sink {
            takes: Takes::All,
            flush: Step::Done,
            close: Step::Done,
            bytes: Vec::new(),
            flushed: 0,
            taken: 0,
            writes: 0,
            flushes: 0,
            closes: 0,
            waker: None,
            onward: None,
        })))
    }
}

impl Output {
    /// A stream that ends in another one's input.
    pub(crate) fn into_input(input: &Input) -> Self {
        let output = Self::default();
        output.lock().onward = Some(input.clone());
        output
    }

    pub(crate) fn takes(&self, takes: Takes) {
        self.change(|sink| sink.takes = takes);
    }

    pub(crate) fn flush(&self, step: Step) {
        self.change(|sink| sink.flush = step);
    }

    pub(crate) fn close(&self, step: Step) {
        self.change(|sink| sink.close = step);
    }

    /// Runs whenever it is written to, flushed or closed.
    pub(crate) fn hook(&self, hook: impl FnMut() + 'static) {
        let address = self.lock().address();
        HOOKS.with_borrow_mut(|hooks| hooks.insert(address, Box::new(hook)));
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().expect("no test panics under this lock")
    }

    fn change(&self, change: impl FnOnce(&mut Sink)) {
        let waker = {
            let mut sink = self.lock();
            change(&mut sink);
            sink.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// What came since the last time.
    pub(crate) fn take_bytes(&self) -> Vec<u8> {
        let mut sink = self.lock();
        sink.taken += sink.bytes.len();
        std::mem::take(&mut sink.bytes)
    }

    /// The whole lines that came since the last time. The rest stays.
    pub(crate) fn take_lines(&self) -> Vec<u8> {
        let mut sink = self.lock();
        let end = sink.bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = sink.bytes.split_off(end);
        sink.taken += end;
        std::mem::replace(&mut sink.bytes, rest)
    }

    /// How many bytes are written, but not flushed.
    pub(crate) fn unflushed(&self) -> usize {
        let sink = self.lock();
        sink.taken + sink.bytes.len() - sink.flushed
    }

    pub(crate) fn writes(&self) -> usize {
        self.lock().writes
    }

    pub(crate) fn flushes(&self) -> usize {
        self.lock().flushes
    }

    /// How often it was asked to close.
    pub(crate) fn closes(&self) -> usize {
        self.lock().closes
    }

    fn run_hook(&self) {
        let address = self.lock().address();
        let hook = HOOKS.with_borrow_mut(|hooks| hooks.remove(&address));
        if let Some(mut hook) = hook {
            hook();
            HOOKS.with_borrow_mut(|hooks| _ = hooks.entry(address).or_insert(hook));
        }
    }
}

impl Sink {
    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn wait<T>(&mut self, context: &Context<'_>) -> Poll<T> {
        self.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn take(&mut self, step: Step, context: &Context<'_>) -> Poll<io::Result<()>> {
        match step {
            Step::Done => Poll::Ready(Ok(())),
            Step::Fails(error) => Poll::Ready(Err(error.into())),
            Step::Waits => self.wait(context),
        }
    }
}

/// Another one may come to stand at its address.
impl Drop for Sink {
    fn drop(&mut self) {
        let address = self.address();
        // Where the thread has ended, there are no hooks.
        _ = HOOKS.try_with(|hooks| hooks.borrow_mut().remove(&address));
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.run_hook();
        let mut sink = self.lock();
        sink.writes += 1;
        let count = match &mut sink.takes {
            Takes::All => bytes.len(),
            Takes::AtMost(most) => bytes.len().min(*most),
            Takes::Bytes(0) => return sink.wait(context),
            Takes::Bytes(left) => {
                let count = bytes.len().min(*left);
                *left -= count;
                count
            }
            Takes::Fails(error) => return Poll::Ready(Err((*error).into())),
            Takes::Zero => 0,
        };
        if let Some(onward) = &sink.onward {
            onward.push(&bytes[..count]);
        } else {
            sink.bytes.extend_from_slice(&bytes[..count]);
        }
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.run_hook();
        let mut sink = self.lock();
        sink.flushes += 1;
        if sink.flush == Step::Done {
            sink.flushed = sink.taken + sink.bytes.len();
        }
        let step = sink.flush;
        sink.take(step, context)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.run_hook();
        let mut sink = self.lock();
        sink.closes += 1;
        if let (Step::Done, Some(onward)) = (sink.close, &sink.onward) {
            onward.end();
        }
        let step = sink.close;
        sink.take(step, context)
    }
}
