//! The card folder of a run: writing it, and checking that a card is what its records say.

use super::folder::RunFolder;
use super::source::{Source, SourceKind, card_folder, card_provenance, read_records, read_tallies};
use crate::align::changes;
use crate::card::{Artifact, card_page};
use crate::settings::write_whole;
use crate::value::pointer;
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
    let write = |name: &str, bytes: &[u8]| write_whole(&card.join(name), bytes);
    let records: String = source.records.iter().flat_map(|r| [r.line(), "\n".to_owned()]).collect();
    let all = || -> io::Result<()> {
        std::fs::create_dir_all(&card)?;
        write("episodes.jsonl", records.as_bytes())?;
        write("card.md", card_page(&source.artifact, &source.about()).markdown().as_bytes())?;
        // Last, so that a folder with an artifact has everything it was made from.
        write("artifact.json", source.artifact.text().as_bytes())
    };
    all().map_err(|e| format!("cannot write {}: {e}", card.display()))?;
    Ok(card)
}

/// What checking a card found.
#[derive(Debug, Clone, PartialEq)]
pub enum Checked {
    /// The artifact is what its records say, byte for byte.
    Same {
        /// The card's folder.
        card: PathBuf,
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

/// Rebuilds the artifact of a card from its records, its own provenance and its tallies, and compares the bytes; inside a
/// run folder the card's records are also held against the run's. The error is one line.
pub fn check_card(path: &Path) -> Result<Checked, String> {
    let card = card_folder(path).ok_or_else(|| format!("{} has no card to check", path.display()))?;
    let records = read_records(&card.join("episodes.jsonl"))?;
    let artifact = Artifact::build(&records, card_provenance(&card)?, &read_tallies(&card)?)?;
    let file = card.join("artifact.json");
    let bytes = std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    if artifact.text().as_bytes() != bytes {
        let stored = crate::value::read::read_json(&bytes).map_err(|e| e.message)?.root;
        let what = match changes(&stored, &artifact.to_value()).first() {
            Some(change) => format!("the records give another figure at {}", pointer::name(&change.at)),
            None => "the figures are right, written otherwise".to_owned(),
        };
        return Ok(Checked::Differs { card, what });
    }
    let run = card.parent().map(RunFolder::at).filter(RunFolder::is_run);
    let mut since = 0;
    if let Some(run) = run {
        let played = read_records(&run.episodes())?;
        if let Some(i) = (0..records.len()).find(|&i| played.get(i) != Some(&records[i])) {
            let what = format!("the card's record {} is not the run's", i + 1);
            return Ok(Checked::Differs { card, what });
        }
        since = (played.len() - records.len()) as u64;
    }
    Ok(Checked::Same { card, since })
}
