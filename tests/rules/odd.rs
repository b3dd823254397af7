//! Odd but legal tool files, made from a seed: whatever is planned on them holds, whatever is not says why.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up is a failed test")]
use crate::plan::holds;
use rehearsal::plan::{Flow, PlanError, PlanSettings, Planner};
use rehearsal::task::Dial;
use rehearsal::toolfile::{self, ReadOptions};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// A small generator of its own (xorshift), so that a failing file can be made again from its number.
pub struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
    fn of<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }
    fn chance(&mut self, one_in: usize) -> bool {
        self.roll(one_in) == 0
    }
}

/// Names of tools: words that a request would like to use are among them.
const TOOLS: [&str; 16] = [
    "read", "Make", "the", "answer", "part", "tool", "call", "job", "look-ups", "change", "get_it", "put-it", "Find",
    "order", "again", "this",
];

/// Names of arguments and fields: those that the rules treat apart, that look like paths, that are no identifiers.
const NAMES: [&str; 17] = [
    "id",
    "ok",
    "a",
    "b",
    "c",
    "when",
    "a.b",
    "x[]",
    "[]",
    "",
    "with space",
    "naïve",
    "quo\"te",
    "type",
    "properties",
    "$ref2",
    "😀",
];

fn schema(dice: &mut Dice, deep: usize) -> Json {
    let mut schema = match dice.roll(if deep > 0 { 27 } else { 22 }) {
        0 => json!(true),
        1 => json!({}),
        2 => json!({"type": "string"}),
        3 => json!({"type": "string", "minLength": dice.roll(8), "maxLength": dice.roll(12)}),
        4 => json!({"type": "string", "format": dice.of(&["date", "date-time", "uuid", "email", "uri", "x"])}),
        5 => json!({"type": "string", "enum": dice.of(&[json!(["one"]), json!(["abcd", "ab", "abcde"]), json!([])])}),
        6 => {
            json!({"enum": dice.of(&[json!([1, "a", null, true]), json!([null]), json!([1.0, 1]), json!([{"a": 1}, []])])})
        }
        7 => json!({"const": dice.of(&[json!(7), json!(null), json!("fixed"), json!({"k": [1]}), json!(0.5)])}),
        8 => json!({"type": "integer"}),
        9 => json!({"type": "integer", "minimum": dice.roll(20), "maximum": dice.roll(20)}),
        10 => json!({"type": "integer", "minimum": 9_007_199_254_740_993_i64}),
        11 => json!({"type": "number", "exclusiveMinimum": 0, "maximum": dice.of(&[0.004, 1.0, 1e300])}),
        12 => json!({"type": "number", "minimum": 3, "exclusiveMaximum": true, "maximum": 3}),
        13 => json!({"type": "boolean"}),
        14 => json!({"type": ["string", "null"]}),
        15 => json!({"type": ["integer", "null"], "minimum": 1, "maximum": 1}),
        16 => json!({"type": "null"}),
        17 => json!({"type": "string", "pattern": dice.of(&["^[a-z]{5}$", "^never-drawn$", "[", "^.{1,3}$"])}),
        18 => json!({"type": "string", "nullable": true, "minLength": 1}),
        19 => json!({"type": "odd"}),
        20 => json!({"minLength": 3}),
        21 => json!({"type": []}),
        22 => json!({"type": "array", "items": schema(dice, deep - 1), "maxItems": 3}),
        23 => json!({"type": "array", "prefixItems": [schema(dice, deep - 1)], "items": false}),
        24 => json!({"items": {"type": "integer"}, "minItems": 1, "maxItems": 2}),
        25 => object(dice, deep - 1, 3),
        _ => json!({"properties": {"a": schema(dice, deep - 1)}, "required": ["a", "unlisted"]}),
    };
    if let (Some(map), true) = (schema.as_object_mut(), dice.chance(4)) {
        map.insert("description".into(), json!("Said here."));
    }
    schema
}

fn object(dice: &mut Dice, deep: usize, most: usize) -> Json {
    let mut properties = Map::new();
    for _ in 0..dice.roll(most + 1) {
        properties.insert(dice.of(&NAMES).into(), schema(dice, deep));
    }
    let mut required: Vec<String> = properties.keys().filter(|&_| dice.chance(2)).cloned().collect();
    if dice.chance(12) {
        required.push(required.first().cloned().unwrap_or_else(|| "unlisted".into()));
    }
    let mut object = json!({"type": "object", "properties": properties, "required": required});
    if dice.chance(5) {
        object["additionalProperties"] = json!(false);
    }
    object
}

/// What a tool answers: objects mostly, whatever else now and then.
fn output(dice: &mut Dice) -> Option<Json> {
    match dice.roll(10) {
        0..=3 => None,
        4 => Some(json!({"anyOf": [object(dice, 1, 3), {"type": "string"}]})),
        5 => Some(schema(dice, 2)),
        _ => Some(object(dice, 2, 5)),
    }
}

const DESCRIPTIONS: [&str; 6] =
    ["", "Does a thing! More.", "the tool to read the answer", "é ünï.", "  \n ", "A\tB. C"];

/// A file of some format, with the flows to try on it.
fn file(dice: &mut Dice) -> (String, Vec<Flow>) {
    let count = 2 + dice.roll(9);
    let names: Vec<&str> = TOOLS.iter().copied().filter(|_| !dice.chance(3)).take(count).collect();
    let description = |dice: &mut Dice| match dice.roll(3) {
        0 => format!("Use {} with {} or call it.", dice.of(&TOOLS), dice.of(&TOOLS)),
        _ => dice.of(&DESCRIPTIONS).to_owned(),
    };
    let format = dice.roll(3);
    let tools: Vec<Json> = names
        .iter()
        .map(|name| {
            let (says, input, output) = (description(dice), object(dice, 2, 7), output(dice));
            match format {
                0 => json!({"type": "function", "name": name, "description": says, "parameters": input}),
                _ => {
                    let mut tool = json!({"name": name, "description": says, "inputSchema": input,
                        "annotations": {"readOnlyHint": dice.chance(2)}});
                    if let Some(output) = output {
                        tool["outputSchema"] = output;
                    }
                    tool
                }
            }
        })
        .collect();
    let flows = (0..dice.roll(6)).map(|_| {
        let (from, to) = (dice.of(&names), dice.of(&names));
        let field = if dice.chance(2) { "id" } else { dice.of(&NAMES) };
        Flow { from: from.into(), field: field.into(), to: to.into(), param: dice.of(&NAMES).into() }
    });
    let flows = flows.collect();
    let document = match format {
        0 => json!(tools),
        1 => json!({"tools": tools}),
        _ => {
            let mut paths = Map::new();
            for tool in tools {
                let reads = tool["annotations"]["readOnlyHint"] == json!(true);
                let mut operation =
                    json!({"operationId": tool["name"], "summary": tool["description"], "responses": {}});
                let input = tool["inputSchema"].clone();
                if reads {
                    let properties = input["properties"].as_object().unwrap().clone();
                    let required = input["required"].clone();
                    let parameters = properties.into_iter().map(|(name, schema)| {
                        let must = required.as_array().unwrap().contains(&json!(name));
                        json!({"name": name, "in": "query", "required": must, "schema": schema})
                    });
                    operation["parameters"] = parameters.collect();
                } else {
                    operation["requestBody"] = json!({"content": {"application/json": {"schema": input}}});
                }
                if let Some(output) = tool.get("outputSchema") {
                    operation["responses"] =
                        json!({"200": {"description": "", "content": {"application/json": {"schema": output}}}});
                }
                let verb = if reads { "get" } else { "post" };
                paths.insert(format!("/{}", tool["name"].as_str().unwrap()), json!({verb: operation}));
            }
            json!({"openapi": "3.1.0", "info": {"title": "odd", "version": "1"}, "paths": paths})
        }
    };
    (document.to_string(), flows)
}

/// An odd file and what is declared about it.
pub struct Odd {
    pub text: String,
    pub options: ReadOptions,
    pub flows: Vec<Flow>,
}

impl Odd {
    /// The file, read.
    pub fn reading(&self) -> Arc<toolfile::Reading> {
        Arc::new(toolfile::read(self.text.as_bytes(), &self.options))
    }

    /// The file made ready to be planned on, with those of its flows that are legal.
    pub fn planner(&self) -> Result<Planner, PlanError> {
        let reading = self.reading();
        let legal = |flow: &&Flow| {
            let settings = PlanSettings { flows: vec![(*flow).clone()], ..PlanSettings::default() };
            Planner::new(reading.clone(), settings).is_ok()
        };
        let flows = self.flows.iter().filter(legal).cloned().collect();
        Planner::new(reading.clone(), PlanSettings { flows, ..PlanSettings::default() })
    }
}

/// The odd file of a number.
pub fn odd(number: u64) -> Odd {
    let mut dice = Dice(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (text, flows) = file(&mut dice);
    let declared = TOOLS.iter().filter(|_| dice.chance(3)).map(ToString::to_string);
    let mut options = ReadOptions { name: "odd ones".into(), ..ReadOptions::default() };
    if text.starts_with('[') {
        let there = |name: &String| text.contains(&format!("\"name\":{}", json!(name)));
        options.read = declared.filter(there).collect();
    }
    Odd { text, options, flows }
}

/// How many files are tried; `ODD_FILES` asks for more.
fn files() -> u64 {
    std::env::var("ODD_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(120)
}

#[test]
fn whatever_is_planned_on_odd_files_holds() {
    let (mut planned, mut refused, mut reached) = (0, 0, [0; 13]);
    for number in 1..=files() {
        let odd = odd(number);
        let planner = match odd.planner() {
            Ok(planner) => planner,
            Err(error) => {
                assert!(odd.reading().error.is_some(), "file {number}: {error}");
                continue;
            }
        };
        for dial in Dial::ALL {
            let levels = match planner.levels(dial) {
                Ok(levels) => levels,
                Err(why) => {
                    assert!(!why.is_empty() && !why.contains('\n'), "{why}");
                    continue;
                }
            };
            assert!(!levels.is_empty() && levels.is_sorted());
            reached[dial as usize] += 1;
            for level in levels {
                for seed in [0, 404, u64::MAX] {
                    match planner.plan(dial.at(level), seed) {
                        Ok(task) => {
                            holds(&planner, task);
                            planned += 1;
                        }
                        Err(error) => {
                            let line = error.to_string();
                            assert!(line.contains(dial.word()) && line.contains(&seed.to_string()), "{line}");
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{planned} tasks planned, {refused} refused, dials reached {reached:?}");
    assert!(planned > 20 * files() && refused < planned / 4, "{planned} planned, {refused} refused");
    assert!(reached.iter().all(|&n| n > 0), "{reached:?}");
}
