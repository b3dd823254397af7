//! Other words people use for actions; the palette finds actions by them.

use super::Action;

impl Action {
    /// Other words for it, separated by commas.
    pub fn synonyms(self) -> &'static str {
        use Action as A;
        match self {
            A::Interrupt | A::Quit => "exit, close the program, leave",
            A::Suspend => "background, sleep, stop",
            A::Redraw => "refresh, repaint, clear screen",
            A::Help => "keys, shortcuts, bindings, ?",
            A::Palette => "commands, actions, menu",
            A::ShowTools => "tools screen, home, tool list",
            A::ShowPlan => "plan screen, tasks, task list",
            A::ShowStep => "step screen, stepper, episode, debugger",
            A::ShowDials => "dials screen, faults, levels",
            A::ShowRuns => "runs screen, history, results, cards",
            A::ShowRemote => "remote screen, server, attach",
            A::ShowServed => "served screen, server, requests",
            A::ShowLive => "live screen, agents, held calls, MCP",
            A::SkipStep => "skip, tour, next step",
            A::NextPane => "focus, switch pane, other pane",
            A::PreviousPane => "focus back, switch pane",
            A::Search => "find, grep, look for",
            A::Filter => "narrow, grep, show only, hide rows",
            A::FindNext => "find next, search again, next result",
            A::FindPrevious => "find previous, previous result",
            A::Copy => "clipboard, yank, json",
            A::Edit => "vim, external editor, open in editor, json",
            A::Save => "export, write, download, json, markdown, svg",
            A::OpenFile => "load, browse, recent files, switch file",
            A::Reload => "refresh, read again, reread",
            A::NextTheme => "color, colors, colour, dark, light, contrast",
            A::Mouse => "click, wheel, pointer",
            A::Dismiss => "clear, escape, go back",
            A::Open => "enter, view, show, play",
            A::Up => "previous row, cursor up",
            A::Down => "next row, cursor down",
            A::PageUp => "scroll up, screenful up",
            A::PageDown => "scroll down, screenful down",
            A::First => "top, start, beginning",
            A::Last => "bottom, end",
            A::Left => "lower, decrease, scroll",
            A::Right => "higher, increase, scroll",
            A::Fold => "collapse, expand, unfold",
            A::ToggleEffect => "read, write, declare, side effects",
            A::AddFlow => "link, connect, declare flow, data flow",
            A::Suggest => "guess, likely, propose, detect flows, infer",
            A::RemoveFlow => "delete flow, unlink, disconnect",
            A::SwitchSchema => "output schema, input schema, response, in out",
            A::WholeHashes => "sha256, digest, contract hash, file hash",
            A::Mark => "select tool, check, subset, pick",
            A::MarkFound => "mark all, select all, mark search",
            A::SetIntent => "intent, request text, phrase, wording",
            A::SaveDeclared => "write tasks.toml, export settings, keep settings",
            A::Resume => "continue session, restore, recover",
            A::KeepMarked => "only, subset, limit tools, keep selected",
            A::Tour => "tutorial, guide, introduction, learn",
            A::AddSeed => "new seed, random, number",
            A::NextCall => "step, step over, advance, play call",
            A::OwnCall => "call form, manual call, new call, json",
            A::Back => "undo, step back, previous call",
            A::Forward => "redo, step forward",
            A::Reply => "finish, final answer, end episode",
            A::Limit => "max turns, give up, time out",
            A::Restart => "reset, rewind, beginning",
            A::RunToEnd => "continue, run, finish, play all",
            A::Play => "auto-play, animate, pause, resume, demo",
            A::Faster => "speed up, quicker",
            A::Slower => "slow down, speed",
            A::Present => "presenter, projector, big, zoom, demo, talk",
            A::RunToError => "next error, next failure, fault",
            A::RunToChange => "next write, next change",
            A::Stops => "breakpoint, break, stop at, pause",
            A::Watch => "watchpoint, monitor, track",
            A::Repeat => "again, retry, redo call",
            A::ChangeCall => "edit call, modify, retry with changes",
            A::WrongAnswer => "failing answer, bad solution, mistake",
            A::Why => "explain, reason, cause",
            A::Origin => "origin, provenance, who wrote this, source of value",
            A::MarkPoint => "bookmark, checkpoint, set mark",
            A::Difference => "diff, changes, compare store, delta",
            A::Agent => "messages, prompt, transcript, chat, json",
            A::Branches => "branch, futures, other episode, history",
            A::HoldRelease => "let go, continue, pass, allow",
            A::HoldEdit => "change arguments, change answer, modify",
            A::HoldAnswer => "fake answer, error, override, mock",
            A::HoldDrop => "drop, lose answer, timeout, black hole",
            A::HoldReleaseAll => "let all go, continue all",
            A::HoldEverything => "pause, intercept, stop calls, break on all",
            A::HoldRules => "breakpoints, intercept, hold rule",
            A::HoldDeadline => "timeout, give up, patience",
            A::HoldStep => "stepper, debug, branch, what if",
            A::HoldReply => "finish, close episode, verdict",
            A::RemoteInput => "new task, send input, prompt",
            A::RemoteContinue => "follow up, same session, reply",
            A::RemoteStop => "cancel, abort, kill",
            A::RemoteHarness => "select harness, agent",
            A::RemoteModel => "select model, llm",
            A::RemoteStored => "old tasks, past responses, history",
            A::RemoteNextCall => "forward, step",
            A::RemotePreviousCall => "back, step back",
            A::RemoteReplay => "stepper, debug, replay",
            A::RemoteBack => "back, return, leave task",
            A::NewRun => "new run, start run, benchmark, evaluate, measure",
            A::ResumeRun => "continue run, restart run",
            A::StopRun => "cancel run, abort run, pause run",
            A::MarkRun => "select run, pick run",
            A::CompareRuns => "diff, difference, a b test",
            A::AddRun => "open run, import, load card",
            A::OnlyFailed => "failures, errors, filter failed",
            A::CardPage => "full card, report, markdown",
            A::WriteCard => "export card, save card, export",
            A::NextChange => "next diff, next hunk, forward",
            A::PreviousChange => "previous diff, previous hunk, back",
            A::Unified => "split view, layout, diff style",
            A::StepOther => "debug b, stepper, second episode",
            A::CompareFile => "diff, difference, second file",
            A::OpenDials => "faults, levels, dial screen",
            A::TurnDown => "lower level, easier, decrease",
            A::TurnUp => "higher level, harder, increase",
            A::SideBySide => "compare levels, diff levels, split",
            A::BothNext => "step both, advance, next call",
            A::BothBack => "step back both, previous call",
            A::BothStart => "rewind, reset, restart",
            A::BothEnd => "finish, run, play all",
            A::SideArm => "change arm, level, dial",
            A::Player => "agent, policy, who plays",
            // The palette is not open where these work.
            A::Close
            | A::Jump
            | A::CopyText
            | A::CopyPrompt
            | A::CopyMessages
            | A::TextUp
            | A::TextDown
            | A::Accept
            | A::Cancel
            | A::TypeLeft
            | A::TypeRight
            | A::TypeWordLeft
            | A::TypeWordRight
            | A::TypeHome
            | A::TypeEnd
            | A::TypeBackspace
            | A::TypeDelete
            | A::TypeDeleteWord
            | A::TypeDeleteToStart
            | A::TypeDeleteToEnd
            | A::Complete
            | A::ChooseUp
            | A::ChooseDown
            | A::ChoosePageUp
            | A::ChoosePageDown
            | A::TypeUp
            | A::TypeDown
            | A::Send
            | A::ChooseTool
            | A::NextField
            | A::PreviousField
            | A::RawJson
            | A::LeaveOut
            | A::SchemaUp
            | A::SchemaDown
            | A::Fill => "",
        }
    }
}
