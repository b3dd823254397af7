//! Two runs or cards side by side, with the episodes of every task whose outcome changed.

use super::browse::Browse;
use super::source::Source;
use super::trace::Trace;
use crate::align::{Row, align, cause, first_divergence};
use crate::card::{Changed, Comparison, card_page};
use std::sync::Arc;

/// Two episodes of one task beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct EpisodePair {
    /// a's episode.
    pub a: Trace,
    /// b's episode.
    pub b: Trace,
    /// Their calls, paired.
    pub rows: Vec<Row>,
    /// The first row at which they part.
    pub first: Option<usize>,
    /// Why they parted, in one sentence; nothing when both went the same way.
    pub cause: Option<String>,
}

impl EpisodePair {
    /// Pairs two recorded episodes.
    pub fn of(a: Trace, b: Trace) -> Self {
        let (calls_a, calls_b) = (a.played(), b.played());
        let rows = align(&calls_a, &calls_b);
        let cause = cause(&calls_a, &calls_b, &rows, (a.ended, b.ended));
        Self { first: first_divergence(&rows), cause, rows, a, b }
    }
}

/// Two sources compared.
#[derive(Debug)]
pub struct Compared {
    /// The first.
    pub a: Source,
    /// The second.
    pub b: Source,
    /// The verdict, the levels, what changed.
    pub comparison: Comparison,
}

impl Compared {
    /// Compares two runs, cards, or one of each.
    pub fn of(a: Source, b: Source) -> Self {
        let comparison = Comparison::of((&a.artifact, &a.episodes), (&b.artifact, &b.episodes));
        Self { a, b, comparison }
    }

    /// The two episodes of an attempt whose outcome changed; nothing when a side did not record its calls. The error is
    /// one line.
    pub fn episodes(&self, changed: &Changed) -> Result<Option<EpisodePair>, String> {
        self.pair(changed.index_a, changed.index_b)
    }

    /// The two episodes at these places of the records.
    pub fn pair(&self, index_a: usize, index_b: usize) -> Result<Option<EpisodePair>, String> {
        let (a, b) = (self.a.trace(index_a)?, self.b.trace(index_b)?);
        Ok(a.zip(b).map(|(a, b)| EpisodePair::of(a, b)))
    }
}

/// Two sources compared, to be looked through: their records are let go.
#[derive(Debug)]
pub struct Both {
    /// The first.
    pub a: Arc<Browse>,
    /// The second.
    pub b: Arc<Browse>,
    /// The verdict, the levels, what changed.
    pub comparison: Comparison,
    /// The lines of both cards' pages.
    pub pages: [Vec<String>; 2],
    /// Where the first episode parts whose chained hashes do, in a sentence without its full stop.
    pub parted: Option<String>,
}

impl Both {
    /// Compares two runs, cards, or one of each.
    pub fn of(a: Source, b: Source) -> Self {
        let Compared { a, b, comparison } = Compared::of(a, b);
        let (a, b) = (Browse::of(a), Browse::of(b));
        let lines = |side: &Browse| card_page(side.artifact(), side.about()).lines();
        let pages = [lines(&a), lines(&b)];
        let mut both = Self { pages, a: Arc::new(a), b: Arc::new(b), comparison, parted: None };
        both.parted = both.comparison.parted.as_ref().map(|parted| {
            // Calls that cannot be read are told of when the episode is opened.
            let pair = both.pair(parted).ok().flatten();
            super::page::parted_words(parted, pair.and_then(|pair| pair.parts_at()))
        });
        both
    }

    /// The two episodes of a changed attempt; nothing when a side did not record its calls. The error is one line.
    pub fn pair(&self, changed: &Changed) -> Result<Option<EpisodePair>, String> {
        let trace = |side: &Browse, index: usize| match side.find(index) {
            Some((_, task, episode)) => side.trace(task, episode),
            None => Ok(None),
        };
        let (a, b) = (trace(&self.a, changed.index_a)?, trace(&self.b, changed.index_b)?);
        Ok(a.zip(b).map(|(a, b)| EpisodePair::of(a, b)))
    }
}
