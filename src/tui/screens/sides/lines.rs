//! Two episodes as rows beside each other: the table of calls, one call whole, the verdicts. The command line prints the
//! same rows.

use super::{banner, telling};
use crate::align::{Line, LineKind, Row as Pair, RowKind, Side as LineSide, lines, value_lines};
use crate::engine::{Ending, Made, explain};
use crate::task::Task;
use crate::theme::Scope;
use crate::tui::screens::dials::dial_plan;
use crate::tui::screens::step::outcome_words;
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::work::{Side, Sides};

/// Columns from which the sides are beside each other; below that, one under the other.
const BESIDE_FROM: usize = 60;

/// What a row of the table stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Before the first call.
    Start,
    /// The pair of calls at this index.
    Pair(usize),
    /// The verdicts.
    End,
}

impl Entry {
    /// What row `i` of the table stands for.
    pub fn of(sides: &Sides, i: usize) -> Self {
        match i {
            0 => Entry::Start,
            i if i <= sides.rows.len() => Entry::Pair(i - 1),
            _ => Entry::End,
        }
    }

    /// How many pairs lie behind when one stands there.
    pub fn behind(self, sides: &Sides) -> usize {
        match self {
            Entry::Start => 0,
            Entry::Pair(i) => i + 1,
            Entry::End => sides.rows.len(),
        }
    }
}

/// Two rows beside each other, a rule between them and, where they differ, a sign before it.
fn beside(a: &Row, b: &Row, (scope, sign): (Scope, char), width: usize) -> Row {
    let half = width.saturating_sub(3) / 2;
    let rule = a.fit(half).put(scope, sign.to_string()).put(Scope::Border, "│ ");
    rule.join(&b.fit(width.saturating_sub(half + 3)))
}

/// No sign: nothing differs.
const RULE: (Scope, char) = (Scope::Border, ' ');

/// Lists of rows beside each other, or one under the other where there is no room.
fn both(a: &[Row], b: &[Row], between: &dyn Fn(usize) -> (Scope, char), width: usize) -> Vec<Row> {
    if width < BESIDE_FROM {
        let named = |name: &str, rows: &[Row]| -> Vec<Row> {
            let named = |(i, row): (usize, &Row)| {
                Row::of(Scope::Accent, if i == 0 { name } else { " " }).plain(" ").join(row).hanging(4)
            };
            rows.iter().enumerate().map(named).flat_map(|row| row.wrap(width)).collect()
        };
        let mut rows = named("A", a);
        rows.extend(named("B", b));
        return rows;
    }
    let half = width.saturating_sub(3) / 2;
    let none = Row::new();
    let mut rows = Vec::new();
    for i in 0..a.len().max(b.len()) {
        let cell = |rows: &[Row], room: usize| rows.get(i).map_or_else(Vec::new, |row| row.wrap(room));
        let (left, right) = (cell(a, half), cell(b, width - half - 3));
        for line in 0..left.len().max(right.len()).max(1) {
            let sign = if line == 0 { between(i) } else { RULE };
            rows.push(beside(left.get(line).unwrap_or(&none), right.get(line).unwrap_or(&none), sign, width));
        }
    }
    rows
}

/// A row with nothing on either side.
fn blank(width: usize) -> Row {
    if width < BESIDE_FROM { Row::new() } else { beside(&Row::new(), &Row::new(), RULE, width) }
}

/// The sign between the sides of a pair of calls.
fn between(kind: RowKind) -> (Scope, char) {
    match kind {
        RowKind::Same => RULE,
        RowKind::OnlyA { .. } => (Scope::DiffRemoved, '-'),
        RowKind::OnlyB { .. } => (Scope::DiffAdded, '+'),
        RowKind::Answer | RowKind::Arguments | RowKind::MovedA(_) | RowKind::MovedB(_) => (Scope::DiffChanged, '~'),
    }
}

/// The calls beside each other, a pair a row, between the start and the verdicts.
#[derive(Debug)]
pub struct Table<'a> {
    /// The two sides.
    pub sides: &'a Sides,
    /// Columns there are.
    pub width: usize,
    /// The current row: what follows is still to come.
    pub at: usize,
    /// Which side the keys change.
    pub marked: usize,
}

impl Rows for Table<'_> {
    fn len(&self) -> usize {
        self.sides.rows.len() + 2
    }

    fn row(&self, i: usize) -> Row {
        let row = match Entry::of(self.sides, i) {
            Entry::Start => self.start(),
            Entry::Pair(at) => self.pair(at),
            Entry::End => self.end(),
        };
        if i > self.at { row.all(Scope::Future) } else { row }
    }
}

impl Table<'_> {
    fn number(&self, text: &str) -> String {
        let widest = self.sides.rows.len().to_string().len();
        format!("{text:>widest$} ")
    }

    fn wide(&self) -> bool {
        self.width >= BESIDE_FROM
    }

    fn line(&self, number: &str, a: &Row, b: &Row, sign: (Scope, char)) -> Row {
        let number = Row::of(Scope::Dim, self.number(number));
        if self.wide() {
            return beside(&number.join(a), b, sign, self.width);
        }
        number.put(sign.0, format!("{} ", sign.1)).join(a).dim(" | ").join(b)
    }

    fn start(&self) -> Row {
        let cell = |i: usize, name: &str, side: &Side| {
            let (scope, mark) = if self.marked == i { (Scope::TabOn, "*") } else { (Scope::Strong, " ") };
            let row =
                Row::of(Scope::Accent, name).plain(" ").put(scope, side.arm().to_string()).put(Scope::Accent, mark);
            match dial_plan(side.episode.task()).first() {
                Some(plan) if self.wide() => row.plain(" ").join(plan),
                _ => row,
            }
        };
        self.line("", &cell(0, "A", &self.sides.a), &cell(1, "B", &self.sides.b), RULE)
    }

    fn pair(&self, at: usize) -> Row {
        let Some(pair) = self.sides.rows.get(at) else { return Row::new() };
        let [told_a, told_b] = telling::cells(self.sides, pair);
        let number = (at + 1).to_string();
        if self.wide() {
            let a = cell(&self.sides.a, pair, pair.a, told_a);
            let b = cell(&self.sides.b, pair, pair.b, told_b);
            return self.line(&number, &a, &b, between(pair.kind));
        }
        let outcome = |side: &Side, i: Option<usize>| match made(side, i) {
            Some(made) => outcome(made, pair),
            None => Row::of(Scope::Dim, "none"),
        };
        let tool = pair.a.map_or_else(
            || pair.b.map_or("", |j| &*self.sides.b.played[j].call.tool),
            |i| &*self.sides.a.played[i].call.tool,
        );
        let (a, b) = (outcome(&self.sides.a, pair.a), outcome(&self.sides.b, pair.b));
        let short = crate::text::cut(tool, (self.width / 3).max(6));
        self.line(&number, &Row::new().plain(&*short).plain(" ").join(&a), &b, between(pair.kind))
    }

    fn end(&self) -> Row {
        let cell = |side: &Side| {
            let (scope, sign, word) = verdict_word(side, side.episode.calls().len(), side.episode.ending());
            Row::of(scope, format!("{sign} {word}"))
        };
        let (a, b) = (cell(&self.sides.a), cell(&self.sides.b));
        let sign = if a == b { RULE } else { (Scope::DiffChanged, '~') };
        self.line("", &a, &b, sign)
    }
}

/// The sign of what became of a call. Where the pair has the same sign already, once is enough.
fn own_sign(made: &Made, pair: &Pair) -> char {
    let (_, sign, _) = outcome_words(made);
    if sign == between(pair.kind).1 { ' ' } else { sign }
}

/// What became of a call, in a word.
fn outcome(made: &Made, pair: &Pair) -> Row {
    let (scope, _, word) = outcome_words(made);
    match own_sign(made, pair) {
        ' ' => Row::of(scope, word),
        sign => Row::of(scope, format!("{sign} {word}")),
    }
}

/// The verdict after `n` calls in a word, with its style and sign.
pub fn verdict_word(side: &Side, n: usize, ending: Ending) -> (Scope, char, String) {
    let verdict = side.episode.engine().verdict(&side.state_at(n), ending);
    match ending {
        Ending::Open => (Scope::VerdictOpen, '.', "open".to_owned()),
        _ if verdict.strict => (Scope::VerdictPassed, '+', verdict.label.to_owned()),
        _ => (Scope::VerdictFailed, '!', verdict.label.to_owned()),
    }
}

/// The call of a side at an index.
pub(super) fn made(side: &Side, i: Option<usize>) -> Option<&Made> {
    side.episode.calls().get(i?).map(|made| &**made)
}

/// What is selected in the table, whole.
pub fn detail(sides: &Sides, entry: Entry, (width, height): (usize, usize)) -> Vec<Row> {
    match entry {
        Entry::Start => start(sides, width),
        Entry::Pair(i) => sides.rows.get(i).map_or_else(Vec::new, |pair| whole(sides, pair, (width, height))),
        Entry::End => end(sides, (width, height)),
    }
}

/// The names as the heads of the columns.
fn heads(sides: &Sides, width: usize) -> Vec<Row> {
    let head = |side: &Side| vec![Row::of(Scope::Strong, side.arm().to_string())];
    both(&head(&sides.a), &head(&sides.b), &|_| RULE, width)
}

fn start(sides: &Sides, width: usize) -> Vec<Row> {
    let tasks = [sides.a.episode.task(), sides.b.episode.task()];
    let mut rows = heads(sides, width);
    let plans = tasks.map(|task| dial_plan(task.as_ref()));
    rows.extend(both(&plans[0], &plans[1], &|_| RULE, width));
    rows.push(Row::new());
    let asked = |task: &Task| vec![Row::of(Scope::Text, &*task.request)];
    if tasks[0].request == tasks[1].request {
        rows.extend(Row::new().dim("request  ").plain(&*tasks[0].request).wrap(width));
    } else {
        rows.extend(both(&asked(tasks[0]), &asked(tasks[1]), &|_| (Scope::DiffChanged, '~'), width));
    }
    rows.push(Row::new());
    rows.extend(Row::of(Scope::Strong, sides.words()).wrap(width));
    rows
}

fn whole(sides: &Sides, pair: &Pair, (width, height): (usize, usize)) -> Vec<Row> {
    let (a, b) = (made(&sides.a, pair.a), made(&sides.b, pair.b));
    let mut rows = Vec::new();
    let head = |made: Option<&Made>| match made {
        Some(made) => vec![Row::of(Scope::Strong, &*made.call.tool)],
        None => vec![Row::of(Scope::Dim, "no call here")],
    };
    rows.extend(both(&head(a), &head(b), &|_| between(pair.kind), width));
    let heads = rows.len();
    let arguments = |made: Option<&Made>| made.map_or_else(Vec::new, |made| value_lines(&made.call.arguments));
    values(&arguments(a), &arguments(b), pair, width, &mut rows);
    rows.push(blank(width));
    let outcome = |made: Option<&Made>| made.map_or_else(Vec::new, |made| vec![outcome(made, pair)]);
    rows.extend(both(&outcome(a), &outcome(b), &|_| between(pair.kind), width));
    let answer = |made: Option<&Made>| made.map_or_else(Vec::new, |made| value_lines(&made.outcome.answer.value));
    values(&answer(a), &answer(b), pair, width, &mut rows);
    rows.push(blank(width));
    let why = |side: &Side, i: Option<usize>| match (i, made(side, i)) {
        (Some(i), Some(made)) => {
            let mut rows = vec![Row::of(Scope::Text, explain::sentence(side.episode.task(), made))];
            rows.extend(side.reasons.get(i).map(|reason| Row::new().dim("made because: ").plain(reason)));
            rows
        }
        _ => Vec::new(),
    };
    rows.extend(both(&why(&sides.a, pair.a), &why(&sides.b, pair.b), &|_| RULE, width));
    if width >= BESIDE_FROM {
        // Letters that are read from across a room, where all the rest is seen too.
        let (half, room) = (width.saturating_sub(3) / 2, height.saturating_sub(rows.len()));
        let [large_a, large_b] = telling::large(sides, pair, half, room);
        rows.splice(heads..heads, both(&large_a, &large_b, &|_| RULE, width));
    }
    rows
}

/// Two values line by line. When only one side made the call there is nothing to compare.
fn values(a: &[String], b: &[String], pair: &Pair, width: usize, rows: &mut Vec<Row>) {
    let alone = pair.a.is_none() || pair.b.is_none();
    let found = lines(a, b);
    if width < BESIDE_FROM {
        stacked(&found, alone, width, rows);
        return;
    }
    let none = Row::new();
    let half = width.saturating_sub(3) / 2;
    for line in &found {
        let sign = match line.kind {
            LineKind::Same => RULE,
            _ if alone => RULE,
            LineKind::Changed => (Scope::DiffChanged, '~'),
            LineKind::OnlyA => (Scope::DiffRemoved, '-'),
            LineKind::OnlyB => (Scope::DiffAdded, '+'),
        };
        let cell = |side: Option<&LineSide>, room| side.map_or_else(Vec::new, |s| text(s, line.kind, alone).wrap(room));
        let (left, right) = (cell(line.a.as_ref(), half), cell(line.b.as_ref(), width - half - 3));
        for i in 0..left.len().max(right.len()) {
            let sign = if i == 0 { sign } else { RULE };
            rows.push(beside(left.get(i).unwrap_or(&none), right.get(i).unwrap_or(&none), sign, width));
        }
    }
}

/// One under the other: what is the same once, what differs with a sign.
fn stacked(found: &[Line], alone: bool, width: usize, rows: &mut Vec<Row>) {
    let mut put = |name: &str, sign: char, scope: Scope, row: Row| {
        let row = Row::of(Scope::Accent, name).plain(" ").put(scope, format!("{sign} ")).join(&row).hanging(6);
        rows.extend(row.wrap(width));
    };
    for line in found {
        let (a, b) = (line.a.as_ref(), line.b.as_ref());
        let shown = |side: &LineSide| text(side, line.kind, alone);
        match line.kind {
            LineKind::Same => {
                if let Some(side) = a {
                    put(" ", ' ', Scope::Text, shown(side));
                }
            }
            _ => {
                let (minus, plus) = if alone { (' ', ' ') } else { ('-', '+') };
                if let Some(side) = a {
                    put("A", minus, Scope::DiffRemoved, shown(side));
                }
                if let Some(side) = b {
                    put("B", plus, Scope::DiffAdded, shown(side));
                }
            }
        }
    }
}

/// One line, with what the other side says otherwise standing out.
fn text(side: &LineSide, kind: LineKind, alone: bool) -> Row {
    let (start, end) = (side.changed.start, side.changed.end);
    if kind == LineKind::Same || alone || start == end {
        return Row::of(Scope::Text, format!("  {}", side.text)).hanging(6);
    }
    let row = Row::of(Scope::Text, format!("  {}", &side.text[..start]));
    row.put(Scope::DiffChanged, &side.text[start..end]).plain(&side.text[end..]).hanging(6)
}

fn end(sides: &Sides, (width, height): (usize, usize)) -> Vec<Row> {
    let half = width.saturating_sub(3) / 2;
    let mut rows = Vec::new();
    let all = [&sides.a, &sides.b];
    if width >= BESIDE_FROM {
        rows.extend(heads(sides, width));
        let letters = all.map(|side| banner::rows(&side.episode, half, height));
        rows.extend(both(&letters[0], &letters[1], &|_| RULE, width));
    }
    let verdicts = all.map(verdict);
    rows.extend(both(&verdicts[0], &verdicts[1], &|_| RULE, width));
    rows.push(Row::new());
    rows.extend(Row::of(Scope::Strong, sides.words()).wrap(width));
    let reasons =
        all.map(|side| side.ended_because.as_ref().map_or_else(Vec::new, |why| vec![Row::of(Scope::Dim, why)]));
    rows.extend(both(&reasons[0], &reasons[1], &|_| RULE, width));
    rows
}

fn verdict(side: &Side) -> Vec<Row> {
    let (task, ending) = (side.episode.task(), side.episode.ending());
    let (state, verdict) = (side.episode.state(), side.episode.verdict());
    let (scope, sign, _) = verdict_word(side, side.episode.calls().len(), ending);
    let mut rows =
        vec![Row::of(scope, format!("{sign} {}", explain::verdict(task, &state, &verdict, ending))).hanging(2)];
    if ending == Ending::Open {
        let reply = side.episode.engine().verdict(&state, Ending::Reply);
        rows.push(Row::new().dim("replying now: ").plain(reply.label));
    }
    for write in state.writes().iter().take(MOST_WRITES) {
        let (scope, sign, word) = crate::tui::screens::step::write_words(write);
        let row = Row::of(scope, format!("{sign} ")).plain(&*write.tool).plain(" ");
        rows.push(words::arguments(row, &write.arguments).dim(format!("  {word}")).hanging(4));
    }
    if state.writes().len() > MOST_WRITES {
        rows.push(Row::of(Scope::Dim, format!("{} writes in all", state.writes().len())));
    }
    rows
}

/// Most writes listed.
const MOST_WRITES: usize = 50;

/// One side of a pair: how its call went.
fn cell(side: &Side, pair: &Pair, i: Option<usize>, told: Option<Row>) -> Row {
    let Some(made) = made(side, i) else { return Row::new() };
    let (scope, _, word) = outcome_words(made);
    let sign = own_sign(made, pair);
    let row = Row::of(scope, format!("{sign} ")).put(Scope::Strong, &*made.call.tool).plain("  ").put(scope, word);
    told.map_or(row.clone(), |told| row.plain("  ").join(&told))
}
