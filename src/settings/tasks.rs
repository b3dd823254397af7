//! The `tasks.toml` that travels with a tool file: its `[own]`, `[measure]` and `[tasks]` tables (rules 1.12).
use super::{SettingsError, line_column, read_text, seeds};
use crate::plan::Flow;
use crate::task::Dial;
use crate::text::nearest;
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item, TableLike, Value};

/// The name of the file that is looked for beside a tool file.
const NAME: &str = "tasks.toml";

/// A `tasks.toml` that names the tool file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TasksFile {
    /// Where it is.
    pub path: PathBuf,
    /// The `[own]` table.
    pub own: Own,
    /// The `[measure]` table, when it names a dial.
    pub measure: Option<Measure>,
    /// `seeds` of the `[tasks]` table.
    pub seeds: Option<Vec<u64>>,
    /// One line for each key that is skipped.
    pub warnings: Vec<String>,
}

/// The `[own]` table but for its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Own {
    /// The format word.
    pub format: Option<String>,
    /// The set's name.
    pub name: Option<String>,
    /// Tools declared to read.
    pub read: Vec<String>,
    /// Tools declared to write.
    pub write: Vec<String>,
    /// Tool and the wording of its intent.
    pub intents: Vec<(String, String)>,
    /// Flows.
    pub flows: Vec<Flow>,
}

/// The `[measure]` table: which dial, and which of its levels (all it reaches when none are given).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// The dial.
    pub dial: Dial,
    /// The levels.
    pub levels: Option<Vec<u32>>,
}

/// What was found beside a tool file, or where `--config` points.
#[derive(Debug, Clone, PartialEq)]
pub enum Config {
    /// No file.
    Absent,
    /// A file that names another tool file, or none: it is not used.
    Other {
        /// The file.
        path: PathBuf,
        /// The tool file it names.
        names: Option<String>,
    },
    /// A file that names this one.
    Used(Box<TasksFile>),
}

/// Looks for the settings of `tool_file` (`None` for standard input): at `config` when given, which must exist, else in
/// `tasks.toml` beside it.
pub fn find_config(tool_file: Option<&Path>, config: Option<&Path>) -> Result<Config, SettingsError> {
    let path = match (config, tool_file) {
        (Some(config), _) => config.to_owned(),
        (None, Some(file)) => file.parent().unwrap_or(Path::new("")).join(NAME),
        (None, None) => return Ok(Config::Absent),
    };
    let Some(text) = read_text(&path)? else {
        return match config {
            Some(_) => Err(SettingsError::new(&path, None, "no such file")),
            None => Ok(Config::Absent),
        };
    };
    read_config(path, &text, tool_file)
}

/// Reads the text of the settings file at `path`, for `tool_file`.
pub(super) fn read_config(path: PathBuf, text: &str, tool_file: Option<&Path>) -> Result<Config, SettingsError> {
    let document = Document::parse(text).map_err(|error| {
        SettingsError::new(&path, error.span().map(|s| line_column(text, s.start)), error.message())
    })?;
    let named = document.get("own").and_then(|own| own.get("file")).and_then(Item::as_str);
    match (named, tool_file) {
        (Some(named), Some(file)) if same_file(&beside(&path, named), file) => {
            let mut reader = Reader { path: &path, text, warnings: Vec::new() };
            reader.file(document.as_table()).map(|file| Config::Used(Box::new(file)))
        }
        _ => Ok(Config::Other { path, names: named.map(str::to_owned) }),
    }
}

/// A path written in a file, from that file's folder.
pub(super) fn beside(path: &Path, named: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(named)
}

/// Whether two paths lead to one file.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// Reads the tables, with places for errors.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    warnings: Vec<String>,
}

type Read<T> = Result<T, SettingsError>;

impl Reader<'_> {
    fn file(&mut self, root: &dyn TableLike) -> Read<TasksFile> {
        self.ignore(root, "", &["own", "measure", "tasks"]);
        let mut file = TasksFile { path: self.path.to_owned(), ..TasksFile::default() };
        if let Some(table) = self.table(root, "own", "own")? {
            file.own = self.own(table)?;
        }
        if let Some(table) = self.table(root, "measure", "measure")? {
            file.measure = self.measure(table)?;
        }
        if let Some(table) = self.table(root, "tasks", "tasks")? {
            self.ignore(table, "tasks.", &["seeds"]);
            let what = "tasks.seeds must be a list of whole numbers from 0, such as [404, 405]";
            file.seeds = self.numbers(table.get("seeds"), what)?.map(seeds::once);
        }
        file.warnings = std::mem::take(&mut self.warnings);
        Ok(file)
    }

    fn own(&mut self, table: &dyn TableLike) -> Read<Own> {
        self.ignore(table, "own.", &["file", "format", "name", "read", "write", "intents", "flow"]);
        Ok(Own {
            format: self.text(table.get("format"), "own.format must be text")?,
            name: self.text(table.get("name"), "own.name must be text")?,
            read: self.texts(table.get("read"), "own.read must be a list of tool names")?,
            write: self.texts(table.get("write"), "own.write must be a list of tool names")?,
            intents: self.intents(table)?,
            flows: self.flows(table.get("flow"))?,
        })
    }

    fn intents(&mut self, own: &dyn TableLike) -> Read<Vec<(String, String)>> {
        let Some(table) = self.table(own, "intents", "own.intents")? else { return Ok(Vec::new()) };
        let mut intents = Vec::new();
        for (tool, item) in table.iter() {
            match item.as_str() {
                Some(text) if !text.trim().is_empty() => intents.push((tool.to_owned(), text.to_owned())),
                _ => return Err(self.wrong(item, &format!("the intent of {tool} must be text that is not empty"))),
            }
        }
        Ok(intents)
    }

    fn flows(&self, item: Option<&Item>) -> Read<Vec<Flow>> {
        const WHAT: &str = "own.flow must be tables ([[own.flow]]) with from, field, to and param";
        let tables: Vec<(&dyn TableLike, Option<usize>)> = match item {
            None => return Ok(Vec::new()),
            Some(Item::ArrayOfTables(tables)) => {
                tables.iter().map(|t| (t as &dyn TableLike, t.span().map(|s| s.start))).collect()
            }
            Some(Item::Value(Value::Array(list))) => {
                let flow = |value: &'_ Value| value.as_inline_table().map(|t| t.span().map(|s| s.start));
                if list.iter().any(|value| flow(value).is_none()) {
                    return Err(self.wrong_at(list.span().map(|s| s.start), WHAT));
                }
                list.iter()
                    .filter_map(|v| v.as_inline_table())
                    .map(|t| (t as &dyn TableLike, t.span().map(|s| s.start)))
                    .collect()
            }
            Some(other) => return Err(self.wrong(other, WHAT)),
        };
        tables.into_iter().map(|(table, start)| self.flow(table, start)).collect()
    }

    fn flow(&self, table: &dyn TableLike, start: Option<usize>) -> Read<Flow> {
        const KEYS: [&str; 4] = ["from", "field", "to", "param"];
        for (key, item) in table.iter() {
            if !KEYS.contains(&key) {
                let hint = nearest(key, KEYS).map_or_else(String::new, |near| format!(": did you mean {near}?"));
                let message = format!("a flow has exactly the keys from, field, to and param, not {key}{hint}");
                return Err(self.wrong_at(start_of(table, key, item).or(start), &message));
            }
        }
        let text = |key: &str| match table.get(key) {
            None => Err(self.wrong_at(start, &format!("this flow has no {key}"))),
            Some(item) => match item.as_str() {
                Some(text) if !text.is_empty() => Ok(text.to_owned()),
                _ => Err(self.wrong(item, &format!("{key} of a flow must be text that is not empty"))),
            },
        };
        Ok(Flow { from: text("from")?, field: text("field")?, to: text("to")?, param: text("param")? })
    }

    fn measure(&mut self, table: &dyn TableLike) -> Read<Option<Measure>> {
        self.ignore(table, "measure.", &["dial", "levels"]);
        let levels =
            self.numbers(table.get("levels"), "measure.levels must be a list of whole numbers, such as [0, 2]")?;
        let levels = levels.map(|list| {
            let narrow = |n: u64| u32::try_from(n).map_err(|_| n);
            list.into_iter().map(narrow).collect::<Result<Vec<u32>, u64>>()
        });
        let levels = match levels.transpose() {
            Ok(levels) => levels,
            Err(n) => return Err(self.wrong_item(table.get("levels"), &format!("no dial has a level {n}"))),
        };
        let Some(item) = table.get("dial") else { return Ok(None) };
        let Some(word) = item.as_str() else { return Err(self.wrong(item, "measure.dial must be the name of a dial")) };
        match Dial::parse(word) {
            Some(dial) => Ok(Some(Measure { dial, levels })),
            None => {
                let words = Dial::ALL.map(Dial::word);
                let hint = nearest(word, words).map_or_else(
                    || format!("the dials are {}", words.join(", ")),
                    |near| format!("did you mean {near}?"),
                );
                Err(self.wrong(item, &format!("unknown dial {word}: {hint}")))
            }
        }
    }

    /// Names each unknown key.
    fn ignore(&mut self, table: &dyn TableLike, prefix: &str, known: &[&str]) {
        for (key, item) in table.iter().filter(|(key, _)| !known.contains(key)) {
            let line = start_of(table, key, item).map(|start| format!(":{}", line_column(self.text, start).0));
            let hint = nearest(key, known.iter().copied()).map(|near| format!("; did you mean {prefix}{near}?"));
            self.warnings.push(format!(
                "{}{}: unknown key {prefix}{key}, ignored{}",
                self.path.display(),
                line.unwrap_or_default(),
                hint.unwrap_or_default()
            ));
        }
    }

    fn table<'t>(&self, parent: &'t dyn TableLike, key: &str, full: &str) -> Read<Option<&'t dyn TableLike>> {
        match parent.get(key) {
            None => Ok(None),
            Some(item) => match item.as_table_like() {
                Some(table) => Ok(Some(table)),
                None => Err(self.wrong(item, &format!("{full} must be a table ([{full}])"))),
            },
        }
    }

    fn text(&self, item: Option<&Item>, what: &str) -> Read<Option<String>> {
        match item {
            None => Ok(None),
            Some(item) => item.as_str().map(|text| Some(text.to_owned())).ok_or_else(|| self.wrong(item, what)),
        }
    }

    fn texts(&self, item: Option<&Item>, what: &str) -> Read<Vec<String>> {
        let Some(item) = item else { return Ok(Vec::new()) };
        let Some(list) = item.as_array() else { return Err(self.wrong(item, what)) };
        let text = |value: &Value| match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong_at(value.span().map(|s| s.start), what)),
        };
        list.iter().map(text).collect()
    }

    fn numbers(&self, item: Option<&Item>, what: &str) -> Read<Option<Vec<u64>>> {
        let Some(item) = item else { return Ok(None) };
        let Some(list) = item.as_array() else { return Err(self.wrong(item, what)) };
        let number = |value: &Value| {
            let n = value.as_integer().and_then(|n| u64::try_from(n).ok());
            n.ok_or_else(|| self.wrong_at(value.span().map(|s| s.start), what))
        };
        list.iter().map(number).collect::<Read<Vec<u64>>>().map(Some)
    }

    fn wrong(&self, item: &Item, message: &str) -> SettingsError {
        self.wrong_at(item.span().map(|span| span.start), message)
    }

    fn wrong_item(&self, item: Option<&Item>, message: &str) -> SettingsError {
        self.wrong_at(item.and_then(Item::span).map(|span| span.start), message)
    }

    fn wrong_at(&self, start: Option<usize>, message: &str) -> SettingsError {
        SettingsError::new(self.path, start.map(|start| line_column(self.text, start)), message)
    }
}

/// Where a key of a table stands, else where its value does.
fn start_of(table: &dyn TableLike, key: &str, item: &Item) -> Option<usize> {
    let key_span = table.key(key).and_then(toml_edit::Key::span);
    key_span.or_else(|| item.span()).map(|span| span.start)
}
