//! Printing: everything that goes to stdout passes here, made safe for a terminal.

use super::Failure;
use crate::text;
use crate::value::{Value, canonical};
use std::io::Write;

/// Where a command prints. Lines are made safe: no control character of a file or server reaches the terminal raw.
pub struct Output {
    out: Box<dyn Write>,
}

impl Output {
    /// Buffered stdout.
    pub fn standard() -> Self {
        Self { out: Box::new(std::io::BufWriter::with_capacity(1 << 16, std::io::stdout())) }
    }

    /// Any writer, for tests.
    pub fn to(writer: impl Write + 'static) -> Self {
        Self { out: Box::new(writer) }
    }

    /// One line of text.
    pub fn line(&mut self, line: impl AsRef<str>) -> Result<(), Failure> {
        self.out.write_all(text::safe(line.as_ref()).as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Text of several lines, each made safe.
    pub fn lines(&mut self, lines: &str) -> Result<(), Failure> {
        lines.lines().try_for_each(|line| self.line(line))
    }

    /// A part of a text that goes on: its lines are made safe, the last of them is not ended.
    pub fn part(&mut self, part: &str) -> Result<(), Failure> {
        for (n, line) in part.split('\n').enumerate() {
            if n > 0 {
                self.out.write_all(b"\n")?;
            }
            self.out.write_all(text::safe(line.strip_suffix('\r').unwrap_or(line)).as_bytes())?;
        }
        Ok(())
    }

    /// An indented JSON document. Characters that could act on a terminal are written as JSON escapes.
    pub fn json(&mut self, value: &Value) -> Result<(), Failure> {
        self.out.write_all(text::safe_json(&canonical::pretty(value, false)).as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Bytes of our own making, as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes)?;
        Ok(())
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }

    /// The last flush.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}
