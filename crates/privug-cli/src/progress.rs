//! A bar on stderr for work that takes longer than a second, on terminals only.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use privug::audit::Progress;

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows how an audit goes on until it is dropped.
pub struct Shown {
    bar: ProgressBar,
    finish: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Shown {
    /// Begins to wait.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        let (finish, finished) = channel();
        let shown = bar.clone();
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(move || show_later(&shown, &finished));
        // Without the thread there is no bar, and nothing else is lost.
        Shown { bar, finish: Some(finish), thread: thread.ok() }
    }

    /// Notes what is being done.
    pub fn note(&self, progress: Progress) {
        match progress {
            Progress::Begin(stage) => {
                self.bar.set_message(stage);
                self.bar.set_length(1);
                self.bar.set_position(0);
            }
            Progress::Step(done, all) => {
                self.bar.set_length(all as u64);
                self.bar.set_position(done as u64);
            }
        }
    }
}

fn show_later(bar: &ProgressBar, finished: &Receiver<()>) {
    if finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(200));
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.finish.take();
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and has nothing to say.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
