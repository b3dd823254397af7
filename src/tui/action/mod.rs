//! Every action with its name, words, places and keys: the only source of the key map, the footer, the help, the palette
//! and the key table in the docs.

mod footer;
mod synonyms;
mod table;

pub use footer::{ENDED, Hint};
pub use table::Action;

/// A group of actions. Several contexts are active at once: see [`Place`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere.
    Always,
    /// On every screen without a popup.
    Main,
    /// In lists and texts, on screens and in popups.
    Rows,
    /// Sideways, where text is not typed.
    Sideways,
    /// The Tools screen.
    Tools,
    /// The Plan screen.
    Plan,
    /// The Step screen.
    Step,
    /// The Dials screen.
    Dials,
    /// The same calls side by side.
    Sides,
    /// The Runs screen.
    Runs,
    /// The card of a run.
    Card,
    /// Two runs or cards.
    Compare,
    /// Two episodes of one task.
    Pair,
    /// Two tool files.
    Files,
    /// A remote task.
    Remote,
    /// The tasks of our own server.
    Served,
    /// Live episodes.
    Live,
    /// The run form.
    RunForm,
    /// A popup without typing.
    Overlay,
    /// A text in a popup.
    Text,
    /// A text being typed.
    Typing,
    /// A picker.
    Choosing,
    /// A text of several lines.
    Lines,
    /// The call form.
    Form,
    /// Episode details.
    Told,
    /// The agent's view.
    Agent,
    /// The error screen of a file that cannot be opened.
    Broken,
}

/// A place with its active contexts. In a place, a key means one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The Tools screen.
    Tools,
    /// The Plan screen.
    Plan,
    /// The Step screen.
    Step,
    /// The Dials screen.
    Dials,
    /// The same calls side by side.
    Sides,
    /// The Runs screen.
    Runs,
    /// The card of a run.
    Card,
    /// Two runs or cards.
    Compare,
    /// Two episodes of one task.
    Pair,
    /// Two tool files.
    Files,
    /// A remote task.
    Remote,
    /// A saved response.
    Response,
    /// The tasks of our own server.
    Served,
    /// Live episodes.
    Live,
    /// The error screen.
    Broken,
    /// A text in a popup.
    Look,
    /// A picker.
    Choose,
    /// A prompt.
    Line,
    /// The call form.
    Form,
    /// The same as raw JSON.
    RawForm,
    /// Episode details.
    Told,
    /// The agent's view.
    Agent,
    /// The run form.
    RunForm,
}

impl Place {
    /// Every place.
    pub const ALL: [Place; 23] = [
        Place::Tools,
        Place::Plan,
        Place::Step,
        Place::Dials,
        Place::Sides,
        Place::Runs,
        Place::Card,
        Place::Compare,
        Place::Pair,
        Place::Files,
        Place::Remote,
        Place::Response,
        Place::Served,
        Place::Live,
        Place::Broken,
        Place::Look,
        Place::Choose,
        Place::Line,
        Place::Form,
        Place::RawForm,
        Place::Told,
        Place::Agent,
        Place::RunForm,
    ];

    /// Its active contexts.
    pub fn contexts(self) -> &'static [Context] {
        use Context as C;
        match self {
            Place::Tools => &[C::Always, C::Main, C::Rows, C::Sideways, C::Tools],
            Place::Plan => &[C::Always, C::Main, C::Rows, C::Sideways, C::Plan],
            Place::Step => &[C::Always, C::Main, C::Rows, C::Sideways, C::Step],
            Place::Dials => &[C::Always, C::Main, C::Rows, C::Sideways, C::Dials],
            Place::Sides => &[C::Always, C::Main, C::Rows, C::Sideways, C::Sides],
            Place::Runs => &[C::Always, C::Main, C::Rows, C::Sideways, C::Runs],
            Place::Card => &[C::Always, C::Main, C::Rows, C::Sideways, C::Card],
            Place::Compare => &[C::Always, C::Main, C::Rows, C::Sideways, C::Compare],
            Place::Pair => &[C::Always, C::Main, C::Rows, C::Sideways, C::Pair],
            Place::Files => &[C::Always, C::Main, C::Rows, C::Sideways, C::Files],
            Place::Remote | Place::Response => &[C::Always, C::Main, C::Rows, C::Sideways, C::Remote],
            Place::Served => &[C::Always, C::Main, C::Rows, C::Sideways, C::Served],
            Place::Live => &[C::Always, C::Main, C::Rows, C::Sideways, C::Live],
            Place::Broken => &[C::Always, C::Main, C::Rows, C::Sideways, C::Broken],
            Place::Look => &[C::Always, C::Overlay, C::Rows, C::Sideways, C::Text],
            Place::Choose => &[C::Always, C::Typing, C::Choosing],
            Place::Line => &[C::Always, C::Typing],
            Place::Form | Place::RawForm => &[C::Always, C::Typing, C::Lines, C::Form],
            Place::Told => &[C::Always, C::Overlay, C::Rows, C::Sideways, C::Text, C::Told],
            Place::Agent => &[C::Always, C::Overlay, C::Rows, C::Text, C::Agent],
            Place::RunForm => &[C::Always, C::Typing, C::Lines, C::RunForm],
        }
    }

    /// Its heading in the help.
    pub fn title(self) -> &'static str {
        match self {
            Place::Tools => "Tools screen",
            Place::Plan => "Plan screen",
            Place::Step => "Step screen",
            Place::Dials => "Dials screen",
            Place::Sides => "Side by side",
            Place::Runs => "Runs screen",
            Place::Card => "Card of a run",
            Place::Compare => "Two runs or cards",
            Place::Pair => "Two episodes",
            Place::Files => "Two tool files",
            Place::Remote => "Remote task",
            Place::Response => "Saved response",
            Place::Served => "Served tasks",
            Place::Live => "Live episodes",
            Place::Broken => "Error screen",
            Place::Look => "Text popup",
            Place::Choose => "Picker",
            Place::Line => "Prompt",
            Place::Form => "Call form",
            Place::RawForm => "Call as JSON",
            Place::Told => "Episode details",
            Place::Agent => "Agent's view",
            Place::RunForm => "Run form",
        }
    }

    /// Whether letters are typed there, so that they are not keys.
    pub fn types(self) -> bool {
        self.contexts().contains(&Context::Typing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_action_has_one_name_a_title_a_place_and_keys() {
        let mut names = HashSet::new();
        for action in Action::ALL {
            assert!(names.insert(action.name()), "two actions named {}", action.name());
            assert!(action.name().chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", action.name());
            assert!(!action.short().is_empty() && action.short().len() <= 18, "{}", action.name());
            assert!(action.title().starts_with(char::is_uppercase) && !action.title().ends_with('.'));
            assert!(!action.default_keys().is_empty(), "{} has no key", action.name());
            let alive = |p: &Place| action.contexts().iter().any(|c| p.contexts().contains(c));
            assert!(Place::ALL.iter().any(alive), "{} works nowhere", action.name());
        }
    }

    #[test]
    fn footers_show_only_actions_that_work_there() {
        for place in Place::ALL {
            for action in place.footer().iter().flat_map(|hint| hint.0) {
                let alive = action.contexts().iter().any(|c| place.contexts().contains(c));
                assert!(alive, "{} does not work in {place:?}", action.name());
            }
        }
    }
}
