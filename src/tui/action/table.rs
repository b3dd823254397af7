//! Every action: its name, words, places and keys, one line each.

use super::Context;

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
    ShowDials "dials" "dials" "Go to the Dials screen" [Main] ["4"];
    ShowRuns "runs" "runs" "Go to the Runs screen" [Main] ["5"];
    ShowRemote "remote" "remote" "Go to the task of a server elsewhere" [Main] ["6"];
    ShowServed "served" "served" "Go to the tasks of our own server" [Main] ["7"];
    SkipStep "skip-step" "skip step" "Pass over a step of the guided tour" [Main] ["ctrl-n"];
    NextPane "next-pane" "pane" "Give the keys to the next pane" [Main] ["tab"];
    PreviousPane "previous-pane" "pane" "Give the keys to the previous pane" [Main] ["shift-tab"];
    Search "search" "search" "Search the pane that has the keys, or the text" [Main, Text] ["/"];
    Filter "filter" "filter" "Show only the rows that have a text in them; an empty text shows all again" [Main, Text] ["&"];
    FindNext "find-next" "next found" "Go to the next place found" [Main, Text] [">", "f3"];
    FindPrevious "find-previous" "previous found" "Go to the previous place found" [Main, Text] ["<", "shift-f3"];
    Copy "copy" "copy" "Choose something to copy" [Main] ["y"];
    Edit "edit" "editor" "Open a value, a call or the arguments in your editor" [Main, Form] ["f4", "alt-e"];
    Save "save" "save" "Save the screen, or the episode, as a file" [Main] ["ctrl-s"];
    OpenFile "open-file" "open file" "Open another tool file, or one opened before" [Main] ["ctrl-o"];
    Reload "reload" "reload" "Read the file again" [Main] ["ctrl-r"];
    NextTheme "next-theme" "theme" "Change the theme" [Main] ["T"];
    Mouse "mouse" "mouse" "Turn the mouse on or off" [Main] ["M"];
    Dismiss "dismiss" "clear" "Clear the search, then show all rows again, else go back to where this was opened from" [Main] ["esc"];
    Open "open" "open" "Open what is selected" [Main] ["enter"];

    Up "up" "up" "One row up" [Rows] ["up", "k"];
    Down "down" "down" "One row down" [Rows] ["down", "j"];
    PageUp "page-up" "page up" "A screenful up" [Rows] ["pgup", "ctrl-b"];
    PageDown "page-down" "page down" "A screenful down" [Rows] ["pgdn", "ctrl-f"];
    First "first" "first" "To the first row" [Rows] ["home", "g"];
    Last "last" "last" "To the last row" [Rows] ["end", "G"];
    Left "left" "left" "Left: the level below, or what is cut on the left" [Sideways] ["left", "h"];
    Right "right" "right" "Right: the level above, or what is cut on the right" [Sideways] ["right", "l"];
    Fold "fold" "fold" "Fold a part of a value, or open it" [Main] ["z"];

    ToggleEffect "toggle-effect" "effect" "Declare the tool a read, a write, or as the file says" [Tools] ["e"];
    AddFlow "add-flow" "flow" "Add a flow: a field of one tool's answer is an argument of another" [Tools] ["f"];
    RemoveFlow "remove-flow" "remove flow" "Take the selected flow away" [Tools] ["delete", "d"];
    SwitchSchema "switch-schema" "in/out" "Show the schema of the answer, or of the arguments" [Tools] ["s"];
    WholeHashes "whole-hashes" "hashes" "Show the hashes whole, or short" [Tools] ["H"];
    Mark "mark" "mark" "Mark the tool for a subset" [Tools] ["space"];
    MarkFound "mark-found" "mark found" "Mark every tool that the search finds" [Tools] ["*"];
    SetIntent "set-intent" "intent" "Say the sentence a request asks for the tool with" [Tools] ["i"];
    SaveDeclared "save-declared" "save declared" "Save effects, intents and flows in the tasks.toml beside the file" [Tools] ["W"];
    Resume "resume" "resume" "Go on with the session that was left" [Tools] ["R"];
    KeepMarked "keep-marked" "keep marked" "Keep only the marked tools; all again when none is marked" [Tools] ["o"];

    Tour "tour" "tour" "Take the guided tour, on the example" [Tools] ["t"];

    AddSeed "add-seed" "seed" "Plan on any number as the seed" [Plan] ["s"];

    NextCall "next-call" "next" "Make the next call of the reference solution" [Step] ["n"];
    OwnCall "own-call" "call" "Make a call of your own" [Step] ["c"];
    Back "back" "back" "One step back" [Step] ["b", "backspace"];
    Forward "forward" "forward" "One step forward again" [Step] ["f"];
    Reply "reply" "reply" "End the episode here with a reply, or undo that" [Step] ["r"];
    Limit "limit" "limit" "End the episode here at the turn limit, or undo that" [Step] ["L"];
    Restart "restart" "restart" "Back to the start; the calls are kept" [Step] ["0"];
    RunToEnd "run-to-end" "run" "Run on to the end and reply; breakpoints and watches stop it" [Step] ["e"];
    RunToError "run-to-error" "to an error" "Run on to the next error" [Step] ["!"];
    RunToChange "run-to-change" "to a change" "Run on to the next change of the store" [Step] ["+"];
    Stops "breakpoints" "stops" "Choose what running stops at: tools, error codes, odd reads, records" [Step] ["B"];
    Watch "watch" "watch" "Watch the record or field selected in the store, or leave it" [Step] ["W"];
    Repeat "repeat" "repeat" "Make the selected call again" [Step] ["."];
    ChangeCall "change-call" "change" "Make the selected call with something changed" [Step] ["C"];
    WrongAnswer "wrong-answer" "wrong answer" "Make the calls of a wrong answer from the start" [Step] ["X"];
    Why "why" "why" "Go to a step, write, call or schema place that the explanation names" [Step] ["w"];
    Origin "origin" "who wrote it" "Say which call wrote the selected value, with which argument, under which dial" [Step] ["o"];
    MarkPoint "mark-point" "mark" "Mark this point of the history, or take the mark away" [Step] ["m"];
    Difference "difference" "diff" "Show what changed in the store from the marked point, or the start, to here" [Step] ["d"];
    Agent "agent" "agent's view" "Show the messages a model would get up to here" [Step] ["a"];
    Branches "branches" "branches" "Return to a branch, or to an episode kept" [Step] ["t"];

    RemoteInput "remote-input" "input" "Write an input and run it as a new task" [Remote] ["i"];
    RemoteContinue "remote-continue" "go on" "Write an input that goes on with the session of the task" [Remote] ["c"];
    RemoteStop "remote-stop" "stop" "Ask the server to stop the task" [Remote] ["x"];
    RemoteHarness "remote-harness" "harness" "Choose the harness of the next task" [Remote] ["H"];
    RemoteModel "remote-model" "model" "Choose the model of the next task" [Remote] ["m"];
    RemoteStored "remote-stored" "stored" "Open a task that the server keeps" [Remote] ["s"];
    RemoteNextCall "remote-next-call" "next" "Go to the next call" [Remote] ["n"];
    RemotePreviousCall "remote-previous-call" "before" "Go to the call before" [Remote] ["b"];
    RemoteReplay "remote-replay" "to the stepper" "Take the calls replayed here to the stepper" [Remote] ["e"];
    RemoteBack "remote-back" "back" "Back to where the task was opened from" [Remote] ["backspace"];

    NewRun "new-run" "new run" "Start a run on the open file" [Runs] ["n"];
    ResumeRun "resume-run" "resume" "Go on with the run where it stopped" [Runs] ["r"];
    StopRun "stop-run" "stop" "Stop the run that goes on; it can be resumed" [Runs] ["x"];
    MarkRun "mark-run" "mark" "Mark the run, to be compared" [Runs] ["space"];
    CompareRuns "compare-runs" "compare" "Compare the two marked runs, or the marked one with this one" [Runs] ["c"];
    AddRun "add-run" "add" "List a run, a card or a folder of them by its path" [Runs] ["a"];

    OnlyFailed "only-failed" "failed only" "List only episodes that did not pass, or all of them" [Card] ["o"];
    CardPage "card-page" "page" "Show the whole page of the card" [Card] ["v"];
    WriteCard "write-card" "write" "Write the card into its run folder" [Card] ["w"];

    NextChange "next-change" "next change" "Go to the next thing that differs" [Compare, Pair, Files] ["n"];
    PreviousChange "previous-change" "change before" "Go to the thing before that differs" [Compare, Pair, Files] ["p"];
    Unified "unified" "unified" "Show changed lines one below the other, or side by side" [Compare, Files] ["u"];
    StepOther "step-other" "step B" "Step the second of the two episodes at this call" [Pair] ["b"];
    CompareFile "compare-file" "compare" "Set another tool file beside this one" [Tools] ["c"];

    OpenDials "open-dials" "dials" "Open the dials on the task at play" [Step, Sides] ["x"];
    TurnDown "turn-down" "level down" "Turn the dial one level down" [Step, Dials, Sides] ["["];
    TurnUp "turn-up" "level up" "Turn the dial one level up" [Step, Dials, Sides] ["]"];
    SideBySide "side-by-side" "side by side" "Set two levels side by side" [Plan, Step, Dials] ["v"];

    BothNext "both-next" "next" "One call on, on both sides" [Sides] ["n", "f"];
    BothBack "both-back" "back" "One call back, on both sides" [Sides] ["b", "backspace"];
    BothStart "both-start" "start" "To the start, on both sides" [Sides] ["0"];
    BothEnd "both-end" "end" "To the verdicts of both sides" [Sides] ["e"];
    SideArm "side-arm" "arm" "Choose the arm of the marked side" [Sides] ["a"];
    Player "player" "player" "Choose who makes the calls on both sides" [Sides] ["p"];

    Close "close" "close" "Close this" [Overlay] ["esc", "q"];
    Jump "jump" "go there" "Go to what the row names" [Told] ["enter"];
    CopyText "copy-text" "copy" "Copy what is shown" [Text] ["y"];
    CopyPrompt "copy-prompt" "copy prompt" "Copy the prompt: what the agent is told first, and the request" [Agent] ["p"];
    CopyMessages "copy-messages" "copy all" "Copy all messages" [Agent] ["A"];
    TextUp "text-up" "text up" "Scroll the message up" [Agent] ["K", "left"];
    TextDown "text-down" "text down" "Scroll the message down" [Agent] ["J", "right"];

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

    Complete "complete" "complete" "Type the rest of the selected row" [Choosing] ["tab"];
    ChooseUp "choose-up" "up" "One row up" [Choosing] ["up", "ctrl-p"];
    ChooseDown "choose-down" "down" "One row down" [Choosing] ["down", "ctrl-n"];
    ChoosePageUp "choose-page-up" "page up" "A screenful up" [Choosing] ["pgup"];
    ChoosePageDown "choose-page-down" "page down" "A screenful down" [Choosing] ["pgdn"];

    TypeUp "type-up" "up" "One line up" [Lines] ["up"];
    TypeDown "type-down" "down" "One line down" [Lines] ["down"];

    Send "send" "send" "Make the call as it stands, valid or not" [Form] ["ctrl-s", "f5"];
    ChooseTool "choose-tool" "tool" "Choose another tool" [Form] ["ctrl-t"];
    NextField "next-field" "next argument" "To the next argument" [Form, RunForm] ["tab"];
    PreviousField "previous-field" "previous argument" "To the previous argument" [Form, RunForm] ["shift-tab"];
    RawJson "raw-json" "json" "Write the arguments as raw JSON, or in the form" [Form] ["ctrl-r"];
    LeaveOut "leave-out" "leave out" "Leave the argument out of the call, or put it in" [Form] ["ctrl-x"];
    SchemaUp "schema-up" "schema" "Scroll the schema beside the JSON up" [Form] ["pgup"];
    SchemaDown "schema-down" "schema" "Scroll the schema beside the JSON down" [Form] ["pgdn"];
    Fill "fill" "fill" "Fill the argument from the task or an earlier answer; of a run, the next choice" [Form, RunForm] ["ctrl-o"];
}
