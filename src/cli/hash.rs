//! `rehearsal hash`: the two hashes of a file, or two files compared.

use super::output::Output;
use super::set::{self, Loaded};
use super::{Failure, ServerArgs, SetFlags};
use crate::text;
use crate::toolfile::compare::{self, Comparison};
use crate::value::{Map, Value};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file hash moves with any byte; the contract hash only with what the file says.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal hash examples/orders/orders.openai.json\n  \
        rehearsal hash examples/orders/orders.openai.json --expect \\\n    \
        cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157\n  \
        rehearsal hash examples/orders/orders.openai.json \\\n    \
        examples/hotel/hotel.mcp.json --fail-on contract\n  \
        rehearsal hash --mcp-command 'npx -y some-server' saved.mcp.json \\\n    \
        --fail-on contract")]
pub struct HashArgs {
    /// The tool file; - reads standard input.
    #[arg(value_name = "FILE", required_unless_present_any = ["mcp_command", "mcp_url"])]
    file: Option<PathBuf>,
    /// Another file to compare it with.
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,
    /// A running server in the place of the first file; a file named then is what it is compared with.
    #[command(flatten)]
    server: ServerArgs,
    /// How the files are read.
    #[command(flatten)]
    flags: SetFlags,
    /// Exit 4 unless the contract hash is this one.
    #[arg(long, value_name = "HEX", conflicts_with = "other")]
    expect: Option<String>,
    /// Exit 4 when the two files differ in this.
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What `--fail-on` looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// The contract hashes differ.
    Contract,
    /// Any byte differs.
    Bytes,
}

/// Runs the command.
pub fn run(args: &HashArgs, out: &mut Output) -> Result<(), Failure> {
    if let Some(expected) = &args.expect {
        let hex = expected.len() == 64 && expected.bytes().all(|b| b.is_ascii_hexdigit());
        if !hex {
            return Err(Failure::Usage("--expect takes a contract hash: 64 hexadecimal digits".to_owned()));
        }
    }
    let server = args.server.server()?;
    let (left, other) = match (&server, &args.file, &args.other) {
        (Some(_), Some(_), Some(_)) => {
            return Err(Failure::Usage("a server is compared with one file: name one".to_owned()));
        }
        (Some(server), file, _) => (set::listed(server, args.server.save.as_deref(), &args.flags)?, file),
        (None, Some(file), other) => (load(file, &args.flags)?, other),
        (None, None, _) => return Err(Failure::Usage("name a tool file or an MCP server".to_owned())),
    };
    match other {
        None if args.fail_on.is_some() => Err(Failure::Usage("--fail-on compares: name another file".to_owned())),
        None => one(args, &left, out),
        Some(other) => {
            if server.is_none() && args.file.as_deref().is_some_and(set::is_stdin) && set::is_stdin(other) {
                return Err(Failure::Usage("only one of the two files can be standard input".to_owned()));
            }
            let right = load(other, &args.flags)?;
            two(args, &left, &right, out)
        }
    }
}

/// Reads a file; a slip in its JSON is named on stderr, since stdout is for the hashes.
fn load(path: &Path, flags: &SetFlags) -> Result<Loaded, Failure> {
    let set = set::load(path, flags)?;
    if let Some(slip) = set.reading.json_slip() {
        let _ = writeln!(std::io::stderr(), "{}: {}", text::safe(&set.label), text::safe(&slip));
    }
    Ok(set)
}

/// `{file, format, file_hash, contract_hash, contract_refused}`.
fn facts(set: &Loaded) -> Map {
    let (hash, refused) = match &set.reading.contract {
        Some(Ok(hash)) => (Value::from(hash), Value::Null),
        Some(Err(refusal)) => {
            (Value::Null, Value::from(Map::from([("at", refusal.at.as_str()), ("what", refusal.what.as_str())])))
        }
        None => {
            let what = set.reading.error.as_ref().map_or("not read", |error| error.message.as_str());
            (Value::Null, Value::from(Map::from([("at", ""), ("what", what)])))
        }
    };
    let mut map = Map::new();
    map.insert("file", set.label.as_str());
    map.insert("format", set.reading.format.map(|f| Value::from(f.word())));
    map.insert("file_hash", &set.reading.file_hash);
    map.insert("contract_hash", hash);
    map.insert("contract_refused", refused);
    map
}

fn refusal(set: &Loaded) -> Option<String> {
    match &set.reading.contract {
        Some(Ok(_)) => None,
        Some(Err(refusal)) => Some(format!("{}: no contract hash: {}", set.label, set::refused_at(refusal))),
        None => Some(format!(
            "{}: no contract hash: {}",
            set.label,
            set.reading.error.as_ref().map_or("the file could not be read", |error| error.message.as_str())
        )),
    }
}

fn print_one(set: &Loaded, out: &mut Output) -> Result<(), Failure> {
    out.line(format!("file      {}", set.label))?;
    out.line(format!("format    {}", set.reading.format.map_or("unknown", |f| f.word())))?;
    out.line(format!("file      {}", set.reading.file_hash).replacen("file     ", "file hash", 1))?;
    match &set.reading.contract {
        Some(Ok(hash)) => out.line(format!("contract  {hash}")),
        _ => out.line("contract  refused"),
    }
}

fn one(args: &HashArgs, set: &Loaded, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        out.json(&facts(set).into())?;
    } else {
        print_one(set, out)?;
    }
    if let Some(why) = refusal(set) {
        return Err(Failure::Refused(why));
    }
    if let (Some(expected), Some(Ok(hash))) = (&args.expect, &set.reading.contract)
        && !expected.eq_ignore_ascii_case(hash)
    {
        return Err(Failure::Check(format!("the contract hash is {hash}, not {}", expected.to_ascii_lowercase())));
    }
    Ok(())
}

fn two(args: &HashArgs, left: &Loaded, right: &Loaded, out: &mut Output) -> Result<(), Failure> {
    let comparison = compare::compare(&left.source, &right.source);
    if args.json {
        out.json(&comparison_json(left, right, &comparison))?;
    } else {
        print_both(left, right, &comparison, out)?;
    }
    if let Some(why) = refusal(left).or_else(|| refusal(right)) {
        return Err(Failure::Refused(why));
    }
    match args.fail_on {
        Some(FailOn::Contract) if comparison.same_contract != Some(true) => {
            Err(Failure::Check("the contracts differ".to_owned()))
        }
        Some(FailOn::Bytes) if !comparison.same_bytes => Err(Failure::Check("the bytes differ".to_owned())),
        _ => Ok(()),
    }
}

fn comparison_json(left: &Loaded, right: &Loaded, comparison: &Comparison) -> Value {
    let differences: Vec<Value> = comparison
        .differences
        .iter()
        .map(|d| {
            Map::from([
                ("at", Value::from(d.at.as_str())),
                ("left", Value::from(d.left.clone())),
                ("right", Value::from(d.right.clone())),
            ])
            .into()
        })
        .collect();
    Map::from([
        ("files", Value::array(vec![facts(left).into(), facts(right).into()])),
        ("same_bytes", Value::from(comparison.same_bytes)),
        ("same_contract", Value::from(comparison.same_contract)),
        ("differences", Value::array(differences)),
        ("more", Value::from(comparison.more)),
    ])
    .into()
}

/// Prints two files and where they differ.
pub(super) fn print_two(left: &Loaded, right: &Loaded, out: &mut Output) -> Result<(), Failure> {
    print_both(left, right, &compare::compare(&left.source, &right.source), out)
}

fn print_both(left: &Loaded, right: &Loaded, comparison: &Comparison, out: &mut Output) -> Result<(), Failure> {
    print_one(left, out)?;
    out.line("")?;
    print_one(right, out)?;
    out.line("")?;
    out.line(comparison.sentence())?;
    for d in &comparison.differences {
        out.line(d.line())?;
    }
    if comparison.more > 0 {
        out.line(format!("and {} more", comparison.more))?;
    }
    Ok(())
}
