//! How much a value would take if it were written out, and how deep it nests, without writing it out.

use crate::value::{Key, Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Measures of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Weight {
    /// Bytes of compact JSON, about; a part that stands in two places counts twice.
    pub(super) size: u64,
    /// Containers inside one another; 0 for a scalar.
    pub(super) depth: u32,
}

/// Weighs values; what was kept is never weighed again.
#[derive(Debug, Default)]
pub(super) struct Scale {
    /// By address; the value is held so that its address stays its own.
    kept: HashMap<usize, (Value, Weight)>,
}

impl Scale {
    /// The weight of a value. Descends only into containers that are not kept.
    pub(super) fn weigh(&mut self, value: &Value) -> Weight {
        let (address, shared) = match value {
            Value::Object(map) => (Arc::as_ptr(map) as usize, Arc::strong_count(map) > 1),
            Value::Array(list) => (Arc::as_ptr(list) as usize, Arc::strong_count(list) > 1),
            scalar => return Weight { size: scalar_size(scalar), depth: 0 },
        };
        if shared && let Some((_, weight)) = self.kept.get(&address) {
            return *weight;
        }
        let weight = match value {
            Value::Object(map) => self.map(map),
            Value::Array(list) => list.iter().fold(Weight { size: 2, depth: 1 }, |sum, item| {
                let item = self.weigh(item);
                held(sum, item, 1)
            }),
            _ => Weight::default(),
        };
        if shared {
            self.kept.insert(address, (value.clone(), weight));
        }
        weight
    }

    /// The weight of a value, kept from now on.
    pub(super) fn keep(&mut self, value: &Value) -> Weight {
        // a second holder makes it shared
        let held = value.clone();
        self.weigh(&held)
    }

    fn map(&mut self, map: &Map) -> Weight {
        map.iter().fold(Weight { size: 2, depth: 1 }, |sum, (key, value)| {
            let key = match key {
                Key::Text(name) => name.len() as u64 + 2,
                Key::Other(value) => scalar_size(value),
            };
            let value = self.weigh(value);
            held(sum, value, key + 2)
        })
    }
}

/// A container's weight with one more member.
fn held(container: Weight, member: Weight, around: u64) -> Weight {
    Weight {
        size: container.size.saturating_add(member.size).saturating_add(around),
        depth: container.depth.max(member.depth.saturating_add(1)),
    }
}

fn scalar_size(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) => 4,
        Value::Int(n) => u64::from(n.unsigned_abs().checked_ilog10().unwrap_or(0)) + 1,
        // ten bits hold three digits
        Value::BigInt(n) => n.bits() * 3 / 10 + 1,
        Value::Float(_) => 8,
        Value::Str(text) => text.len() as u64 + 2,
        Value::Array(_) | Value::Object(_) | Value::Odd(_) => 2,
    }
}
