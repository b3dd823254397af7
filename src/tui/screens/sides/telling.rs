//! What tells most of a pair of calls: the first value that the two say differently.

use super::banner;
use super::lines::made;
use crate::align::{Row as Pair, RowKind, changes};
use crate::engine::Made;
use crate::theme::Scope;
use crate::tui::screens::step::outcome_words;
use crate::tui::screens::words;
use crate::tui::widgets::row::Row;
use crate::value::Value;
use crate::work::Sides;

/// The first value that the two say differently: its name, and what each says.
fn telling(sides: &Sides, pair: &Pair) -> Option<(String, [Option<Value>; 2])> {
    let (a, b) = (made(&sides.a, pair.a)?, made(&sides.b, pair.b)?);
    let found = match pair.kind {
        RowKind::Arguments => changes(&a.call.arguments, &b.call.arguments),
        RowKind::Answer if a.outcome.answer.code.is_none() && b.outcome.answer.code.is_none() => {
            changes(&a.outcome.answer.value, &b.outcome.answer.value)
        }
        _ => return None,
    };
    let first = found.into_iter().next()?;
    Some((first.at.trim_start_matches('/').to_owned(), [first.a, first.b]))
}

/// It as each side says it, in a few words; nothing where the two say the same.
pub(super) fn cells(sides: &Sides, pair: &Pair) -> [Option<Row>; 2] {
    let Some((name, values)) = telling(sides, pair) else { return [None, None] };
    values.map(|value| {
        Some(match value {
            Some(value) => Row::new().dim(format!("{name} ")).put(Scope::DiffChanged, words::short(&value)),
            None => Row::of(Scope::Dim, format!("no {name}")),
        })
    })
}

/// What became of the two calls of a pair, and the first value they say differently, in large letters; as much of it as
/// there are lines for. Nothing where they are the same.
pub(super) fn large(sides: &Sides, pair: &Pair, width: usize, lines: usize) -> [Vec<Row>; 2] {
    let (Some(a), Some(b)) = (made(&sides.a, pair.a), made(&sides.b, pair.b)) else { return Default::default() };
    if pair.kind == RowKind::Same {
        return Default::default();
    }
    let scopes = [a, b].map(|made| outcome_words(made).0);
    let outcomes = Some([a, b].map(word)).filter(|[a, b]| a != b);
    let values = telling(sides, pair).and_then(|(_, [a, b])| Some([spelled(&a?)?, spelled(&b?)?]));
    let values = values.filter(|[a, b]| a != b);
    let mut all = [Vec::new(), Vec::new()];
    // The value is what one wants to see; the outcome stands above it when there is room for both.
    for sizes in [[banner::Size::Large; 2], [banner::Size::Small, banner::Size::Large], [banner::Size::Small; 2]] {
        let banners: Vec<[Vec<String>; 2]> = [&outcomes, &values]
            .into_iter()
            .zip(sizes)
            .filter_map(|(words, size)| {
                let [a, b] = words.as_ref()?;
                Some([banner::letters(a, size, width)?, banner::letters(b, size, width)?])
            })
            .collect();
        let wanted = [&outcomes, &values].into_iter().flatten().count();
        let high: usize = banners.iter().map(|[a, _]| a.len() + 1).sum();
        if banners.len() < wanted || high >= lines {
            continue;
        }
        for both in banners {
            for ((rows, letters), scope) in all.iter_mut().zip(both).zip(scopes) {
                rows.push(Row::new());
                rows.extend(letters.iter().map(|line| Row::of(scope, line)));
            }
        }
        for rows in &mut all {
            rows.push(Row::new());
        }
        break;
    }
    all
}

fn word(made: &Made) -> String {
    outcome_words(made).2.to_uppercase()
}

/// A plain value in the letters there are.
fn spelled(value: &Value) -> Option<String> {
    let text = match value {
        Value::Str(text) => text.to_uppercase(),
        Value::Array(_) | Value::Object(_) => return None,
        other => words::short(other).to_uppercase(),
    };
    Some(text).filter(|text| !text.is_empty())
}
