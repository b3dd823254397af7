//! Lines on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// No line of ours comes near this many bytes; a longer one is refused rather than held.
const LONGEST: u64 = 1 << 28;

/// A file of lines, open for appending. Only one holder at a time, in any process.
#[derive(Debug)]
pub struct Lines {
    file: File,
    /// Bytes of whole lines.
    len: u64,
}

impl Lines {
    /// Opens a file, made when missing, and cuts a torn last line off. `WouldBlock` when another process holds it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.try_lock().map_err(io::Error::from)?;
        let len = whole_length(&mut file)?;
        if file.metadata()?.len() != len {
            file.set_len(len)?;
            file.sync_data()?;
        }
        Ok(Self { file, len })
    }

    /// Bytes of whole lines in the file.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends one line; its newline is added. What cannot be written whole is not there.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        let mut block = Vec::with_capacity(line.len() + 1);
        block.extend_from_slice(line.as_bytes());
        block.push(b'\n');
        self.append_block(&block)
    }

    /// Appends a block of whole lines, each with its newline, in one write.
    pub fn append_block(&mut self, block: &[u8]) -> io::Result<()> {
        debug_assert!(block.is_empty() || block.ends_with(b"\n"), "a block holds whole lines");
        if let Err(error) = self.file.write_all(block) {
            // A full disk may have taken a part: what is there must stay whole lines.
            self.file.set_len(self.len)?;
            return Err(error);
        }
        self.len += block.len() as u64;
        Ok(())
    }

    /// Returns when everything appended is on the disk.
    pub fn commit(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Whether a file ends in something that is not a whole line; a missing file does not.
pub fn is_torn(path: &Path) -> io::Result<bool> {
    no_pipe(path)?;
    match File::open(path) {
        Ok(mut file) => {
            let mut last = [b'\n'];
            if file.metadata()?.len() > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            Ok(last != [b'\n'])
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// How many bytes of a file are whole lines: up to and with its last newline.
fn whole_length(file: &mut File) -> io::Result<u64> {
    const STEP: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    let mut buffer = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        buffer.resize((end - start) as usize, 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut buffer)?;
        if let Some(at) = buffer.iter().rposition(|b| *b == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Reads whole lines one by one, without holding the file.
#[derive(Debug)]
pub struct WholeLines {
    reader: BufReader<File>,
    line: Vec<u8>,
    offset: u64,
}

impl WholeLines {
    /// The next whole line without its newline, and where in the file it begins; `None` at the end or at a torn line.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        self.line.clear();
        let read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.line)?;
        if self.line.pop() != Some(b'\n') {
            let torn = (read as u64) < LONGEST;
            return if torn { Ok(None) } else { Err(io::Error::new(io::ErrorKind::InvalidData, "a line is too long")) };
        }
        let at = self.offset;
        self.offset += read as u64;
        Ok(Some((at, &self.line)))
    }

    /// Goes to a place that a line begins at.
    pub fn go_to(&mut self, offset: u64) -> io::Result<()> {
        self.reader.seek(SeekFrom::Start(offset))?;
        self.offset = offset;
        Ok(())
    }
}

/// Refuses a pipe, a device or a folder: opening one can wait for ever, and reading one can end never.
fn no_pipe(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file")),
        _ => Ok(()),
    }
}

/// The whole lines of a file; a missing file has none.
pub fn whole_lines(path: &Path) -> io::Result<Option<WholeLines>> {
    no_pipe(path)?;
    match File::open(path) {
        Ok(file) => {
            Ok(Some(WholeLines { reader: BufReader::with_capacity(1 << 16, file), line: Vec::new(), offset: 0 }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Cuts a file to its first `n` whole lines (those it has, when they are fewer); a missing file is left missing.
pub fn keep_lines(path: &Path, n: u64) -> io::Result<()> {
    let Some(mut lines) = whole_lines(path)? else { return Ok(()) };
    let mut kept = 0;
    while kept < n && lines.next_line()?.is_some() {
        kept += 1;
    }
    let length = lines.offset;
    let file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() != length {
        file.set_len(length)?;
        file.sync_data()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Vec<(u64, String)> {
        let mut lines = whole_lines(path).unwrap().unwrap();
        let mut all = Vec::new();
        while let Some((at, line)) = lines.next_line().unwrap() {
            all.push((at, String::from_utf8(line.to_vec()).unwrap()));
        }
        all
    }

    #[test]
    fn a_file_cut_at_any_byte_goes_on_after_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let whole = "first\n\nthird is longer\n";
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let kept = whole[..cut].matches('\n').count();
            assert_eq!(is_torn(&path).unwrap(), cut > 0 && !whole[..cut].ends_with('\n'), "cut at {cut}");
            let mut lines = Lines::open(&path).unwrap();
            assert!(!is_torn(&path).unwrap());
            lines.append("next").unwrap();
            lines.commit().unwrap();
            let read = read(&path);
            assert_eq!(read.len(), kept + 1, "cut at {cut}");
            assert_eq!(read[kept].1, "next");
            assert_eq!(lines.len(), std::fs::metadata(&path).unwrap().len());
        }
    }

    #[test]
    fn a_torn_line_longer_than_a_step_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, format!("a\n{}", "x".repeat(200_000))).unwrap();
        assert_eq!(Lines::open(&path).unwrap().len(), 2);
        std::fs::write(&path, "x".repeat(200_000)).unwrap();
        assert!(Lines::open(&path).unwrap().is_empty());
    }

    #[test]
    fn lines_are_kept_by_number_and_found_by_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "one\ntwo\nthree\ntorn").unwrap();
        assert_eq!(read(&path)[2], (8, "three".to_owned()));
        let mut lines = whole_lines(&path).unwrap().unwrap();
        lines.go_to(4).unwrap();
        assert_eq!(lines.next_line().unwrap(), Some((4, &b"two"[..])));
        assert_eq!(lines.next_line().unwrap(), Some((8, &b"three"[..])));
        keep_lines(&path, 9).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        keep_lines(&path, 1).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\n");
        keep_lines(&folder.path().join("missing"), 1).unwrap();
        assert!(whole_lines(&folder.path().join("missing")).unwrap().is_none());
        assert_eq!(whole_lines(folder.path()).unwrap_err().to_string(), "it is not a file");
        if cfg!(unix) {
            assert_eq!(whole_lines(Path::new("/dev/zero")).unwrap_err().to_string(), "it is not a file");
        }
    }

    #[test]
    fn a_file_has_one_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let held = Lines::open(&path).unwrap();
        assert_eq!(Lines::open(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(held);
        Lines::open(&path).unwrap();
    }
}
