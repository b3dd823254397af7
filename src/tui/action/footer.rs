//! What the footer tells of, place by place.

use super::{Action, Place};

impl Place {
    /// What the footer tells of, the most important first: actions that belong together, and a word where their own
    /// short titles would say too much or too little here.
    pub fn footer(self) -> &'static [Hint] {
        use Action as A;
        match self {
            Place::Tools => &[
                Hint(&[A::Open], "look"),
                Hint(&[A::Tour], ""),
                Hint(&[A::ToggleEffect], ""),
                Hint(&[A::AddFlow], ""),
                Hint(&[A::Mark], ""),
                Hint(&[A::SwitchSchema], ""),
                Hint(&[A::WholeHashes], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::OpenFile], ""),
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
                Hint(&[A::Filter], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Step => &[
                Hint(&[A::NextCall], ""),
                Hint(&[A::OwnCall], ""),
                Hint(&[A::Back, A::Forward], "back, forward"),
                Hint(&[A::RunToEnd], ""),
                Hint(&[A::Why], ""),
                Hint(&[A::Agent], ""),
                Hint(&[A::Reply], ""),
                Hint(&[A::TurnDown, A::TurnUp], "turn dial"),
                Hint(&[A::SideBySide], ""),
                Hint(&[A::Branches], ""),
                Hint(&[A::Stops], ""),
                Hint(&[A::Difference], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Dials => &[
                Hint(&[A::Left, A::Right], "level"),
                Hint(&[A::Open], "turn there"),
                Hint(&[A::TurnDown, A::TurnUp], "turn the one at play"),
                Hint(&[A::SideBySide], ""),
                Hint(&[A::ShowStep], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Sides => &[
                Hint(&[A::BothBack, A::BothNext], "back, next"),
                Hint(&[A::Player], ""),
                Hint(&[A::Left, A::Right], "side"),
                Hint(&[A::TurnDown, A::TurnUp], "its level"),
                Hint(&[A::SideArm], ""),
                Hint(&[A::Open], "step in it"),
                Hint(&[A::BothStart, A::BothEnd], "start, end"),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Runs => &[
                Hint(&[A::Open], "card"),
                Hint(&[A::NewRun], ""),
                Hint(&[A::MarkRun], ""),
                Hint(&[A::CompareRuns], ""),
                Hint(&[A::ResumeRun], ""),
                Hint(&[A::StopRun], ""),
                Hint(&[A::AddRun], ""),
                Hint(&[A::Reload], "look again"),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Card => &[
                Hint(&[A::Open], "deeper, step"),
                Hint(&[A::Dismiss], "back"),
                Hint(&[A::OnlyFailed], ""),
                Hint(&[A::CardPage], ""),
                Hint(&[A::WriteCard], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Compare | Place::Files => &[
                Hint(&[A::Open], "look"),
                Hint(&[A::Dismiss], "back"),
                Hint(&[A::NextChange, A::PreviousChange], "change"),
                Hint(&[A::Unified], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Pair => &[
                Hint(&[A::Open], "step A"),
                Hint(&[A::StepOther], ""),
                Hint(&[A::NextChange, A::PreviousChange], "change"),
                Hint(&[A::Dismiss], "back"),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Remote => &[
                Hint(&[A::RemoteInput], ""),
                Hint(&[A::RemoteNextCall, A::RemotePreviousCall], "next, before"),
                Hint(&[A::RemoteStop], ""),
                Hint(&[A::RemoteContinue], ""),
                Hint(&[A::RemoteHarness], ""),
                Hint(&[A::RemoteModel], ""),
                Hint(&[A::RemoteStored], ""),
                Hint(&[A::RemoteReplay], ""),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::NextPane], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Served => &[
                Hint(&[A::Open], "step it"),
                Hint(&[A::Copy], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Broken => &[
                Hint(&[A::Reload], "read again"),
                Hint(&[A::OpenFile], ""),
                Hint(&[A::Up, A::Down], "scroll"),
                Hint(&[A::Search], ""),
                Hint(&[A::Help], ""),
                Hint(&[A::Quit], ""),
            ],
            Place::Look => &[
                Hint(&[A::Up, A::Down], "scroll"),
                Hint(&[A::Search], ""),
                Hint(&[A::FindNext, A::FindPrevious], "next, before"),
                Hint(&[A::Filter], ""),
                Hint(&[A::Close], ""),
            ],
            Place::Told => &[
                Hint(&[A::Jump], ""),
                Hint(&[A::Up, A::Down], "select"),
                Hint(&[A::CopyText], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::FindNext, A::FindPrevious], "next, before"),
                Hint(&[A::Filter], ""),
                Hint(&[A::Close], ""),
            ],
            Place::Agent => &[
                Hint(&[A::Up, A::Down], "message"),
                Hint(&[A::TextUp, A::TextDown], "scroll it"),
                Hint(&[A::CopyText], ""),
                Hint(&[A::CopyPrompt], ""),
                Hint(&[A::CopyMessages], ""),
                Hint(&[A::Search], ""),
                Hint(&[A::Filter], ""),
                Hint(&[A::Close], ""),
            ],
            Place::Choose => {
                &[Hint(&[A::Accept], ""), Hint(&[A::ChooseUp, A::ChooseDown], "select"), Hint(&[A::Cancel], "")]
            }
            Place::RunForm => &[
                Hint(&[A::Accept], "start"),
                Hint(&[A::NextField], "next"),
                Hint(&[A::Fill], "choices"),
                Hint(&[A::Cancel], ""),
            ],
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
