//! The interface: screens that draw a model, keys that change it.
//!
//! [`update`](update::update) is pure and does everything; [`paint`](view::paint) only reads; [`runtime`] performs what
//! update asks for and brings the results back as messages. Every key, footer, help line and palette entry comes from
//! [`action`]. Owns no rule: what it shows is worked out in the floors below, and the command line shows the same.
//!
//! ```
//! use rehearsal::tui::keymap::Keymap;
//! let own = |key: &str| [("next-call".to_owned(), vec![key.to_owned()])];
//! assert!(Keymap::new(&own("Z")).is_ok());
//! assert_eq!(Keymap::new(&own("c")).unwrap_err().0, "keys: c is both next-call and own-call on step screen");
//! ```

pub mod action;
mod arrange;
pub mod keymap;
pub mod keys;
pub mod layout;
pub mod live;
pub mod model;
pub mod msg;
mod open;
pub mod overlays;
pub mod panes;
pub mod runtime;
pub mod screens;
mod start;
pub mod update;
pub mod view;
pub mod widgets;

pub use live::held::Held;
pub use model::{Aim, Start};
pub use open::{Link, Options, keys_markdown, open, tour_text};
