//! The generator's draws: one seed's two keys, and `value` and `args` of rules 5.1.
use super::set::{Prepared, Prop};
use crate::schema::{DrawKey, PickKey, conforms, draw};
use crate::value::Value;

/// The split every task of this generator belongs to.
pub(super) const SPLIT: &str = "eval";

/// How many times a value is drawn before the search for one that conforms is given up.
const TRIES: usize = 8;

/// The keyed draws of one seed on one file.
#[derive(Debug)]
pub(super) struct Draws {
    values: DrawKey,
    picks: PickKey,
    /// The seed.
    pub(super) seed: u64,
}

impl Draws {
    /// The generator key of a file and a seed: `<digest>` US `<split>` US `<seed>`.
    pub(super) fn new(digest: &str, seed: u64) -> Self {
        let key = format!("{digest}\u{1f}{SPLIT}\u{1f}{seed}");
        Draws { values: DrawKey::new(&key), picks: PickKey::new(&key), seed }
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
    value_where(key, prop, salt, |_| true)
}

/// [`value`] with one more test inside its eight tries.
pub(super) fn value_where(key: &DrawKey, prop: &Prop, salt: &str, fits: impl Fn(&Value) -> bool) -> Option<Value> {
    value_of(key, &prop.cleaned, &prop.schema, salt, fits)
}

/// [`value_where`] of any schema, given cleaned and as written.
pub(super) fn value_of(
    key: &DrawKey,
    cleaned: &Value,
    schema: &Value,
    salt: &str,
    fits: impl Fn(&Value) -> bool,
) -> Option<Value> {
    (0..TRIES)
        .map(|a| draw(cleaned, key, &format!("{salt}/{a}")))
        .find(|v| !v.is_null() && conforms(v, schema) && fits(v))
}

/// `args(tool, salt)` of rules 5.1 as far as it is asked for: by position, a value or none for each of `wanted`.
pub(super) fn args(key: &DrawKey, tool: &Prepared, salt: &str, wanted: &[usize]) -> Vec<Option<Value>> {
    let mut values = vec![None; tool.props.len()];
    for &i in wanted {
        let prop = &tool.props[i];
        values[i] = value(key, prop, &format!("{salt}/{}", prop.name));
    }
    values
}
