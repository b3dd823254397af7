//! The generator's draws: one seed's two keys, `value` and `args` of rules 5.1, and what several arms of a seed share.
use super::PlanError;
use super::baddata::Lie;
use super::depth::Link;
use super::set::{Prepared, Prop};
use super::spread::Read;
use crate::schema::{DrawKey, PickKey, value_for};
use crate::task::{Call, HistoryPair};
use crate::value::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The split every task of this generator belongs to.
pub(super) const SPLIT: &str = "eval";

/// By position, a value or none for each argument of a tool.
pub(super) type Values = Vec<Option<Value>>;

/// The keyed draws of one seed on one file.
#[derive(Debug)]
pub(super) struct Draws {
    values: DrawKey,
    picks: PickKey,
    /// The seed.
    pub(super) seed: u64,
    /// The values of targets, by their position.
    targets: Mutex<Vec<(usize, Arc<Values>)>>,
    /// What the levels of one dial draw alike, each drawn when the first of them asks for it.
    pub(super) history: Mutex<Vec<HistoryPair>>,
    pub(super) spread: OnceLock<Option<Vec<Read>>>,
    pub(super) shape: OnceLock<Result<Vec<Vec<Link>>, PlanError>>,
    pub(super) baddata: OnceLock<Result<Lie, PlanError>>,
    pub(super) lagged: OnceLock<Option<(Arc<Values>, Call)>>,
}

impl Draws {
    /// The generator key of a file and a seed: `<digest>` US `<split>` US `<seed>`.
    pub(super) fn new(digest: &str, seed: u64) -> Self {
        let key = format!("{digest}\u{1f}{SPLIT}\u{1f}{seed}");
        Draws {
            values: DrawKey::new(&key),
            picks: PickKey::new(&key),
            seed,
            targets: Mutex::default(),
            history: Mutex::default(),
            spread: OnceLock::new(),
            shape: OnceLock::new(),
            baddata: OnceLock::new(),
            lagged: OnceLock::new(),
        }
    }

    /// The values of a target, drawn once.
    pub(super) fn target_values(&self, at: usize, tool: &Prepared) -> Arc<Values> {
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, values)) = targets.iter().find(|(known, _)| *known == at) {
            return values.clone();
        }
        let values = Arc::new(args(self.key(), tool, &format!("values/{}", tool.tool.name), &tool.drawable));
        targets.push((at, values.clone()));
        values
    }

    /// The generator draw among `n` things; `n` must not be 0.
    pub(super) fn pick(&self, salt: &str, n: usize) -> usize {
        usize::try_from(self.picks.pick(salt, n as u64)).unwrap_or(0)
    }

    /// The generator draw mod 2^32, by which `block` ranks.
    pub(super) fn rank(&self, salt: &str) -> u64 {
        self.picks.pick(salt, 1 << 32)
    }

    /// The key that values are drawn with.
    pub(super) fn key(&self) -> &DrawKey {
        &self.values
    }
}

/// `value(schema, salt)` of rules 5.1: the first of eight draws that is not null and conforms to the schema as written.
pub(super) fn value(key: &DrawKey, prop: &Prop, salt: &str) -> Option<Value> {
    value_for(&prop.schema, &prop.cleaned, key, salt)
}

/// `args(tool, salt)` of rules 5.1 as far as it is asked for: by position, a value or none for each of `wanted`.
pub(super) fn args(key: &DrawKey, tool: &Prepared, salt: &str, wanted: &[usize]) -> Values {
    let mut values = vec![None; tool.props.len()];
    let mut salt = format!("{salt}/");
    let length = salt.len();
    for &i in wanted {
        let prop = &tool.props[i];
        salt.truncate(length);
        salt.push_str(&prop.name);
        values[i] = value(key, prop, &salt);
    }
    values
}
