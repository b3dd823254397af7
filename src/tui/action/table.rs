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
    Suspend "suspend" "suspend" "Suspend the program; fg resumes it" [Always] ["ctrl-z"];
    Redraw "redraw" "redraw" "Redraw the screen" [Always] ["ctrl-l"];

    Quit "quit" "quit" "Quit" [Main] ["q"];
    Help "help" "help" "Show the keys that work here" [Main] ["?", "f1"];
    Palette "palette" "commands" "Open the palette: every action by name" [Main] [":", "ctrl-p"];
    ShowTools "tools" "tools" "Go to the Tools screen" [Main] ["1"];
    ShowPlan "plan" "plan" "Go to the Plan screen" [Main] ["2"];
    ShowStep "step" "step" "Go to the Step screen" [Main] ["3"];
    ShowDials "dials" "dials" "Go to the Dials screen" [Main] ["4"];
    ShowRuns "runs" "runs" "Go to the Runs screen" [Main] ["5"];
    ShowRemote "remote" "remote" "Go to the Remote screen" [Main] ["6"];
    ShowServed "served" "served" "Go to the Served screen" [Main] ["7"];
    ShowLive "live" "live" "Go to the Live screen" [Main] ["8"];
    SkipStep "skip-step" "skip step" "Skip a step of the tour" [Main] ["ctrl-n"];
    NextPane "next-pane" "pane" "Next pane" [Main] ["tab"];
    PreviousPane "previous-pane" "pane" "Previous pane" [Main] ["shift-tab"];
    Search "search" "search" "Search the pane or the text" [Main, Text] ["/"];
    Filter "filter" "filter" "Filter: show only the rows that match; an empty filter shows all" [Main, Text] ["&"];
    FindNext "next-match" "next match" "Next match; also n where that key is free" [Main, Text] [">", "f3"];
    FindPrevious "previous-match" "previous match" "Previous match; also N where that key is free" [Main, Text] ["<", "shift-f3"];
    Copy "copy" "copy" "Copy something from this screen" [Main] ["y"];
    Edit "edit" "editor" "Open a value, a call or the arguments in your editor" [Main, Form] ["f4", "alt-e"];
    Save "save" "save" "Save the screen or the episode to a file" [Main] ["ctrl-s"];
    OpenFile "open-file" "open file" "Open another tool file" [Main] ["ctrl-o"];
    Reload "reload" "reload" "Reload the file" [Main] ["ctrl-r"];
    NextTheme "next-theme" "theme" "Next theme" [Main] ["T"];
    Mouse "mouse" "mouse" "Turn the mouse on or off" [Main] ["M"];
    Dismiss "dismiss" "clear" "Clear the search, then the filter, then go back" [Main] ["esc"];
    Open "open" "open" "Open the selected row" [Main] ["enter"];

    Up "up" "up" "One row up" [Rows] ["up", "k"];
    Down "down" "down" "One row down" [Rows] ["down", "j"];
    PageUp "page-up" "page up" "One page up" [Rows] ["pgup", "ctrl-b"];
    PageDown "page-down" "page down" "One page down" [Rows] ["pgdn", "ctrl-f"];
    First "first" "first" "First row" [Rows] ["home", "g"];
    Last "last" "last" "Last row" [Rows] ["end", "G"];
    Left "left" "left" "Lower level, or scroll left" [Sideways] ["left", "h"];
    Right "right" "right" "Higher level, or scroll right" [Sideways] ["right", "l"];
    Fold "fold" "fold" "Fold or unfold a value" [Main] ["z"];

    ToggleEffect "toggle-effect" "effect" "Set the effect of the tool: read, write, or as the file says" [Tools] ["e"];
    AddFlow "add-flow" "flow" "Add a flow: an answer field that is an argument of another tool" [Tools] ["f"];
    Suggest "suggest" "suggest" "Suggest flows and effects from the names of tools and fields" [Tools] ["a"];
    RemoveFlow "remove-flow" "remove flow" "Remove the selected flow" [Tools] ["delete", "d"];
    SwitchSchema "switch-schema" "in/out" "Show the answer schema or the argument schema" [Tools] ["s"];
    WholeHashes "full-hashes" "hashes" "Show full or short hashes" [Tools] ["H"];
    Mark "mark" "mark" "Mark the tool" [Tools] ["space"];
    MarkFound "mark-matches" "mark matches" "Mark every tool that matches the search" [Tools] ["*"];
    SetIntent "set-intent" "intent" "Set the wording requests use for this tool" [Tools] ["i"];
    SaveDeclared "save-declared" "save settings" "Save effects, intents and flows to tasks.toml" [Tools] ["W"];
    Resume "resume" "resume" "Resume the last session" [Tools] ["R"];
    KeepMarked "keep-marked" "keep marked" "Keep only the marked tools; with none marked, keep all" [Tools] ["o"];

    Tour "tour" "tour" "Take the guided tour on the example" [Tools] ["t"];

    AddSeed "add-seed" "seed" "Plan on another seed" [Plan] ["s"];

    NextCall "next-call" "next" "Make the next call of the reference solution" [Step] ["n"];
    OwnCall "own-call" "call" "Make a call of your own" [Step] ["c"];
    Back "back" "back" "One call back" [Step] ["b", "backspace"];
    Forward "forward" "forward" "One call forward" [Step] ["f"];
    Reply "reply" "reply" "End the episode with a reply, or undo that" [Step] ["r"];
    Limit "turn-limit" "limit" "End the episode at the turn limit, or undo that" [Step] ["L"];
    Restart "restart" "restart" "Back to the start; the calls are kept" [Step] ["0"];
    RunToEnd "run-to-end" "run" "Run to the end and reply; breakpoints and watches stop it" [Step] ["e"];
    RunToError "run-to-error" "to an error" "Run to the next error" [Step] ["!"];
    RunToChange "run-to-change" "to a change" "Run to the next change of the store" [Step] ["~"];
    Play "play" "play" "Play the calls at a speed, or pause" [Step] ["space"];
    Faster "faster" "faster" "Play faster" [Step] ["+", "="];
    Slower "slower" "slower" "Play slower" [Step] ["-"];
    Present "present" "present" "Present: larger spacing and fewer panes, for a projector" [Step] ["P"];
    Stops "breakpoints" "breakpoints" "Set breakpoints: tools, error codes, bad and stale reads, records" [Step] ["B"];
    Watch "watch" "watch" "Watch the selected record or field, or stop watching it" [Step] ["W"];
    Repeat "repeat" "repeat" "Repeat the selected call" [Step] ["."];
    ChangeCall "change-call" "change" "Change the selected call and make it again" [Step] ["C"];
    WrongAnswer "wrong-answer" "wrong answer" "Play a wrong answer from the start" [Step] ["X"];
    Why "why" "why" "Go to what the explanation names: a step, a write, a call, a schema" [Step] ["w"];
    Origin "blame" "blame" "Blame: show where the selected value comes from" [Step] ["o"];
    MarkPoint "mark-point" "mark" "Mark this point for the store diff, or unmark it" [Step] ["m"];
    Difference "store-diff" "diff" "Diff the store against the marked point or the start" [Step] ["d"];
    Agent "agent-view" "agent's view" "Show the agent's view: the messages a model would get" [Step] ["a"];
    Branches "branches" "branches" "Switch to another branch or kept episode" [Step] ["t"];

    RemoteInput "remote-input" "input" "Run a new task with an input of your own" [Remote] ["i"];
    RemoteContinue "remote-continue" "continue" "Continue the task's session with another input" [Remote] ["c"];
    RemoteStop "remote-stop" "stop" "Stop the remote task" [Remote] ["x"];
    RemoteHarness "remote-harness" "harness" "Choose the harness for the next task" [Remote] ["H"];
    RemoteModel "remote-model" "model" "Choose the model for the next task" [Remote] ["m"];
    RemoteStored "remote-stored" "stored" "Open a task stored on the server" [Remote] ["s"];
    RemoteNextCall "remote-next-call" "next" "Next call" [Remote] ["n"];
    RemotePreviousCall "remote-previous-call" "previous" "Previous call" [Remote] ["b"];
    RemoteReplay "remote-replay" "to the stepper" "Open the replayed calls in the stepper" [Remote] ["e"];
    RemoteBack "remote-back" "back" "Go back to where the task was opened from" [Remote] ["backspace"];

    HoldRelease "hold-release" "release" "Release the held call" [Live] ["space"];
    HoldEdit "hold-edit" "edit" "Edit the held call's arguments, or its answer, and release it" [Live] ["e"];
    HoldAnswer "hold-answer" "answer" "Answer the held call with an error or a text of your own" [Live] ["u"];
    HoldDrop "hold-drop" "never answer" "Never answer the held call" [Live] ["x"];
    HoldReleaseAll "hold-release-all" "release all" "Release the held call and those that wait" [Live] ["A"];
    HoldEverything "hold-everything" "hold all" "Hold every call, or only what the rules name" [Live] ["i"];
    HoldRules "hold-rules" "rules" "Set the rules that hold calls" [Live] ["B"];
    HoldDeadline "hold-deadline" "deadline" "Set after how long callers give up" [Live] ["D"];
    HoldStep "hold-step" "step it" "Open the episode at this call in the stepper; the caller's goes on" [Live] ["t"];
    HoldReply "hold-reply" "end" "End the live episode with a reply" [Live] ["r"];

    NewRun "new-run" "new run" "New run on the open file" [Runs] ["n"];
    ResumeRun "resume-run" "resume" "Resume the selected run" [Runs] ["r"];
    StopRun "stop-run" "stop" "Stop the run; it can be resumed" [Runs] ["x"];
    MarkRun "mark-run" "mark" "Mark the run to compare it" [Runs] ["space"];
    CompareRuns "compare-runs" "compare" "Compare the marked runs" [Runs] ["c"];
    AddRun "add-run" "add" "Add a run, a card or a folder of runs to the list" [Runs] ["a"];

    OnlyFailed "only-failed" "failed only" "Show only the episodes that failed, or all" [Card] ["o"];
    CardPage "card-page" "page" "Show the whole card" [Card] ["v"];
    WriteCard "write-card" "write" "Write the card to its run folder" [Card] ["w"];

    NextChange "next-change" "next change" "Next difference" [Compare, Pair, Files] ["n"];
    PreviousChange "previous-change" "previous change" "Previous difference" [Compare, Pair, Files] ["p"];
    Unified "unified" "unified" "Show changed lines below each other or side by side" [Compare, Files] ["u"];
    StepOther "step-other" "step B" "Step episode B from this call" [Pair] ["b"];
    CompareFile "compare-file" "compare" "Compare with another tool file" [Tools] ["c"];

    OpenDials "open-dials" "dials" "Open the Dials screen on this task" [Step, Sides] ["x"];
    TurnDown "turn-down" "level down" "Turn the dial one level down" [Step, Dials, Sides] ["["];
    TurnUp "turn-up" "level up" "Turn the dial one level up" [Step, Dials, Sides] ["]"];
    SideBySide "side-by-side" "side by side" "Compare two levels side by side" [Plan, Step, Dials] ["v"];

    BothNext "both-next" "next" "One call forward on both sides" [Sides] ["n", "f"];
    BothBack "both-back" "back" "One call back on both sides" [Sides] ["b", "backspace"];
    BothStart "both-start" "start" "Both sides to the start" [Sides] ["0"];
    BothEnd "both-end" "end" "Both sides to their verdicts" [Sides] ["e"];
    SideArm "side-arm" "arm" "Choose the arm of the selected side" [Sides] ["a"];
    Player "player" "player" "Choose the player for both sides" [Sides] ["p"];

    Close "close" "close" "Close" [Overlay] ["esc", "q"];
    Jump "jump" "go there" "Go to what the row names" [Told] ["enter"];
    CopyText "copy-text" "copy" "Copy the text" [Text] ["y"];
    CopyPrompt "copy-prompt" "copy prompt" "Copy the system prompt and the request" [Agent] ["p"];
    CopyMessages "copy-messages" "copy all" "Copy all messages" [Agent] ["A"];
    TextUp "text-up" "text up" "Scroll the message up" [Agent] ["K", "left"];
    TextDown "text-down" "text down" "Scroll the message down" [Agent] ["J", "right"];

    Accept "accept" "choose" "Accept" [Typing] ["enter"];
    Cancel "cancel" "cancel" "Cancel" [Typing] ["esc"];
    TypeLeft "type-left" "left" "One letter left" [Typing] ["left"];
    TypeRight "type-right" "right" "One letter right" [Typing] ["right"];
    TypeWordLeft "type-word-left" "word left" "One word left" [Typing] ["ctrl-left", "alt-b"];
    TypeWordRight "type-word-right" "word right" "One word right" [Typing] ["ctrl-right", "alt-f"];
    TypeHome "type-home" "line start" "Start of the line" [Typing] ["home", "ctrl-a"];
    TypeEnd "type-end" "line end" "End of the line" [Typing] ["end", "ctrl-e"];
    TypeBackspace "type-backspace" "delete" "Delete the letter before the cursor" [Typing] ["backspace", "ctrl-h"];
    TypeDelete "type-delete" "delete" "Delete the letter after the cursor" [Typing] ["delete", "ctrl-d"];
    TypeDeleteWord "type-delete-word" "delete word" "Delete the word before the cursor" [Typing] ["ctrl-w", "alt-backspace"];
    TypeDeleteToStart "type-delete-to-start" "clear before" "Delete to the start of the line" [Typing] ["ctrl-u"];
    TypeDeleteToEnd "type-delete-to-end" "clear after" "Delete to the end of the line" [Typing] ["ctrl-k"];

    Complete "complete" "complete" "Complete with the selected row" [Choosing] ["tab"];
    ChooseUp "choose-up" "up" "One row up" [Choosing] ["up", "ctrl-p"];
    ChooseDown "choose-down" "down" "One row down" [Choosing] ["down", "ctrl-n"];
    ChoosePageUp "choose-page-up" "page up" "One page up" [Choosing] ["pgup"];
    ChoosePageDown "choose-page-down" "page down" "One page down" [Choosing] ["pgdn"];

    TypeUp "type-up" "up" "One line up" [Lines] ["up"];
    TypeDown "type-down" "down" "One line down" [Lines] ["down"];

    Send "send" "send" "Make the call as it is, valid or not" [Form] ["ctrl-s", "f5"];
    ChooseTool "choose-tool" "tool" "Choose another tool" [Form] ["ctrl-t"];
    NextField "next-field" "next field" "Next field" [Form, RunForm] ["tab"];
    PreviousField "previous-field" "previous field" "Previous field" [Form, RunForm] ["shift-tab"];
    RawJson "raw-json" "json" "Switch between the form and raw JSON" [Form] ["ctrl-r"];
    LeaveOut "leave-out" "skip" "Leave the argument out, or put it back" [Form] ["ctrl-x"];
    SchemaUp "schema-up" "schema" "Scroll the schema up" [Form] ["pgup"];
    SchemaDown "schema-down" "schema" "Scroll the schema down" [Form] ["pgdn"];
    Fill "fill" "fill" "Fill the field: values from the task and earlier answers, or the choices" [Form, RunForm] ["ctrl-o"];
}
