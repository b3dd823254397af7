//! similarity: six lookalikes of the target, told apart by an account number (rules 5.4).
use super::draft::Draft;
use super::draws::{Draws, SPLIT};
use super::words::Detail;
use super::{PlanError, Planner, base};
use crate::schema::prf;
use crate::task::{Arm, ShownTool};
use crate::value::Str;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// Lookalikes beside the target.
const LOOKALIKES: usize = 6;

/// Characters of the tool's name that stay in front of the number.
const KEPT: usize = 59;

/// The base task with the target shown under its account number among its lookalikes.
pub(super) fn draft(planner: &Planner, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
    let mut draft = base::draft(planner, arm, draws);
    let tool = &planner.set.tools[draft.target].tool;
    let (account, others) = numbers(draws.seed, arm.level);
    let mut shown: Vec<u32> = others.iter().copied().chain([account]).collect();
    shown.sort_by_cached_key(u32::to_string);
    let cut: String = tool.name.chars().take(KEPT).collect();
    let name = |number: u32| Str::from(format!("{cut}_{number}"));
    let seven = shown.iter().map(|&number| ShownTool {
        name: name(number),
        description: description(&tool.description, number),
        tool: tool.clone(),
    });
    let mut block = planner.block.to_vec();
    block.splice(draft.target..=draft.target, seven);
    let target = name(account);
    for number in &shown {
        let twice = name(*number);
        if block.iter().filter(|t| t.name == twice).count() > 1 {
            return Err(PlanError(format!("a lookalike would be named {twice}, as another tool is")));
        }
    }
    draft.task.block = Arc::new(block);
    for step in &mut draft.task.steps {
        step.tool = target.clone();
    }
    for call in &mut draft.task.reference_calls {
        call.tool = target.clone();
    }
    let names: Vec<Str> = shown.iter().map(|&n| name(n)).collect();
    let ask = planner.ask_unnamed(draft.target, &names);
    draft.task.request = planner.words.write(&ask, &draft.task.stated, Detail::Account(account));
    draft.task.target = target;
    Ok(draft)
}

fn description(of_tool: &str, number: u32) -> Str {
    let gap = if of_tool.is_empty() { "" } else { " " };
    Str::from(format!("{of_tool}{gap}(account {number})"))
}

/// The account of a seed and its lookalikes at a level, in the order they are drawn in.
pub(super) fn numbers(seed: u64, level: u32) -> (u32, [u32; LOOKALIKES]) {
    let drawn = |what: &str| BigUint::from_bytes_be(&prf(&format!("task-generator/similarity-{what}/1"), seed, SPLIT));
    let account = 1000 + (drawn("number") % 9000u32).to_u32().unwrap_or(0);
    let own = digits(account);
    let mut places = drawn("places");
    let orders: [[usize; 4]; LOOKALIKES] = std::array::from_fn(|_| {
        let mut left = vec![0, 1, 2, 3];
        std::array::from_fn(|_| left.remove(low_digit(&mut places, left.len())))
    });
    let mut ranks = drawn("digits");
    let ranks: [[usize; 4]; LOOKALIKES] = std::array::from_fn(|_| std::array::from_fn(|_| low_digit(&mut ranks, 72)));
    let kept = usize::try_from(level).unwrap_or(4).min(3);
    let mut numbers = [0; LOOKALIKES];
    for i in 0..LOOKALIKES {
        let mut ranks = ranks[i];
        loop {
            let number = lookalike(own, &orders[i], ranks, kept);
            if !numbers[..i].contains(&number) {
                numbers[i] = number;
                break;
            }
            ranks[orders[i][3]] += 1;
        }
    }
    (account, numbers)
}

/// The account's digits in the first `kept` places of the order, others in the rest.
fn lookalike(own: [u32; 4], order: &[usize; 4], ranks: [usize; 4], kept: usize) -> u32 {
    let mut number = own;
    for &place in &order[kept..] {
        let allowed: Vec<u32> = (0..10).filter(|&d| d != own[place] && !(place == 0 && d == 0)).collect();
        number[place] = allowed[ranks[place] % allowed.len()];
    }
    number.iter().fold(0, |n, d| n * 10 + d)
}

fn digits(number: u32) -> [u32; 4] {
    [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
}

/// Takes the lowest digit of a number in that radix.
fn low_digit(number: &mut BigUint, radix: usize) -> usize {
    let digit = (&*number % radix).to_usize().unwrap_or(0);
    *number /= radix;
    digit
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn the_published_numbers_come_out() {
        assert_eq!(numbers(404, 0), (6713, [7605, 9139, 1394, 5394, 9882, 2254]));
        assert_eq!(numbers(404, 2), (6713, [6603, 6739, 1714, 6314, 6883, 2753]));
        assert_eq!(numbers(55, 0).0, 8343);
    }

    #[test]
    fn a_level_keeps_as_many_digits_in_place_and_no_two_numbers_are_equal() {
        for seed in 0..200 {
            for level in 0..=3 {
                let (account, others) = numbers(seed, level);
                let mut seen = vec![account];
                for other in others {
                    let alike = super::digits(account).into_iter().zip(super::digits(other)).filter(|(a, b)| a == b);
                    assert_eq!(alike.count(), level as usize, "{account} {other}");
                    assert!(!seen.contains(&other), "{other} twice at seed {seed}");
                    seen.push(other);
                }
            }
        }
    }
}
