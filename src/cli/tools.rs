//! `rehearsal tools`: what a file offers and what was refused of it.

use super::output::Output;
use super::set::{self, Loaded};
use super::{Failure, ServerArgs, SetFlags};
use crate::text;
use crate::toolfile::{Effect, Tool};
use crate::value::{Map, Value};
use clap::Args;
use std::path::PathBuf;

/// The usable tools of a file with their effects and arguments, and the refused ones with the reason.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal tools examples/warehouse/warehouse.mcp.json\n  \
        rehearsal tools examples/clinic/clinic.openapi.yaml \\\n    \
        --only '*Appointment' --json\n  \
        rehearsal tools --mcp-command 'npx -y some-server' \\\n    \
        --save some.mcp.json")]
pub struct ToolsArgs {
    /// The tool file; - reads standard input.
    #[arg(value_name = "FILE", required_unless_present_any = ["mcp_command", "mcp_url"], conflicts_with_all = ["mcp_command", "mcp_url"])]
    file: Option<PathBuf>,
    /// A running server in its place.
    #[command(flatten)]
    server: ServerArgs,
    /// How it is read.
    #[command(flatten)]
    flags: SetFlags,
    /// Print JSON, schemas included.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ToolsArgs, out: &mut Output) -> Result<(), Failure> {
    let set = match (args.server.server()?, &args.file) {
        (Some(server), _) => set::listed(&server, args.server.save.as_deref(), &args.flags)?,
        (None, Some(file)) => set::load(file, &args.flags)?,
        (None, None) => return Err(Failure::Usage("name a tool file or an MCP server".to_owned())),
    };
    if args.json {
        out.json(&json(&set))?;
    } else {
        set.print_notes(out)?;
        print(&set, out)?;
    }
    match &set.reading.error {
        None => Ok(()),
        Some(error) => Err(Failure::Refused(format!("{}: {}", set.label, error.message))),
    }
}

fn count(set: &Loaded, effect: Effect) -> usize {
    set.reading.tools.iter().filter(|t| t.effect == effect).count()
}

fn json(set: &Loaded) -> Value {
    let reading = &set.reading;
    let tools: Vec<Value> = reading
        .tools
        .iter()
        .map(|t| {
            let mut map = Map::new();
            map.insert("name", &t.name);
            map.insert("title", t.title.as_ref().map(Value::from));
            map.insert("effect", t.effect.word());
            map.insert("input_schema", t.input_schema.clone());
            map.insert("output_schema", t.output_schema.clone());
            map.into()
        })
        .collect();
    let refused: Vec<Value> = reading
        .refused
        .iter()
        .map(|r| {
            let mut map = Map::new();
            map.insert("name", &r.name);
            map.insert("kind", r.kind.word());
            map.insert("reason", r.reason.as_str());
            map.into()
        })
        .collect();
    let effects = Map::from([
        ("read", Value::from(count(set, Effect::Read))),
        ("write", Value::from(count(set, Effect::Write))),
        ("unknown", Value::from(count(set, Effect::Unknown))),
    ]);
    let error = reading
        .error
        .as_ref()
        .map(|e| Value::from(Map::from([("kind", e.kind.word()), ("message", e.message.as_str())])));
    let mut map = Map::new();
    map.insert("format", reading.format.map(|f| Value::from(f.word())));
    map.insert("file_hash", &reading.file_hash);
    map.insert("usable", reading.tools.len());
    map.insert("effects", effects);
    map.insert("can_target", reading.tools.iter().filter(|t| t.can_target()).count());
    map.insert("tools", Value::array(tools));
    map.insert("refused", Value::array(refused));
    map.insert("extensions", reading.extensions.clone());
    map.insert("error", Value::from(error));
    map.into()
}

/// `order_id, amount?`: the arguments of a tool, a question mark after those that are not required.
pub fn signature(tool: &Tool) -> String {
    let required = tool.required();
    tool.properties()
        .iter()
        .map(|(name, _)| if required.contains(name) { name.to_string() } else { format!("{name}?") })
        .collect::<Vec<_>>()
        .join(", ")
}

/// The reading as text.
pub fn print(set: &Loaded, out: &mut Output) -> Result<(), Failure> {
    let reading = &set.reading;
    out.line(set.heading())?;
    out.line(format!("file hash  {}", reading.file_hash))?;
    match &reading.contract {
        Some(Ok(hash)) => out.line(format!("contract   {hash}"))?,
        Some(Err(refusal)) => out.line(format!("contract   refused: {}", set::refused_at(refusal)))?,
        None => {}
    }
    if reading.format.is_none() {
        return Ok(());
    }
    out.line(format!(
        "{} usable ({} read, {} write, {} unknown), {} refused",
        reading.tools.len(),
        count(set, Effect::Read),
        count(set, Effect::Write),
        count(set, Effect::Unknown),
        reading.refused.len()
    ))?;
    for line in &reading.extensions {
        out.line(format!("! {line}"))?;
    }
    let names: Vec<String> = reading.tools.iter().map(|t| text::safe(&t.name).into_owned()).collect();
    let wide = names.iter().map(|n| text::width(n)).max().unwrap_or(0).min(40);
    for (tool, name) in reading.tools.iter().zip(&names) {
        out.line(format!("  {}  {:<7}  {}", text::pad(name, wide), tool.effect.word(), signature(tool)))?;
    }
    for refused in &reading.refused {
        out.line(format!("- {}: {} ({})", refused.name, refused.reason, refused.kind.word()))?;
    }
    for tool in reading.tools.iter().filter(|t| t.name != t.original) {
        out.line(format!("~ {} is {} in the file", tool.name, tool.original))?;
    }
    Ok(())
}
