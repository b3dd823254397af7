//! `rehearsal card`: the pass rate of every level of a run.

use super::output::Output;
use super::{Failure, ticker};
use crate::card::card_page;
use crate::card::html::html;
use crate::run::{Checked, SourceKind, card_plots, check_card_telling, write_card};
use crate::text;
use crate::value::{Map, Value};
use clap::Args;
use std::path::{Path, PathBuf};

/// Writes the card of a run (artifact.json, episodes.jsonl, card.md) and prints it; of a card that already exists, prints it.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal card examples/runs/careful --check\n  \
        rehearsal card examples/runs/careful\n  \
        rehearsal card examples/runs/careful --json")]
pub struct CardArgs {
    /// A run folder, or the folder of a card (one made by Poisson Tasks too).
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write nothing: rebuild the card that is there from its records and compare it byte for byte, and a run's calls with
    /// their chained hashes (exit 4 if something differs).
    #[arg(long)]
    check: bool,
    /// Also write the card to FILE as one self-contained HTML page with plots.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    html: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CardArgs, out: &mut Output) -> Result<(), Failure> {
    if args.check {
        return check(args, out);
    }
    let source = ticker::open(&args.run)?;
    let gates = source.artifact.gates();
    let written = match source.kind {
        SourceKind::Run(..) if gates.is_empty() => Some(write_card(&source).map_err(Failure::Refused)?),
        _ => None,
    };
    if let Some(path) = &args.html {
        let page = html(&card_page(&source.artifact, &source.about()), &card_plots(&source.artifact));
        write_html(path, &page)?;
    }
    if args.json {
        let about = source.about();
        let value = Map::from([
            ("card", written.as_ref().map(|w| Value::from(w.display().to_string())).into()),
            ("gates", gates.clone().into()),
            ("owed", Value::from(source.artifact.owed())),
            ("chain", about.chain.map(|c| Value::from(c.hex())).into()),
            ("artifact", source.artifact.to_value()),
        ]);
        out.json(&value.into())?;
    } else {
        for line in card_page(&source.artifact, &source.about()).lines() {
            out.line(line)?;
        }
        if let Some(card) = &written {
            out.line("")?;
            out.line(format!("written to {}", card.display()))?;
        }
    }
    match gates.first() {
        Some(first) => Err(Failure::Refused(format!("the card is not valid: {first}"))),
        None => Ok(()),
    }
}

/// Writes an HTML page.
pub(super) fn write_html(path: &Path, page: &str) -> Result<(), Failure> {
    std::fs::write(path, page).map_err(|e| Failure::Refused(format!("cannot write {}: {e}", path.display())))
}

fn check(args: &CardArgs, out: &mut Output) -> Result<(), Failure> {
    let checked = ticker::telling(&args.run, |tell| check_card_telling(&args.run, tell))?;
    let (card, same, what) = match &checked {
        Checked::Same { card, held, since } => {
            let mut what = "the card is what its records say, byte for byte".to_owned();
            if *held > 0 {
                let held = text::count(*held as usize, "episode");
                what = format!("{what}, and the calls of {held} are what their chained hashes cover");
            }
            if *since > 0 {
                what = format!("{what}; the run has {} more since", text::count(*since as usize, "episode"));
            }
            (card, true, what)
        }
        Checked::Differs { card, what } => (card, false, what.clone()),
    };
    if args.json {
        let value = Map::from([
            ("card", Value::from(card.display().to_string())),
            ("same", Value::from(same)),
            ("what", Value::from(&what)),
        ]);
        out.json(&value.into())?;
    } else if same {
        out.line(format!("{}: {what}", card.display()))?;
    }
    if same { Ok(()) } else { Err(Failure::Check(format!("{}: {what}", card.display()))) }
}
