//! What a task asks, in plain words that name no tool (rules 5.3, 5.4, 5.8).
//!
//! The words are our own. Whatever comes from descriptions and intents has the tools' names taken out; our own phrases
//! are checked against them too, since a tool may be called `lookup` or `answer`.
use super::path::aloud;
use crate::task::NamedRead;
use crate::value::{Str, Value, canonical::spaced};
use std::collections::HashSet;
use std::fmt::Write;

/// What a write's request says beside the sentence and the values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Detail {
    /// Nothing.
    None,
    /// The account it is for.
    Account(u32),
}

/// One call of a chain, as the request tells it.
#[derive(Debug, Clone)]
pub(super) struct ChainStep {
    /// What to do.
    pub(super) ask: Str,
    /// The values stated for it.
    pub(super) stated: Vec<(Str, Value)>,
    /// The argument taken from the answer before, and the path it stands at.
    pub(super) carried: Option<(Str, Str)>,
}

/// Names that a text may not say.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<Str>);

impl Names {
    /// The names given, as far as they can stand in a text as one run of letters, digits, `_` and `-`.
    pub(super) fn new(names: impl IntoIterator<Item = Str>) -> Self {
        Names(names.into_iter().filter(|n| !n.is_empty() && n.chars().all(in_run)).collect())
    }

    fn has(&self, run: &str) -> bool {
        self.0.contains(run)
    }

    /// The text with every run that is one of the names replaced.
    pub(super) fn replaced(&self, text: &str, by: impl Fn(&str) -> String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(in_run) {
            let (before, from) = rest.split_at(start);
            let (run, after) = from.split_at(from.find(|c| !in_run(c)).unwrap_or(from.len()));
            out.push_str(before);
            if self.has(run) {
                out.push_str(&by(run));
            } else {
                out.push_str(run);
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// One of our own phrases, spelled so that none of its words is a tool's name: a word that is gets capitals.
    pub(super) fn spelled(&self, phrase: &str) -> String {
        self.replaced(phrase, |run| {
            let spellings = [capitalised(run), run.to_uppercase(), run.to_lowercase()];
            spellings.into_iter().find(|s| !self.has(s)).unwrap_or_default()
        })
    }
}

fn in_run(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whitespace as Python's `str.split` sees it.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn collapsed(text: &str) -> String {
    text.split(is_blank).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The first sentence of a description, without its closing marks (rules 5.8).
fn first_sentence(description: &str) -> String {
    let text = collapsed(description);
    let mut end = text.len();
    for (at, _) in text.match_indices(' ') {
        if text[..at].ends_with(['.', '!', '?']) {
            end = at;
            break;
        }
    }
    text[..end].to_owned()
}

/// The phrases a set's requests are made of, spelled for its names once.
#[derive(Debug)]
pub(super) struct Words {
    names: Names,
    neutral: String,
    phrases: Vec<String>,
}

/// Phrases, by their place in [`PHRASES`].
#[derive(Debug, Clone, Copy)]
enum Phrase {
    StockWrite,
    StockRead,
    ForAccount,
    SplitOver,
    PartIs,
    JoinThem,
    NoPart,
    DoInOrder,
    ItsIs,
    InAnswerTo,
    Its,
    InAnswerToFollowing,
    FourJobs,
    OneByOne,
    TwoByTwo,
    AllAtOnce,
    Job,
}

const PHRASES: [&str; 17] = [
    "Make the one change that takes these values",
    "Look up what these values lead to",
    ", on account ",
    " is not given here: it is split, in order, over the answers to the following four look-ups.",
    "; its part is the ",
    "Make all four, in this order, and join the parts; an answer that says ",
    " holds none.",
    "Do these things in this order, each with what the one before it answered:",
    " is the ",
    " in the answer to ",
    "Its ",
    " in the answer to the following. ",
    "There are four jobs.",
    "Begin a job only when the job before it is finished.",
    "Jobs 1 and 3 can begin at any time. Begin job 2 when job 1 is finished, and job 4 when job 3 is finished.",
    "No job waits for another.",
    "Job",
];

impl Words {
    /// Phrases for a set whose tools have these names.
    pub(super) fn new(names: Names) -> Self {
        Words {
            neutral: names.spelled("this tool"),
            phrases: PHRASES.iter().map(|p| names.spelled(p)).collect(),
            names,
        }
    }

    fn phrase(&self, phrase: Phrase) -> &str {
        &self.phrases[phrase as usize]
    }

    /// One of our own sentences, spelled for the names of the set.
    pub(super) fn spelled(&self, sentence: &str) -> String {
        self.names.spelled(sentence)
    }

    /// The sentence that asks for a tool: the user's intent, else the first sentence of its description.
    pub(super) fn ask(&self, intent: Option<&str>, description: &str, is_read: bool) -> Str {
        let text = intent.map(collapsed).filter(|t| !t.is_empty()).unwrap_or_else(|| first_sentence(description));
        let text = self.unnamed(text.trim_end_matches(['.', '!', '?', ' ']), &self.names);
        if text.is_empty() {
            let stock = if is_read { Phrase::StockRead } else { Phrase::StockWrite };
            return Str::from(self.phrase(stock));
        }
        Str::from(text)
    }

    /// A sentence with further names taken out, its first letter a capital one.
    pub(super) fn unnamed(&self, sentence: &str, names: &Names) -> String {
        let text = capitalised(&names.replaced(sentence, |_| self.neutral.clone()));
        // a capital may have made a name of the first word
        if text.find(|c| !in_run(c)).map_or(&*text, |end| &text[..end])
            == sentence.split(|c| !in_run(c)).next().unwrap_or("")
        {
            return text;
        }
        names.replaced(&text, |_| capitalised(&self.neutral))
    }

    /// The request of one write.
    pub(super) fn write(&self, ask: &str, stated: &[(Str, Value)], detail: Detail) -> Str {
        let mut text = String::from(ask);
        if let Detail::Account(account) = detail {
            text.push_str(self.phrase(Phrase::ForAccount));
            text.push_str(&account.to_string());
        }
        push_values(&mut text, stated);
        text.push('.');
        Str::from(text)
    }

    /// A write whose carried argument is split over the answers of reads.
    pub(super) fn spread(
        &self,
        ask: &str,
        stated: &[(Str, Value)],
        carried: &str,
        asks: &[Str],
        reads: &[NamedRead],
    ) -> Str {
        let mut text = self.write(ask, stated, Detail::None).to_string();
        let _ = write!(text, " {}{carried}{}", self.phrase(Phrase::Its), self.phrase(Phrase::SplitOver));
        for (i, (ask, read)) in asks.iter().zip(reads).enumerate() {
            let _ = write!(text, " ({}) {ask}", i + 1);
            push_values(&mut text, &pairs(&read.arguments));
            let _ = write!(text, "{}{}.", self.phrase(Phrase::PartIs), aloud(&read.field));
        }
        let _ = write!(text, " {}\"none\"{}", self.phrase(Phrase::JoinThem), self.phrase(Phrase::NoPart));
        Str::from(text)
    }

    /// A chain of calls.
    pub(super) fn chain(&self, steps: &[ChainStep]) -> Str {
        let mut text = String::from(self.phrase(Phrase::DoInOrder));
        self.push_steps(&mut text, steps);
        Str::from(text)
    }

    /// Four runs of a chain, and which of them wait.
    pub(super) fn jobs(&self, runs: &[Vec<ChainStep>], width: u32) -> Str {
        let order = match width {
            1 => Phrase::OneByOne,
            2 => Phrase::TwoByTwo,
            _ => Phrase::AllAtOnce,
        };
        let mut text = format!("{} {}", self.phrase(Phrase::FourJobs), self.phrase(order));
        for (i, steps) in runs.iter().enumerate() {
            let _ = write!(text, " {} {}:", self.phrase(Phrase::Job), i + 1);
            self.push_steps(&mut text, steps);
        }
        Str::from(text)
    }

    fn push_steps(&self, text: &mut String, steps: &[ChainStep]) {
        for (i, step) in steps.iter().enumerate() {
            let _ = write!(text, " ({}) {}", i + 1, step.ask);
            push_values(text, &step.stated);
            text.push('.');
            if let Some((name, path)) = &step.carried {
                let (its, is) = (self.phrase(Phrase::Its), self.phrase(Phrase::ItsIs));
                let _ = write!(text, " {its}{name}{is}{}{}({i}).", aloud(path), self.phrase(Phrase::InAnswerTo));
            }
        }
    }

    /// A write one of whose arguments is a field of a read's answer.
    pub(super) fn looked_up(
        &self,
        ask: &str,
        stated: &[(Str, Value)],
        name: &str,
        read_ask: &str,
        read: &NamedRead,
    ) -> Str {
        let mut text = self.write(ask, stated, Detail::None).to_string();
        let (its, is) = (self.phrase(Phrase::Its), self.phrase(Phrase::ItsIs));
        let _ = write!(
            text,
            " {its}{name}{is}{}{}{read_ask}",
            aloud(&read.field),
            self.phrase(Phrase::InAnswerToFollowing)
        );
        push_values(&mut text, &pairs(&read.arguments));
        text.push('.');
        Str::from(text)
    }
}

fn pairs(arguments: &Value) -> Vec<(Str, Value)> {
    let map = arguments.as_object();
    map.into_iter().flat_map(|m| m.named().map(|(k, v)| (k.clone(), v.clone()))).collect()
}

/// Each name and its value as JSON.
fn push_values(text: &mut String, stated: &[(Str, Value)]) {
    for (i, (name, value)) in stated.iter().enumerate() {
        let _ = write!(text, "{}{name} {}", if i == 0 { ": " } else { ", " }, spaced(value));
    }
}
