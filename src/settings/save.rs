//! What a person declared on the screen, saved into the `tasks.toml` of the tool file: comments and order kept.
use super::tasks::{Config, beside, read_config, same_file};
use super::{SettingsError, read_text};
use crate::plan::Flow;
use crate::text::is_hidden;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, RawString, Table, TableLike, Value, value};

/// Everything that is declared about a tool file, the settings file's own declarations included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// Tools declared to read.
    pub read: Vec<String>,
    /// Tools declared to write.
    pub write: Vec<String>,
    /// Tool and the sentence to ask for it with.
    pub intents: Vec<(String, String)>,
    /// Flows.
    pub flows: Vec<Flow>,
}

/// Makes the `[own]` table of `config` (made when missing) declare exactly this about `tool_file`. What was there and
/// still holds stays where and as it is, its comments too; new entries come last. The file is replaced whole or not at
/// all. Refused when it names another tool file, or cannot be edited without saying something else.
pub fn save(config: &Path, tool_file: &Path, declared: &Declared) -> Result<(), SettingsError> {
    let text = read_text(config)?.unwrap_or_default();
    let refuse = |message: &str| SettingsError::new(config, None, message);
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let place = error.span().map(|span| super::line_column(&text, span.start));
        SettingsError::new(config, place, error.message())
    })?;
    let own = document.entry("own").or_insert_with(|| Item::Table(Table::new()));
    if let Item::Value(Value::InlineTable(inline)) = own {
        *own = Item::Table(std::mem::take(inline).into_table());
    }
    let Some(own) = own.as_table_mut() else { return Err(refuse("own must be a table ([own])")) };
    match own.get("file").and_then(Item::as_str) {
        Some(named) if same_file(&beside(config, named), tool_file) => {}
        Some(named) => {
            return Err(refuse(&format!("it belongs to {named}: save beside this tool file with another --config")));
        }
        None => {
            own.insert("file", Item::Value(shown(&relative(config, tool_file))));
        }
    }
    set_names(own, "read", &declared.read);
    set_names(own, "write", &declared.write);
    set_intents(own, &declared.intents);
    set_flows(own, &declared.flows);
    let text = document.to_string();
    if !says(config, tool_file, &text, declared) {
        return Err(refuse("it is written in a way that cannot be edited safely: add the lines by hand"));
    }
    write_whole(config, text.as_bytes()).map_err(|error| SettingsError::io(config, "write", &error))
}

/// The tool file's path from the settings file's folder when it lies there, else its whole path.
fn relative(config: &Path, tool_file: &Path) -> String {
    let whole =
        |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    let folder = match config.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => whole(folder),
        _ => whole(Path::new(".")),
    };
    let tool_file = whole(tool_file);
    tool_file.strip_prefix(&folder).unwrap_or(&tool_file).to_string_lossy().into_owned()
}

fn set_names(own: &mut Table, key: &str, names: &[String]) {
    match own.get_mut(key).and_then(Item::as_array_mut) {
        Some(array) => *array = with_names(array, names),
        None if names.is_empty() => {}
        None => {
            own.insert(key, value(names.iter().map(|name| shown(name)).collect::<Array>()));
        }
    }
}

/// An array's layout around one of its items.
struct Entry {
    item: Value,
    /// What stands before it on its own line.
    before: String,
    /// What follows it, up to the end of its line: its comment.
    after: String,
}

/// The array with exactly these names: those it has stay as they are, with their comments, the others come last. The
/// parser counts the comment behind a comma to the next item; here it goes with the item it was written for.
fn with_names(old: &Array, names: &[String]) -> Array {
    let mut entries: Vec<Entry> = Vec::new();
    for item in old {
        let decor = item.decor();
        let (rest, before) = split_line(raw(decor.prefix()));
        if let Some(earlier) = entries.last_mut() {
            earlier.after.push_str(rest);
        }
        let before = if entries.is_empty() { format!("{rest}{before}") } else { before.to_owned() };
        let after = raw(decor.suffix()).to_owned();
        entries.push(Entry { item: item.clone().decorated("", ""), before, after });
    }
    let (rest, end) = split_line(raw(Some(old.trailing())));
    let mut end = end.to_owned();
    match entries.last_mut() {
        Some(last) => {
            let whole = format!("{}{rest}", last.after);
            let line = whole.find('\n').unwrap_or(if whole.trim().is_empty() { 0 } else { whole.len() });
            end = format!("{}{end}", &whole[line..]);
            last.after.replace_range(.., &whole[..line]);
        }
        None => end = format!("{rest}{end}"),
    }
    let first_before = entries.first().map(|entry| entry.before.clone());
    let usual_before = entries.last().map(|entry| entry.before.clone());
    entries.retain(|entry| entry.item.as_str().is_some_and(|name| names.iter().any(|wanted| wanted == name)));
    if let (Some(first), Some(before)) = (entries.first_mut(), first_before.filter(|before| !before.contains('\n'))) {
        first.before = before;
    }
    for name in
        names.iter().filter(|name| entries.iter().all(|entry| entry.item.as_str() != Some(name))).collect::<Vec<_>>()
    {
        let own_line = usual_before.as_deref().and_then(|before| before.rfind('\n').map(|i| before[i..].to_owned()));
        let before = own_line.unwrap_or_else(|| if entries.is_empty() { String::new() } else { " ".to_owned() });
        entries.push(Entry { item: shown(name), before, after: String::new() });
    }
    let mut array = Array::new();
    let mut rest = String::new();
    for Entry { item, before, after } in entries {
        array.push_formatted(item.decorated(format!("{rest}{before}"), ""));
        rest = after;
    }
    array.set_trailing(format!("{rest}{end}"));
    array.set_trailing_comma(old.trailing_comma() && !array.is_empty());
    *array.decor_mut() = old.decor().clone();
    array
}

/// A text as TOML, what a terminal would obey or hide in it as escapes: the file is looked at too.
fn shown(text: &str) -> Value {
    if !text.contains(is_hidden) {
        return Value::from(text);
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_hidden(c) => quoted.push_str(&format!("\\U{:08X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted.parse().unwrap_or_else(|_| Value::from(text))
}

fn raw(text: Option<&RawString>) -> &str {
    text.and_then(RawString::as_str).unwrap_or_default()
}

/// The text up to the end of its first line, and the rest from the line break on.
fn split_line(text: &str) -> (&str, &str) {
    text.find('\n').map_or(("", text), |i| text.split_at(i))
}

fn set_intents(own: &mut Table, intents: &[(String, String)]) {
    if own.get("intents").is_none() {
        if intents.is_empty() {
            return;
        }
        own.insert("intents", Item::Table(Table::new()));
    }
    let Some(table) = own.get_mut("intents").and_then(Item::as_table_like_mut) else { return };
    let wanted = |tool: &str| intents.iter().find(|(name, _)| name == tool);
    let gone: Vec<String> =
        table.iter().map(|(tool, _)| tool.to_owned()).filter(|tool| wanted(tool).is_none()).collect();
    for tool in gone {
        table.remove(&tool);
    }
    for (tool, text) in intents {
        match table.get_mut(tool) {
            Some(item) if item.as_str() == Some(text) => {}
            Some(Item::Value(old)) => {
                let decor = old.decor().clone();
                *old = shown(text);
                *old.decor_mut() = decor;
            }
            _ => {
                table.insert(tool, Item::Value(shown(text)));
            }
        }
    }
}

fn set_flows(own: &mut Table, flows: &[Flow]) {
    let wanted = |table: &dyn TableLike| flow_of(table).is_some_and(|flow| flows.contains(&flow));
    match own.get_mut("flow") {
        Some(Item::ArrayOfTables(tables)) => {
            tables.retain(|table| wanted(table));
            let known: Vec<Flow> = tables.iter().filter_map(|table| flow_of(table)).collect();
            for flow in flows.iter().filter(|flow| !known.contains(flow)) {
                tables.push(table_of(flow));
            }
        }
        Some(Item::Value(Value::Array(list))) => {
            list.retain(|item| item.as_inline_table().is_some_and(|table| wanted(table)));
            let known: Vec<Flow> =
                list.iter().filter_map(Value::as_inline_table).filter_map(|table| flow_of(table)).collect();
            for flow in flows.iter().filter(|flow| !known.contains(flow)) {
                list.push(inline_of(flow));
            }
        }
        Some(_) => {}
        None if flows.is_empty() => {}
        None => {
            own.insert("flow", Item::ArrayOfTables(flows.iter().map(table_of).collect::<ArrayOfTables>()));
        }
    }
}

fn entries(flow: &Flow) -> [(&'static str, &str); 4] {
    [("from", &flow.from), ("field", &flow.field), ("to", &flow.to), ("param", &flow.param)]
}

fn flow_of(table: &dyn TableLike) -> Option<Flow> {
    let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    Some(Flow { from: text("from")?, field: text("field")?, to: text("to")?, param: text("param")? })
}

fn table_of(flow: &Flow) -> Table {
    entries(flow).into_iter().map(|(key, text)| (key, shown(text))).collect()
}

fn inline_of(flow: &Flow) -> InlineTable {
    entries(flow).into_iter().map(|(key, text)| (key, shown(text))).collect()
}

/// Whether a settings file of this text declares exactly that, read as it will be read next time.
fn says(config: &Path, tool_file: &Path, text: &str, declared: &Declared) -> bool {
    let Ok(Config::Used(file)) = read_config(config.to_owned(), text, Some(tool_file)) else { return false };
    fn sorted<T: Ord + Clone>(list: &[T]) -> Vec<T> {
        let mut list = list.to_vec();
        list.sort();
        list.dedup();
        list
    }
    let key = |flow: &Flow| entries(flow).map(|(_, text)| text.to_owned());
    let flows = |flows: &[Flow]| sorted(&flows.iter().map(key).collect::<Vec<_>>());
    sorted(&file.own.read) == sorted(&declared.read)
        && sorted(&file.own.write) == sorted(&declared.write)
        && sorted(&file.own.intents) == sorted(&declared.intents)
        && flows(&file.own.flows) == flows(&declared.flows)
}

/// Replaces a file whole: written beside it, flushed to the disk, then renamed over it. A crash or a full disk leaves
/// the old file as it was. A link is followed, permissions are kept.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// The same for what is not held in memory whole: `write` gets the file to write to.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (file, spare) = spare_file(folder)?;
    let written = fill(file, write, &target).and_then(|()| fs::rename(&spare, &target));
    if written.is_err() {
        // the write failed already and that is what is told; a spare file that stays does no harm
        let _ = fs::remove_file(&spare);
        return written;
    }
    File::open(folder)?.sync_all()
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>, target: &Path) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(file);
    write(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(old) = fs::metadata(target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

/// A new file in `folder` that nobody else writes.
fn spare_file(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".rehearsal-{}-{number}.tmp", std::process::id()));
        match File::options().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other.map(|file| (file, path)),
        }
    }
}
