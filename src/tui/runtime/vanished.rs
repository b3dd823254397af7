//! A terminal that vanishes: its window closed, its connection cut.
//!
//! The reader of events below the loop does not come back from a terminal that is gone: it reads an end of file for ever.
//! So a thread of its own, which sleeps until then, sees that the terminal is gone and ends the program when the loop has
//! not done so itself within a moment. Nothing is lost by it: what must survive is on disk before a key is answered.

use rustix::event::{PollFd, PollFlags, poll};
use std::time::Duration;

/// So long the loop may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// The exit code of a program that its terminal left: 128 and the number of the hang-up signal.
const CODE: i32 = 129;

/// Starts to watch the terminal on standard input.
pub fn watch() {
    std::thread::spawn(|| {
        let stdin = std::io::stdin();
        loop {
            // No event is asked for: only a hang-up or an error ends the wait.
            let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
            match poll(&mut fds, None) {
                Ok(_) if fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => break,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                // Without poll there is no watch, and signals still end the loop.
                Err(_) => return,
            }
        }
        std::thread::sleep(GRACE);
        std::process::exit(CODE);
    });
}
