//! Work that takes its time, as jobs with progress and cancel, for the command line and the screens alike.
//!
//! Owns: where a tool file comes from ([`Origin`]), opening one ([`open`]), planning a task ([`plan`]), turning a dial and
//! setting two arms side by side ([`turn`], [`sides`](fn@sides)), runs and cards listed, played, opened and compared
//! ([`ask`]), bringing back a session that was left ([`resume`](fn@resume)),
//! following a server of the protocol ([`remote`]) or our own ([`served`]), two saved responses ([`response`]),
//! and doing any of these on a thread of its own ([`job`]). Does not own what is opened or planned (`toolfile`, `plan`) or
//! shown (`tui`).
//!
//! Every function here can be called as it is, from any thread: the command line does, with [`Control::quiet`]. The
//! screens start them with [`job::spawn`] and get reports.
//!
//! ```
//! use rehearsal::work::{Control, OpenRequest, Origin, open};
//! let origin = Origin::File("examples/clinic/clinic.openapi.yaml".into());
//! let request = OpenRequest { origin, read: Default::default(), plan: Default::default() };
//! let opened = open(&request, &Control::quiet()).unwrap();
//! assert_eq!(opened.reading.tools.len(), 5);
//! assert!(opened.sheet.is_ok());
//! ```

mod ask;
pub mod job;
mod open;
mod plan;
mod play;
pub mod remote;
pub mod response;
mod resume;
pub mod served;
mod sides;

pub use ask::{Ask, Spot, Told, ToolFile, TwoFiles, ask, page_lines};
pub use job::{Cancel, Control, Progress, Report, Speed};
pub use open::{Excerpt, MOST_BYTES, OpenError, OpenRequest, Opened, Origin, Source, load, open, read, reread};
pub use plan::{PlanRequest, Sheet, plan, sheet};
pub use play::{NewRun, Play, Played, load_script, resume_request};
pub use resume::{ResumeRequest, Resumed, resume};
pub use sides::{Calls, Side, Sides, SidesRequest, TurnRequest, Turned, sides, turn};

/// The number of a job; a report of an older job than the newest of its kind is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct JobId(pub u64);
