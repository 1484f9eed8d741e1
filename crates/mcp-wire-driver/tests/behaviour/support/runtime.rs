//! A runtime that a test drives by hand: nothing runs but when it is told to, and time stands still.

use mcp_wire_driver::Runtime;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// So many polls without coming to rest are a busy loop.
const SPINS: usize = 20_000;

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The runtime that the driver sees. Time belongs to the thread, so that tests do not disturb each other.
#[derive(Clone, Default)]
pub(crate) struct Manual(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    ready: VecDeque<usize>,
    spawned: Vec<Pin<Box<dyn Future<Output = ()> + Send>>>,
    timers: Vec<(Instant, Waker)>,
}

impl Manual {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no test panics under this lock")
    }

    /// Lets time pass without looking at the timers: something takes a while.
    pub(crate) fn pass(by: Duration) {
        NOW.set(NOW.get() + by);
    }
}

impl Runtime for Manual {
    type Sleep = Sleep;

    fn now() -> Instant {
        static START: OnceLock<Instant> = OnceLock::new();
        *START.get_or_init(Instant::now) + NOW.get()
    }

    fn sleep_until(&self, at: Instant) -> Sleep {
        Sleep { runtime: self.clone(), at }
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.lock().spawned.push(Box::pin(task));
    }
}

pub(crate) struct Sleep {
    runtime: Manual,
    at: Instant,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.at <= Manual::now() {
            return Poll::Ready(());
        }
        self.runtime.lock().timers.push((self.at, context.waker().clone()));
        Poll::Pending
    }
}

struct Alarm {
    task: usize,
    runtime: Manual,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        let mut state = self.runtime.lock();
        if !state.ready.contains(&self.task) {
            state.ready.push_back(self.task);
        }
        drop(state);
        self.runtime.0.woken.notify_all();
    }
}

struct Slot {
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    origin: Origin,
    waker: Waker,
    polls: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Runtime,
    Test,
}

/// The tasks, and who runs them.
#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) runtime: Manual,
    slots: Rc<RefCell<Vec<Slot>>>,
}

impl World {
    /// Starts a task, which is not polled until [`run`](Self::run).
    pub(crate) fn start<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> Task<T> {
        let outcome = Rc::new(RefCell::new(None));
        let sink = Rc::clone(&outcome);
        let work = Box::pin(async move {
            let done = future.await;
            *sink.borrow_mut() = Some(done);
        });
        let task = self.add(Origin::Test, work);
        Task { world: self.clone(), task, outcome }
    }

    fn add(&self, origin: Origin, future: Pin<Box<dyn Future<Output = ()>>>) -> usize {
        let mut slots = self.slots.borrow_mut();
        let task = slots.len();
        let waker = Waker::from(Arc::new(Alarm { task, runtime: self.runtime.clone() }));
        slots.push(Slot { future: Some(future), origin, waker: waker.clone(), polls: 0 });
        waker.wake();
        task
    }

    /// Polls whatever was woken, until nothing is.
    pub(crate) fn run(&self) {
        for _ in 0..SPINS {
            let spawned = std::mem::take(&mut self.runtime.lock().spawned);
            for future in spawned {
                self.add(Origin::Runtime, future);
            }
            let Some(task) = self.runtime.lock().ready.pop_front() else { return };
            self.poll(task);
        }
        panic!("no rest after {SPINS} polls: something spins");
    }

    fn poll(&self, task: usize) {
        let (future, waker) = {
            let slot = &mut self.slots.borrow_mut()[task];
            slot.polls += 1;
            (slot.future.take(), slot.waker.clone())
        };
        let Some(mut future) = future else { return };
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            self.slots.borrow_mut()[task].future = Some(future);
        }
    }

    /// Runs until `done`, waiting for other threads to wake something.
    pub(crate) fn run_until(&self, mut done: impl FnMut() -> bool) {
        loop {
            self.run();
            if done() {
                return;
            }
            let state = self.runtime.lock();
            let idle = |state: &mut State| state.ready.is_empty() && state.spawned.is_empty();
            drop(self.runtime.0.woken.wait_while(state, idle).expect("no test panics"));
        }
    }

    /// Lets time pass, timer by timer.
    pub(crate) fn advance(&self, by: Duration) {
        self.run();
        let end = Manual::now() + by;
        loop {
            let next = self.runtime.lock().timers.iter().map(|(at, _)| *at).min();
            let now = Manual::now();
            let step = next.filter(|next| *next <= end).unwrap_or(end).max(now);
            Manual::pass(step - now);
            let mut due = Vec::new();
            self.runtime.lock().timers.retain(|(at, waker)| {
                let keep = *at > step;
                if !keep {
                    due.push(waker.clone());
                }
                keep
            });
            let last = due.is_empty();
            due.into_iter().for_each(Waker::wake);
            self.run();
            if last {
                return;
            }
        }
    }

    /// How many tasks are not done.
    pub(crate) fn alive(&self) -> usize {
        self.slots.borrow().iter().filter(|slot| slot.future.is_some()).count()
    }

    /// Ends the runtime: what was spawned on it is dropped.
    pub(crate) fn end_runtime(&self) {
        let unseen = std::mem::take(&mut self.runtime.lock().spawned);
        let of_runtime = |slot: &mut Slot| match slot.origin {
            Origin::Runtime => slot.future.take(),
            Origin::Test => None,
        };
        let seen: Vec<_> = self.slots.borrow_mut().iter_mut().filter_map(of_runtime).collect();
        drop((unseen, seen));
    }
}

/// A task that a test looks at.
pub(crate) struct Task<T> {
    world: World,
    task: usize,
    outcome: Rc<RefCell<Option<T>>>,
}

impl<T> Task<T> {
    /// What it came to, once it has. It is there once.
    pub(crate) fn take(&self) -> Option<T> {
        self.outcome.borrow_mut().take()
    }

    pub(crate) fn polls(&self) -> usize {
        self.world.slots.borrow()[self.task].polls
    }

    /// Polls it now, though nothing has woken it.
    pub(crate) fn poll(&self) {
        self.world.poll(self.task);
    }

    /// Takes the task's future away, to be polled elsewhere.
    pub(crate) fn future(&self) -> Option<Pin<Box<dyn Future<Output = ()>>>> {
        self.world.slots.borrow_mut()[self.task].future.take()
    }

    /// Drops the task's future.
    pub(crate) fn cancel(&self) {
        drop(self.future());
    }
}

/// Blocks on a future, on the thread that calls it: for what happens beside the world.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(outcome) => return outcome,
            Poll::Pending => thread::park(),
        }
    }
}
