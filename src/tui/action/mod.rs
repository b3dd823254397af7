//! Everything that can be done, with its name, words, places and keys: the only source of the key map, the footer, the
//! help, the command palette and README's key table.

mod footer;
mod table;

pub use footer::Hint;
pub use table::Action;

/// Where keys can mean something. Several contexts are alive at once: see [`Place`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, whatever is open.
    Always,
    /// On every screen with nothing open above it.
    Main,
    /// In lists and texts, on screens and above them.
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
    /// A task of a server elsewhere.
    Remote,
    /// The tasks of our own server.
    Served,
    /// The form of a run.
    RunForm,
    /// Something open above a screen in which nothing is typed.
    Overlay,
    /// A text to look at.
    Text,
    /// A text being typed.
    Typing,
    /// A list narrowed by what is typed above it.
    Choosing,
    /// A text of several lines.
    Lines,
    /// The form of a call.
    Form,
    /// Something told of the episode.
    Told,
    /// What the agent sees.
    Agent,
    /// The error screen of a file that cannot be opened.
    Broken,
}

/// A place with the contexts alive in it. In a place, a key means one thing.
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
    /// A task of a server elsewhere.
    Remote,
    /// A response that was opened, not attached to.
    Response,
    /// The tasks of our own server.
    Served,
    /// The error screen.
    Broken,
    /// A text or list to look at, above a screen.
    Look,
    /// A list narrowed by typing.
    Choose,
    /// One line being typed.
    Line,
    /// The form of a call.
    Form,
    /// The same as raw JSON.
    RawForm,
    /// Something told of the episode.
    Told,
    /// What the agent sees.
    Agent,
    /// The form of a run.
    RunForm,
}

impl Place {
    /// Every place.
    pub const ALL: [Place; 22] = [
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

    /// The contexts alive in it.
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
            Place::Remote => "Task of a server elsewhere",
            Place::Response => "Response of a server",
            Place::Served => "Tasks of our server",
            Place::Broken => "Error screen",
            Place::Look => "Texts and lists above a screen",
            Place::Choose => "Lists narrowed by typing",
            Place::Line => "A line being typed",
            Place::Form => "The form of a call",
            Place::RawForm => "A call as JSON",
            Place::Told => "What is told of an episode",
            Place::Agent => "What the agent sees",
            Place::RunForm => "The form of a run",
        }
    }

    /// Whether letters are typed there and mean nothing else.
    pub fn types(self) -> bool {
        self.contexts().contains(&Context::Typing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_action_has_one_name_words_a_place_and_keys() {
        let mut names = HashSet::new();
        for action in Action::ALL {
            assert!(names.insert(action.name()), "two actions are called {}", action.name());
            assert!(action.name().chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", action.name());
            assert!(!action.short().is_empty() && action.short().len() <= 18, "{}", action.name());
            assert!(action.title().starts_with(char::is_uppercase) && !action.title().ends_with('.'));
            assert!(!action.default_keys().is_empty(), "{} has no key", action.name());
            let alive = |p: &Place| action.contexts().iter().any(|c| p.contexts().contains(c));
            assert!(Place::ALL.iter().any(alive), "{} can be done nowhere", action.name());
        }
    }

    #[test]
    fn footers_tell_only_of_what_can_be_done_there() {
        for place in Place::ALL {
            for action in place.footer().iter().flat_map(|hint| hint.0) {
                let alive = action.contexts().iter().any(|c| place.contexts().contains(c));
                assert!(alive, "{} is not alive in {place:?}", action.name());
            }
        }
    }
}
