//! Everything that can be done, with its name, words, places and keys: the only source of the key map, the footer, the
//! help, the command palette and README's key table.

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
    Sides,
    /// The Tools screen.
    Tools,
    /// The Plan screen.
    Plan,
    /// The Step screen.
    Step,
    /// Something open above a screen in which nothing is typed.
    Overlay,
    /// A text being typed.
    Typing,
    /// A list narrowed by what is typed above it.
    Choosing,
    /// A text of several lines.
    Lines,
    /// The form of a call.
    Form,
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
}

impl Place {
    /// Every place.
    pub const ALL: [Place; 8] =
        [Place::Tools, Place::Plan, Place::Step, Place::Broken, Place::Look, Place::Choose, Place::Line, Place::Form];

    /// The contexts alive in it.
    pub fn contexts(self) -> &'static [Context] {
        use Context as C;
        match self {
            Place::Tools => &[C::Always, C::Main, C::Rows, C::Sides, C::Tools],
            Place::Plan => &[C::Always, C::Main, C::Rows, C::Sides, C::Plan],
            Place::Step => &[C::Always, C::Main, C::Rows, C::Sides, C::Step],
            Place::Broken => &[C::Always, C::Main, C::Rows, C::Broken],
            Place::Look => &[C::Always, C::Overlay, C::Rows, C::Sides],
            Place::Choose => &[C::Always, C::Typing, C::Choosing],
            Place::Line => &[C::Always, C::Typing],
            Place::Form => &[C::Always, C::Typing, C::Lines, C::Form],
        }
    }

    /// Its heading in the help.
    pub fn title(self) -> &'static str {
        match self {
            Place::Tools => "Tools screen",
            Place::Plan => "Plan screen",
            Place::Step => "Step screen",
            Place::Broken => "Error screen",
            Place::Look => "Texts and lists above a screen",
            Place::Choose => "Lists narrowed by typing",
            Place::Line => "A line being typed",
            Place::Form => "The form of a call",
        }
    }

    /// Whether letters are typed there and mean nothing else.
    pub fn types(self) -> bool {
        self.contexts().contains(&Context::Typing)
    }

    /// What the footer tells of, the most important first: actions that belong together, and a word where their own
    /// short titles would say too much or too little here.
    pub fn footer(self) -> &'static [Hint] {
        use Action as A;
        match self {
            Place::Tools => &[
                Hint(&[A::Open], "look"),
                Hint(&[A::ToggleEffect], ""),
                Hint(&[A::AddFlow], ""),
                Hint(&[A::Mark], ""),
                Hint(&[A::SwitchSchema], ""),
                Hint(&[A::WholeHashes], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Plan => &[
                Hint(&[A::Open], "play"),
                Hint(&[A::Left, A::Right], "level"),
                Hint(&[A::AddSeed], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Step => &[
                Hint(&[A::NextCall], ""),
                Hint(&[A::OwnCall], ""),
                Hint(&[A::Back, A::Forward], "back, forward"),
                Hint(&[A::RunToEnd], ""),
                Hint(&[A::Reply], ""),
                Hint(&[A::Limit], ""),
                Hint(&[A::Restart], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Broken => &[Hint(&[A::Reload], "read again"), Hint(&[A::Help], ""), Hint(&[A::Quit], "")],
            Place::Look => &[Hint(&[A::Up, A::Down], "scroll"), Hint(&[A::Close], "")],
            Place::Choose => {
                &[Hint(&[A::Accept], ""), Hint(&[A::ChooseUp, A::ChooseDown], "select"), Hint(&[A::Cancel], "")]
            }
            Place::Line => &[Hint(&[A::Accept], "take it"), Hint(&[A::Cancel], "")],
            Place::Form => &[
                Hint(&[A::Accept], "send"),
                Hint(&[A::NextField], ""),
                Hint(&[A::Fill], ""),
                Hint(&[A::LeaveOut], ""),
                Hint(&[A::RawJson], ""),
                Hint(&[A::Send], "send anyway"),
                Hint(&[A::ChooseTool], ""),
                Hint(&[A::Cancel], ""),
            ],
        }
    }
}

/// Actions the footer tells of together, and the word for them; without one, the first action's own.
#[derive(Debug, Clone, Copy)]
pub struct Hint(pub &'static [Action], &'static str);

impl Hint {
    /// The word.
    pub fn word(self) -> &'static str {
        match (self.1, self.0.first()) {
            ("", Some(action)) => action.short(),
            (word, _) => word,
        }
    }
}

macro_rules! actions {
    ($($action:ident $name:literal $short:literal $title:literal [$($context:ident),*] [$($key:literal),*];)*) => {
        /// Something a person can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $(#[doc = $title] $action,)* }

        impl Action {
            /// Every action, in the order of the help.
            pub const ALL: &'static [Action] = &[$(Action::$action,)*];

            /// Its name in the settings file.
            pub fn name(self) -> &'static str {
                match self { $(Action::$action => $name,)* }
            }

            /// What it does, in a word or two, for the footer.
            pub fn short(self) -> &'static str {
                match self { $(Action::$action => $short,)* }
            }

            /// What it does, in a line, for the help and the palette.
            pub fn title(self) -> &'static str {
                match self { $(Action::$action => $title,)* }
            }

            /// Where it can be done.
            pub fn contexts(self) -> &'static [Context] {
                match self { $(Action::$action => &[$(Context::$context),*],)* }
            }

            /// The keys it has unless the settings say otherwise.
            pub fn default_keys(self) -> &'static [&'static str] {
                match self { $(Action::$action => &[$($key),*],)* }
            }
        }
    };
}

actions! {
    Interrupt "interrupt" "quit" "Quit at once" [Always] ["ctrl-c"];
    Suspend "suspend" "suspend" "Put the program to sleep; fg wakes it" [Always] ["ctrl-z"];
    Redraw "redraw" "redraw" "Draw the whole screen again" [Always] ["ctrl-l"];

    Quit "quit" "quit" "Quit" [Main] ["q"];
    Help "help" "help" "Show the keys that mean something here" [Main] ["?", "f1"];
    Palette "palette" "commands" "Find an action by typing some of its words" [Main] [":", "ctrl-p"];
    ShowTools "tools" "tools" "Go to the Tools screen" [Main] ["1"];
    ShowPlan "plan" "plan" "Go to the Plan screen" [Main] ["2"];
    ShowStep "step" "step" "Go to the Step screen" [Main] ["3"];
    NextPane "next-pane" "pane" "Give the keys to the next pane" [Main] ["tab"];
    PreviousPane "previous-pane" "pane" "Give the keys to the previous pane" [Main] ["shift-tab"];
    Search "search" "search" "Search the pane that has the keys" [Main] ["/"];
    FindNext "find-next" "next found" "Go to the next place found" [Main] [">", "f3"];
    FindPrevious "find-previous" "previous found" "Go to the previous place found" [Main] ["<", "shift-f3"];
    Copy "copy" "copy" "Choose something to copy" [Main] ["y"];
    Reload "reload" "reload" "Read the file again" [Main] ["ctrl-r"];
    NextTheme "next-theme" "theme" "Change the theme" [Main] ["T"];
    Mouse "mouse" "mouse" "Turn the mouse on or off" [Main] ["M"];
    Dismiss "dismiss" "clear" "Clear the search and the message" [Main] ["esc"];
    Open "open" "open" "Open what is selected" [Main] ["enter"];

    Up "up" "up" "One row up" [Rows] ["up", "k"];
    Down "down" "down" "One row down" [Rows] ["down", "j"];
    PageUp "page-up" "page up" "A screenful up" [Rows] ["pgup", "ctrl-b"];
    PageDown "page-down" "page down" "A screenful down" [Rows] ["pgdn", "ctrl-f"];
    First "first" "first" "To the first row" [Rows] ["home", "g"];
    Last "last" "last" "To the last row" [Rows] ["end", "G"];
    Left "left" "left" "Left: the level below, or what is cut on the left" [Sides] ["left", "h"];
    Right "right" "right" "Right: the level above, or what is cut on the right" [Sides] ["right", "l"];
    Fold "fold" "fold" "Fold a part of a value, or open it" [Main] ["z"];

    ToggleEffect "toggle-effect" "effect" "Declare the tool a read, a write, or as the file says" [Tools] ["e"];
    AddFlow "add-flow" "flow" "Add a flow: a field of one tool's answer is an argument of another" [Tools] ["f"];
    RemoveFlow "remove-flow" "remove flow" "Take the selected flow away" [Tools] ["delete", "d"];
    SwitchSchema "switch-schema" "in/out" "Show the schema of the answer, or of the arguments" [Tools] ["s"];
    WholeHashes "whole-hashes" "hashes" "Show the hashes whole, or short" [Tools] ["H"];
    Mark "mark" "mark" "Mark the tool for a subset" [Tools] ["space"];
    MarkFound "mark-found" "mark found" "Mark every tool that the search finds" [Tools] ["*"];
    KeepMarked "keep-marked" "keep marked" "Keep only the marked tools; all again when none is marked" [Tools] ["o"];

    AddSeed "add-seed" "seed" "Plan on any number as the seed" [Plan] ["s"];

    NextCall "next-call" "next" "Make the next call of the reference solution" [Step] ["n"];
    OwnCall "own-call" "call" "Make a call of your own" [Step] ["c"];
    Back "back" "back" "One step back" [Step] ["b", "backspace"];
    Forward "forward" "forward" "One step forward again" [Step] ["f"];
    Reply "reply" "reply" "End the episode here with a reply, or undo that" [Step] ["r"];
    Limit "limit" "limit" "End the episode here at the turn limit, or undo that" [Step] ["L"];
    Restart "restart" "restart" "Back to the start; the calls are kept" [Step] ["0"];
    RunToEnd "run-to-end" "run" "Make the reference calls that are left, then reply" [Step] ["e"];

    Close "close" "close" "Close this" [Overlay] ["esc", "q"];

    Accept "accept" "choose" "Take it" [Typing] ["enter"];
    Cancel "cancel" "cancel" "Leave it" [Typing] ["esc"];
    TypeLeft "type-left" "left" "One letter left" [Typing] ["left"];
    TypeRight "type-right" "right" "One letter right" [Typing] ["right"];
    TypeWordLeft "type-word-left" "word left" "One word left" [Typing] ["ctrl-left", "alt-b"];
    TypeWordRight "type-word-right" "word right" "One word right" [Typing] ["ctrl-right", "alt-f"];
    TypeHome "type-home" "line start" "To the line's start" [Typing] ["home", "ctrl-a"];
    TypeEnd "type-end" "line end" "To the line's end" [Typing] ["end", "ctrl-e"];
    TypeBackspace "type-backspace" "delete" "Take out the letter before" [Typing] ["backspace", "ctrl-h"];
    TypeDelete "type-delete" "delete" "Take out the letter after" [Typing] ["delete", "ctrl-d"];
    TypeDeleteWord "type-delete-word" "delete word" "Take out the word before" [Typing] ["ctrl-w", "alt-backspace"];
    TypeDeleteToStart "type-delete-to-start" "clear before" "Take out all before in the line" [Typing] ["ctrl-u"];
    TypeDeleteToEnd "type-delete-to-end" "clear after" "Take out all after in the line" [Typing] ["ctrl-k"];

    ChooseUp "choose-up" "up" "One row up" [Choosing] ["up", "ctrl-p"];
    ChooseDown "choose-down" "down" "One row down" [Choosing] ["down", "ctrl-n"];
    ChoosePageUp "choose-page-up" "page up" "A screenful up" [Choosing] ["pgup"];
    ChoosePageDown "choose-page-down" "page down" "A screenful down" [Choosing] ["pgdn"];

    TypeUp "type-up" "up" "One line up" [Lines] ["up"];
    TypeDown "type-down" "down" "One line down" [Lines] ["down"];

    Send "send" "send" "Make the call as it stands, valid or not" [Form] ["ctrl-s", "f5"];
    ChooseTool "choose-tool" "tool" "Choose another tool" [Form] ["ctrl-t"];
    NextField "next-field" "next argument" "To the next argument" [Form] ["tab"];
    PreviousField "previous-field" "previous argument" "To the previous argument" [Form] ["shift-tab"];
    RawJson "raw-json" "json" "Write the arguments as raw JSON, or in the form" [Form] ["ctrl-r"];
    LeaveOut "leave-out" "leave out" "Leave the argument out of the call, or put it in" [Form] ["ctrl-x"];
    Fill "fill" "fill" "Fill the argument from the task or an earlier answer" [Form] ["ctrl-o"];
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
