//! The card folder of a run: writing it, and checking that a card is what its records say.

use super::folder::RunFolder;
use super::source::{Records, Source, SourceKind, Tell, card_folder, each_record};
use super::trace::Trace;
use crate::align::changes;
use crate::card::{OF_NAMES, card_page};
use crate::record::whole_lines;
use crate::settings::{write_whole, write_whole_with};
use crate::value::{Value, pointer};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the card of a run: `artifact.json`, `episodes.jsonl`, `card.md`. A card that its gates refuse is not written;
/// the error is one line.
pub fn write_card(source: &Source) -> Result<PathBuf, String> {
    let SourceKind::Run(folder, _) = &source.kind else {
        return Err(format!("{} is a card already; --check compares it with its records", source.label));
    };
    let gates = source.artifact.gates();
    if let Some(first) = gates.first() {
        let more = if gates.len() > 1 { format!(" (and {} more)", gates.len() - 1) } else { String::new() };
        return Err(format!("the card is refused: {first}{more}"));
    }
    let card = folder.card();
    let failed = |e: &dyn std::fmt::Display| format!("cannot write {}: {e}", card.display());
    let write = |name: &str, bytes: &[u8]| write_whole(&card.join(name), bytes).map_err(|e| failed(&e));
    std::fs::create_dir_all(&card).map_err(|e| failed(&e))?;
    // The records go by one at a time: there may be more than one wants to hold.
    let mut wrong = Ok(());
    let copied = write_whole_with(&card.join("episodes.jsonl"), |out| {
        wrong = copy_records(source, out);
        wrong.clone().map_err(io::Error::other)
    });
    wrong?;
    copied.map_err(|e| failed(&e))?;
    write("card.md", card_page(&source.artifact, &source.about()).markdown().as_bytes())?;
    // Last, so that a folder with an artifact has everything it was made from.
    write("artifact.json", source.artifact.text().as_bytes())?;
    Ok(card)
}

fn copy_records(source: &Source, out: &mut dyn io::Write) -> Result<(), String> {
    let most = source.episodes.len() as u64;
    each_record(&source.records_file(), most, &mut |_, _, _| true, &mut |record| {
        out.write_all(record.line().as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(|e| e.to_string())
    })
}

/// What checking a card found.
#[derive(Debug, Clone, PartialEq)]
pub enum Checked {
    /// The artifact is what its records say, byte for byte.
    Same {
        /// The card's folder.
        card: PathBuf,
        /// Episodes whose recorded calls were held against their chained hashes; none of a card without its run.
        held: u64,
        /// Episodes of the run that came after the card was made.
        since: u64,
    },
    /// It is not.
    Differs {
        /// The card's folder.
        card: PathBuf,
        /// What differs first, in one line.
        what: String,
    },
}

/// Rebuilds the artifact of a card from its records, its own provenance and its tallies, and compares the bytes; of a card
/// of this program's also its page. Inside a run folder the card's records are held against the run's, and the run's calls
/// and answers against their chained hashes. The error is one line.
pub fn check_card(path: &Path) -> Result<Checked, String> {
    check_card_telling(path, &mut |_, _, _| true)
}

/// The same, telling how far it is; being stopped is an error too.
pub fn check_card_telling(path: &Path, tell: &mut Tell<'_>) -> Result<Checked, String> {
    let card = card_folder(path).ok_or_else(|| format!("{} has no card to check", path.display()))?;
    let source = Source::open_card_at(&card, tell)?;
    let differs = |what| Ok(Checked::Differs { card: card.clone(), what });
    let file = card.join("artifact.json");
    let bytes = std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    if source.artifact.text().as_bytes() != bytes {
        let stored = crate::value::read::read_json(&bytes).map_err(|e| e.message)?.root;
        return differs(match changes(&stored, &source.artifact.to_value()).first() {
            Some(change) => format!("the records give another figure at {}", pointer::name(&change.at)),
            None => "the figures are right, written otherwise".to_owned(),
        });
    }
    if let Some(line) = page_differs(&card, &source)? {
        return differs(format!("card.md: line {line} is not what the figures give"));
    }
    let run = card.parent().map(RunFolder::at).filter(RunFolder::is_run);
    let Some(run) = run else { return Ok(Checked::Same { card, held: 0, since: 0 }) };
    if let Some(what) = run_differs(&card, &run, tell)? {
        return differs(what);
    }
    let recorded = run.recorded().map_err(|e| format!("{}: {e}", run.path().display()))?;
    let held = source.episodes.len() as u64;
    Ok(Checked::Same { card, held, since: recorded.saturating_sub(held) })
}

/// The first line of the card's page that its figures do not give. Nothing is said of a page of another program or
/// version; where the tool file is missing, what the page says about its names is skipped.
fn page_differs(card: &Path, source: &Source) -> Result<Option<usize>, String> {
    let provenance = &source.artifact.provenance;
    let version = provenance.get("package_version").and_then(Value::as_str);
    let ours = provenance.get("harness_id").and_then(Value::as_str) == Some(super::provenance::HARNESS);
    if !ours || version != Some(env!("CARGO_PKG_VERSION")) {
        return Ok(None);
    }
    let file = card.join("card.md");
    let stored = std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let about = source.about();
    let page = card_page(&source.artifact, &about).markdown();
    let of_names = |line: &[u8]| about.names.is_none() && line.starts_with(OF_NAMES.as_bytes());
    let mut given = page.as_bytes().split(|b| *b == b'\n');
    for (i, line) in stored.split(|b| *b == b'\n').enumerate() {
        if !of_names(line) && given.next() != Some(line) {
            return Ok(Some(i + 1));
        }
    }
    Ok(given.next().map(|_| stored.split(|b| *b == b'\n').count() + 1))
}

/// The first record of the card that is not the run's, or whose recorded calls are not what its chained hash covers.
fn run_differs(card: &Path, run: &RunFolder, tell: &mut Tell<'_>) -> Result<Option<String>, String> {
    let (mut of_card, mut of_run) = (Records::open(&card.join("episodes.jsonl"))?, Records::open(&run.episodes())?);
    let traces = run.traces();
    let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", traces.display());
    let Some(mut lines) = whole_lines(&traces).map_err(|e| fail(&e))? else { return Err(fail(&"it is not there")) };
    let mut n = 0_usize;
    loop {
        of_card.tell("holding calls against their chain", tell)?;
        let Some(record) = of_card.next()? else { return Ok(None) };
        n += 1;
        if of_run.next()?.as_ref() != Some(&record) {
            return Ok(Some(format!("the card's record {n} is not the run's")));
        }
        let Some((_, line)) = lines.next_line().map_err(|e| fail(&e))? else {
            return Ok(Some(format!("the run's calls end before record {n}")));
        };
        let says = |what: String| {
            let (arm, seed, attempt) = (&record.arm_id, record.seed, record.attempt);
            Some(format!("{} line {n} ({arm}, seed {seed}, attempt {attempt}): {what}", name_of(&traces)))
        };
        let trace = match Trace::read(line) {
            Ok(trace) => trace,
            Err(why) => return Ok(says(why)),
        };
        if let Some(what) = trace.broken_words() {
            return Ok(says(what));
        }
        if trace.chain != record.chain || trace.task_id != record.task_id || trace.attempt != record.attempt {
            return Ok(says("its chained hash is not that of the record".to_owned()));
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
