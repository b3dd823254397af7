//! What `rehearsal uhp` prints: lines for people, or JSON as the server gave it.

use super::Verb;
use crate::cli::Failure;
use crate::cli::output::Output;
use crate::text;
use crate::uhp::client::transcript::{Step, Transcript};
use crate::uhp::wire::Json;

type Printer = fn(&Json, &mut Output) -> Result<(), Failure>;

/// Indented JSON.
pub(super) fn json(body: &Json, out: &mut Output) -> Result<(), Failure> {
    let pretty = serde_json::to_string_pretty(body).unwrap_or_default();
    out.lines(&text::safe_json(&pretty))
}

/// JSON in one line.
pub(super) fn line(body: &Json, out: &mut Output) -> Result<(), Failure> {
    out.line(text::safe_json(&body.to_string()))
}

/// How a verb's answer is printed for people.
pub(super) fn text(verb: &Verb) -> Printer {
    match verb {
        Verb::Discover => discovery,
        Verb::Harnesses => harnesses,
        Verb::Models { .. } => models,
        Verb::Sessions { .. } => sessions,
        Verb::Turns { .. } => turns,
        Verb::Files { .. } | Verb::Download { .. } => files,
        Verb::Get { input: true, .. } => json,
        Verb::Run { .. } | Verb::Stream { .. } | Verb::Get { .. } | Verb::Cancel { .. } => response,
    }
}

fn word<'a>(body: &'a Json, key: &str) -> &'a str {
    body.get(key).and_then(Json::as_str).unwrap_or("-")
}

fn list<'a>(body: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    body.get(key).and_then(Json::as_array).into_iter().flatten()
}

fn words(body: &Json, key: &str) -> String {
    list(body, key).filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
}

fn discovery(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if let Some(made) = body.get("implementation").filter(|made| made.is_object()) {
        out.line(format!("{} {}", word(made, "name"), word(made, "version")))?;
    }
    out.line(format!("class     {}", word(body, "conformance_class")))?;
    out.line(format!("versions  {} (default {})", words(body, "versions"), word(body, "default_version")))?;
    for (name, on) in body.get("capabilities").and_then(Json::as_object).into_iter().flatten() {
        out.line(format!("{} {name}", if on == true { "+" } else { "-" }))?;
    }
    let schemas = words(body, "plugin_schemas");
    if schemas.is_empty() { Ok(()) } else { out.line(format!("plugins   {schemas}")) }
}

/// Says that a list is empty, which would look like no answer.
fn if_none(body: &Json, key: &str, out: &mut Output) -> Result<(), Failure> {
    if list(body, key).next().is_none() { out.line(format!("no {key}")) } else { Ok(()) }
}

fn harnesses(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if_none(body, "harnesses", out)?;
    for h in list(body, "harnesses") {
        let (id, name, base) = (word(h, "id"), word(h, "name"), word(h, "base"));
        out.line(format!("{id}  {name}  {base}  {}", word(h, "defaultModel")))?;
    }
    Ok(())
}

fn models(body: &Json, out: &mut Output) -> Result<(), Failure> {
    let row = |m: &Json| {
        let sign = if m.get("available") == Some(&Json::Bool(true)) { "+" } else { "-" };
        let default = if m.get("default") == Some(&Json::Bool(true)) { "  (default)" } else { "" };
        format!("{sign} {}  {}{default}", word(m, "id"), word(m, "label"))
    };
    list(body, "models").try_for_each(|m| out.line(row(m)))?;
    for (name, backend) in body.get("backends").and_then(Json::as_object).into_iter().flatten() {
        out.line(format!("{name} (default {})", word(backend, "default")))?;
        list(backend, "models").try_for_each(|m| out.line(row(m)))?;
    }
    Ok(())
}

fn sessions(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if_none(body, "sessions", out)?;
    for s in list(body, "sessions") {
        out.line(format!("{}  {}  {}", word(s, "id"), word(s, "status"), word(s, "title")))?;
    }
    match body.get("next_cursor").and_then(Json::as_str) {
        Some(cursor) => out.line(format!("more: --cursor {cursor}")),
        None => Ok(()),
    }
}

fn turns(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if_none(body, "turns", out)?;
    for t in list(body, "turns") {
        out.line(format!("{}  {}", word(t, "id"), word(t, "status")))?;
        for (sign, key) in [("> ", "user"), ("< ", "assistant")] {
            let said = t.get(key).and_then(Json::as_str).unwrap_or_default();
            said.lines().try_for_each(|l| out.line(format!("  {sign}{l}")))?;
        }
        for call in list(t, "tools") {
            out.line(format!("  call {} {} -> {}", word(call, "name"), word(call, "arguments"), word(call, "output")))?;
        }
    }
    Ok(())
}

fn files(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if_none(body, "files", out)?;
    for f in list(body, "files") {
        let bytes = f.get("bytes").and_then(Json::as_u64).map_or("-".to_owned(), text::bytes);
        out.line(format!("{}  {}  {bytes}", word(f, "id"), word(f, "filename")))?;
    }
    Ok(())
}

fn response(body: &Json, out: &mut Output) -> Result<(), Failure> {
    if !Transcript::is_response(body) {
        return out.line(format!("{}  {}", word(body, "id"), word(body, "status")));
    }
    transcript(&Transcript::of(body), out)
}

/// A response item by item, then its details.
pub(in crate::cli) fn transcript(transcript: &Transcript, out: &mut Output) -> Result<(), Failure> {
    let mut shown = Shown::default();
    shown.catch_up(transcript, out)?;
    end(transcript, out)
}

/// What of a transcript has been printed: steps in order, each once, a message as it comes.
#[derive(Debug, Default)]
pub(super) struct Shown {
    items: usize,
    /// Bytes of the open message that are printed.
    told: usize,
    /// Whether the last line printed is not ended.
    in_line: bool,
}

impl Shown {
    /// Prints the items that are whole and were not printed yet, and what is there of a message behind them.
    pub(super) fn catch_up(&mut self, transcript: &Transcript, out: &mut Output) -> Result<(), Failure> {
        while let Some(item) = transcript.items.get(self.items) {
            let is_message = item.kind() == "message";
            if item.open {
                return if is_message { self.go_on(item.beginning(), out) } else { Ok(()) };
            }
            let head = match item.kind() {
                "reasoning" => "why   ".to_owned(),
                "function_call" => format!("call  {} ", item.raw.get("name").and_then(Json::as_str).unwrap_or("-")),
                "function_call_output" => "      ".to_owned(),
                other => format!("{other}  "),
            };
            let body = item.text();
            if is_message {
                self.go_on(&body, out)?;
                self.end_line(out)?;
            } else {
                out.lines(&format!("{head}{body}"))?;
            }
            for file in item.citations() {
                let field = |key: &str| file.get(key).and_then(Json::as_str).unwrap_or("-");
                out.line(format!("file  {}  {}", field("file_id"), field("filename")))?;
            }
            self.items += 1;
            self.told = 0;
        }
        Ok(())
    }

    /// Prints what is new of a message.
    fn go_on(&mut self, text: &str, out: &mut Output) -> Result<(), Failure> {
        // One that was read back may be another than the one that was told: what is behind the told part is right at least.
        let Some(new) = text.get(self.told..).filter(|new| !new.is_empty()) else { return Ok(()) };
        self.told = text.len();
        self.in_line = !new.ends_with('\n');
        out.part(new)
    }

    /// Ends the line that a message stands in.
    pub(super) fn end_line(&mut self, out: &mut Output) -> Result<(), Failure> {
        if std::mem::take(&mut self.in_line) { out.line("") } else { Ok(()) }
    }
}

/// The last lines of a response: its id and status, where the server did not do as asked.
pub(super) fn end(transcript: &Transcript, out: &mut Output) -> Result<(), Failure> {
    let calls = transcript.steps().iter().filter(|s| matches!(s, Step::Call { .. })).count();
    let id = transcript.head_text("id").unwrap_or("-");
    out.line(format!("{id}  {}, {}", transcript.status(), text::count(calls, "call")))?;
    if let Some(session) = transcript.metadata("session_id").and_then(Json::as_str) {
        out.line(format!("session {session}"))?;
    }
    transcript.warnings.iter().try_for_each(|w| out.line(format!("! {w}")))?;
    if !transcript.unknown.is_empty() {
        out.line(format!("! {} of a kind that is not known", text::count(transcript.unknown.len(), "event")))?;
    }
    transcript.facts().iter().try_for_each(|fact| out.line(fact))
}
