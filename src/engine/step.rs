//! One call played: the checks of rules 4.4 and 7.7 in their order.
use super::Engine;
use super::answer::{Answer, Code};
use super::cache::Drawn;
use super::idiom;
use super::matching::{matches, nearest};
use super::placing::{place_arguments, place_served};
use super::rule::{BadTold, Change, Outcome, Rule, Shaping, Stale};
use super::state::{Fields, State};
use super::store::{Write, WriteKind};
use super::tools::Shown;
use crate::schema::{Violation, check, conforms, draws_object};
use crate::task::{BadRead, Call};
use crate::value::{Map, Str, Value, call_text};
use std::sync::Arc;

/// A call that reached its tool, being answered.
struct Turn<'a> {
    engine: &'a Engine,
    tool: &'a Shown,
    call: &'a Call,
    arguments: &'a Map,
    /// Whether the whole answer is wanted, or no more of it than is served.
    whole: bool,
    next: Fields,
    shaping: Shaping,
    changes: Vec<Change>,
}

impl Engine {
    /// Plays one call. Pure: equal inputs give equal outcomes.
    pub fn step(&self, state: &State, call: &Call) -> Outcome {
        self.turn(state, call, true)
    }

    /// [`Engine::step`] for who wants no answer: state, rule and changes are the same, and of an accepted call's answer
    /// and its shaping only the served values have to be there, so that most answers need not be drawn.
    pub fn step_served(&self, state: &State, call: &Call) -> Outcome {
        self.turn(state, call, false)
    }

    fn turn(&self, state: &State, call: &Call, whole: bool) -> Outcome {
        let mut next = state.fields().clone();
        next.made += 1;
        let Some(arguments) = call.arguments.as_object() else {
            let message = format!("The arguments must be a JSON object. They are {}.", call.arguments.kind());
            return self.harness(next, 2, Rule::NotAnObject, message);
        };
        let Some((index, tool)) = self.index(&call.tool).and_then(|index| Some((index, self.tool(index)?))) else {
            return self.harness(next, 3, Rule::OutsideBlock, "There is no tool of that name.".to_owned());
        };
        next.calls += 1;
        next.counts = next.counts.with_one_more(index);
        let (shaping, changes) = (Shaping::default(), Vec::new());
        let turn = Turn { engine: self, tool, call, arguments, whole, next, shaping, changes };
        turn.play(state.count(index).saturating_add(1))
    }

    /// A call that the harness answers: no tool sees it, and nothing changes but the clause (rules 4.3).
    fn harness(&self, mut next: Fields, clause: u8, rule: Rule, message: String) -> Outcome {
        next.note_clause(clause);
        Outcome {
            state: State::from_fields(next),
            answer: idiom::harness(self.task.format, message),
            rule,
            shaping: Shaping::default(),
            changes: Vec::new(),
        }
    }
}

/// An accepted call's answer and what went into it.
struct Composed {
    value: Value,
    /// The value's text, when it is known already.
    text: Option<Str>,
    shaping: Shaping,
}

impl Turn<'_> {
    /// `count` is which call of its tool this is, from 1.
    fn play(mut self, count: u32) -> Outcome {
        let tool = self.tool;
        let valid = conforms(&self.call.arguments, &tool.tool.input_schema);
        if !valid {
            self.next.note_clause(4);
        }
        let k = count;
        if tool.faults >= k {
            return self.planned(Code::Unavailable, Rule::Fault { k, n: tool.faults }, tool.faults - k);
        }
        if tool.timeouts >= k {
            return self.planned(Code::Timeout, Rule::PlannedTimeout { k, n: tool.timeouts }, tool.timeouts - k);
        }
        if tool.rate_limits >= k {
            return self.planned(Code::RateLimited, Rule::RateLimit { k, n: tool.rate_limits }, tool.rate_limits - k);
        }
        if !valid {
            let violation = check(&self.call.arguments, &tool.tool.input_schema).err().unwrap_or_else(|| Violation {
                at: String::new(),
                keyword: "schema".to_owned(),
                expected: "must fit the schema".to_owned(),
            });
            return self.error(Code::InvalidArguments, Rule::Invalid(violation));
        }
        if tool.is_read { self.read() } else { self.write() }
    }

    fn planned(mut self, code: Code, rule: Rule, left: u32) -> Outcome {
        self.changes.push(Change::FaultUsed { left });
        self.error(code, rule)
    }

    fn error(self, code: Code, rule: Rule) -> Outcome {
        let answer = idiom::error(self.engine.task.format, code, &self.tool.name);
        self.end(answer, rule)
    }

    fn end(self, answer: Answer, rule: Rule) -> Outcome {
        Outcome { state: State::from_fields(self.next), answer, rule, shaping: self.shaping, changes: self.changes }
    }

    /// Ends an accepted call with its composed answer.
    fn accept(mut self, composed: Composed, rule: Rule) -> Outcome {
        self.next.defective |= composed.shaping.misplaced.is_some();
        self.shaping = composed.shaping;
        let task = &self.engine.task;
        let answer = idiom::success(task.format, self.tool.output_schema().is_some(), composed.value, composed.text);
        self.end(answer, rule)
    }

    /// The first need of a step that is not met.
    fn unmet(&self, step: usize) -> Option<usize> {
        self.engine.task.steps[step].needs.iter().copied().find(|need| !self.next.passed.get(*need))
    }

    fn not_ready(self, step: usize, need: usize) -> Outcome {
        self.error(Code::NotReady, Rule::NotReady { step, need })
    }

    /// The steps of the tool that the call matches, in order.
    fn matched(&self) -> impl Iterator<Item = usize> {
        let steps = &self.engine.task.steps;
        self.tool.steps.iter().copied().filter(|i| matches(&steps[*i], self.tool, self.arguments))
    }

    fn nearest(&self) -> Option<super::rule::Nearest> {
        let steps = self.tool.steps.iter().map(|i| (*i, &self.engine.task.steps[*i]));
        nearest(steps, self.tool, self.arguments)
    }

    fn write(mut self) -> Outcome {
        let mut done = None;
        let mut open = None;
        for step in self.matched() {
            if !self.next.passed.get(step) {
                open = Some(step);
                break;
            }
            done.get_or_insert(step);
        }
        let (kind, rule) = if let Some(step) = open {
            if let Some(need) = self.unmet(step) {
                return self.not_ready(step, need);
            }
            let landed = self.engine.task.landed_step == Some(step) && self.next.landed.is_none();
            (WriteKind::Expected(step), Rule::WriteDone { step, landed })
        } else if let Some(step) = done {
            (WriteKind::Duplicate(step), Rule::Duplicate { step })
        } else {
            (WriteKind::SideEffect, Rule::SideEffect { nearest: self.nearest() })
        };
        self.changes.push(Change::Stored { index: self.next.writes.len() });
        if let Some(step) = open {
            self.changes.push(Change::Record {
                step,
                tool: self.tool.name.clone(),
                key: self.engine.task.steps[step].matching.clone(),
                after: self.call.arguments.clone(),
            });
            self.changes.push(Change::Done { step });
        }
        self.next.store(Write {
            call: self.next.made,
            tool: self.tool.name.clone(),
            arguments: self.call.arguments.clone(),
            kind,
        });
        if matches!(rule, Rule::WriteDone { landed: true, .. }) {
            self.next.landed = Some(self.next.made);
            self.changes.push(Change::LandedUsed);
            return self.error(Code::Timeout, rule);
        }
        let composed = self.compose(None, open, true);
        self.accept(composed, rule)
    }

    fn read(mut self) -> Outcome {
        let mut step = None;
        for matched in self.matched() {
            let served = self.next.passed.get(matched);
            if step.is_none() || !served {
                step = Some(matched);
            }
            if !served {
                break;
            }
        }
        if let Some((step, need)) = step.and_then(|step| Some((step, self.unmet(step)?))) {
            return self.not_ready(step, need);
        }
        // No matching step, but steps of this tool: only a write can give it something to say.
        let needs_write = step.is_none() && !self.tool.steps.is_empty();
        let echo = self.engine.task.echo_reads;
        let reflects = self.reflecting(None);
        let behind = self.behind(reflects);
        // Whether a read is behind shows in the whole of both answers.
        self.whole |= behind.is_some();
        let answer = |turn: &Self, reflects: Option<usize>| {
            (reflects.is_some() || !needs_write).then(|| turn.compose(reflects, step, echo))
        };
        let mut composed = answer(&self, reflects);
        if let Some((behind, hidden_step)) = behind {
            let stale = answer(&self, behind);
            let text = |c: &Composed| c.text.clone().unwrap_or_else(|| call_text(&c.value).into());
            if stale.as_ref().map(text) != composed.as_ref().map(text) {
                self.next.lagged = Some(self.next.made);
                self.changes.push(Change::LaggedUsed);
                let stale_shape = self.stale(hidden_step, reflects, composed);
                composed = stale;
                match &mut composed {
                    Some(composed) => composed.shaping.stale = stale_shape,
                    None => self.shaping.stale = stale_shape,
                }
            }
        }
        let Some(composed) = composed else {
            return match self.nearest() {
                Some(nearest) => self.error(Code::NotFound, Rule::NotFound { nearest }),
                None => self.error(Code::NotFound, Rule::PlainRead),
            };
        };
        let rule = if let Some(step) = step {
            let again = self.next.passed.get(step);
            if !again {
                self.next.passed = self.next.passed.with(step);
                self.changes.push(Change::Served { step });
            }
            Rule::ReadServed { step, again }
        } else {
            match self.nearest() {
                Some(nearest) => Rule::ReadReflected { nearest },
                None => Rule::PlainRead,
            }
        };
        if composed.shaping.bad.is_some() {
            self.next.bad = Some(self.next.made);
            self.changes.push(Change::BadUsed);
        }
        self.accept(composed, rule)
    }

    /// The write that the call reflects (rules 7.2), the writes of one step left out.
    fn reflecting(&self, hidden: Option<usize>) -> Option<usize> {
        if self.next.writes.is_empty() {
            return None;
        }
        let checkable = self.tool.tool.checkable().iter();
        let wanted: Vec<_> = checkable.filter_map(|name| Some((name, self.arguments.get(name)?))).collect();
        self.next.writes.carrying(&wanted, |write| hidden.is_some_and(|step| write.kind.step() == Some(step)))
    }

    /// What the call would reflect were the writes of the lagged step not there, and that step: when a stale read is
    /// still to come and the call reflects one of those writes.
    fn behind(&self, reflects: Option<usize>) -> Option<(Option<usize>, usize)> {
        let step = self.engine.task.lagged_step.filter(|_| self.next.lagged.is_none())?;
        let write = self.next.writes.get(reflects?)?;
        (write.kind.step() == Some(step)).then(|| (self.reflecting(Some(step)), step))
    }

    fn stale(&self, step: usize, missed: Option<usize>, right: Option<Composed>) -> Option<Stale> {
        let hidden = self.next.writes.iter().enumerate().filter(|(_, w)| w.kind.step() == Some(step));
        Some(Stale { step, hidden: hidden.map(|(i, _)| i).collect(), missed: missed?, right_answer: right?.value })
    }

    /// Builds an accepted answer in the order of rules 7.7: the base draw, a reflected write's values, the call's own
    /// arguments, the served values, the bad value.
    fn compose(&self, reflects: Option<usize>, step: Option<usize>, echo: bool) -> Composed {
        let right = self.compose_right(reflects, step, echo);
        let Some(bad) = self.engine.task.bad_read.as_ref().filter(|b| Some(b.step) == step && self.next.bad.is_none())
        else {
            return right;
        };
        if !self.tool.is_read {
            return right;
        }
        let schema = self.tool.output_schema();
        let mut shaping = right.shaping.clone();
        if !self.whole && self.has_place(&bad.field) {
            shaping.bad = Some(self.told(bad, right.value));
            return Composed { value: Map::from([(&bad.field, bad.value.clone())]).into(), text: right.text, shaping };
        }
        let (mut value, drawn) = match bad.arguments.as_ref().and_then(|other| Some((other, other.as_object()?))) {
            Some((other, arguments)) => {
                let drawn = self.engine.drawn(self.tool, &call_text(other));
                let mut value = drawn.value.clone();
                place_arguments(&mut value, schema, arguments);
                shaping = Shaping::default();
                (value, drawn)
            }
            None => (right.value.clone(), self.drawn()),
        };
        shaping.served.retain(|(path, _)| *path != bad.field);
        let told = place_served(&mut value, schema, &drawn.key, &bad.field, &bad.value);
        if told.is_err() {
            shaping.misplaced = Some(bad.field.clone());
        }
        shaping.bad = Some(self.told(bad, right.value));
        Composed { value, text: None, shaping }
    }

    /// What a bad read tells, beside the right answer.
    fn told(&self, bad: &BadRead, right_answer: Value) -> BadTold {
        let serves = &self.engine.task.steps[bad.step].serves;
        let served = serves.iter().find(|(path, _)| *path == bad.field).map(|(_, value)| value.clone());
        BadTold {
            level: bad.level,
            field: bad.field.clone(),
            other: bad.arguments.clone(),
            right: served.or_else(|| right_answer.get(&bad.field).cloned()).unwrap_or_default(),
            told: bad.value.clone(),
            right_answer,
        }
    }

    fn compose_right(&self, reflects: Option<usize>, step: Option<usize>, echo: bool) -> Composed {
        let serves = step.map_or(&[][..], |step| &self.engine.task.steps[step].serves);
        if !self.whole
            && let Some(composed) = self.compose_served(reflects, serves)
        {
            return composed;
        }
        let drawn = self.drawn();
        if reflects.is_none() && !echo && serves.is_empty() {
            let text = drawn.text.get_or_init(|| call_text(&drawn.value).into()).clone();
            return Composed { value: drawn.value.clone(), text: Some(text), shaping: Shaping::default() };
        }
        let schema = self.tool.output_schema();
        let mut value = drawn.value.clone();
        let mut shaping = Shaping { reflects, ..Shaping::default() };
        if let Some(arguments) = reflects.and_then(|i| self.next.writes.get(i)?.arguments.as_object()) {
            shaping.reflected = place_arguments(&mut value, schema, arguments);
        }
        if echo {
            shaping.echoed = place_arguments(&mut value, schema, self.arguments);
        }
        for (path, served) in serves {
            match place_served(&mut value, schema, &drawn.key, path, served) {
                Ok(()) => shaping.served.push((path.clone(), served.clone())),
                Err(_) => shaping.misplaced = Some(path.clone()),
            }
        }
        Composed { value, text: None, shaping }
    }

    /// The served values alone, where it is sure without a draw that the answer has a place for each.
    fn compose_served(&self, reflects: Option<usize>, serves: &[(Str, Value)]) -> Option<Composed> {
        if !serves.iter().all(|(path, _)| self.has_place(path)) {
            return None;
        }
        let shaping = Shaping { reflects, served: serves.to_vec(), ..Shaping::default() };
        let value = Value::object(serves.iter().map(|(name, value)| (name, value.clone())).collect());
        Some(Composed { value, text: Some(Str::default()), shaping })
    }

    /// Whether it is sure without a draw that an answer has a place at a path.
    fn has_place(&self, path: &str) -> bool {
        !path.contains('.') && !path.ends_with("[]") && self.tool.tool.clean_output().is_none_or(draws_object)
    }

    fn drawn(&self) -> Arc<Drawn> {
        self.engine.drawn(self.tool, &call_text(&self.call.arguments))
    }
}
