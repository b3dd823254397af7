//! Server-sent events: framing one, and a decoder that takes bytes as they come.

use crate::text;

/// The comment that keeps a quiet stream open.
pub const KEEP_ALIVE: &str = ": keep-alive\n\n";

/// One frame: an id when there is one, and the data, which is JSON in one line. What would act on a terminal goes as JSON
/// escapes, so that a stream may be looked at as it comes.
pub fn frame(id: Option<&str>, data: &str) -> String {
    let data = text::safe_json(data);
    match id {
        Some(id) => format!("id: {id}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
}

/// One event as received.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The `event` field.
    pub event: Option<String>,
    /// The `id` field of this frame.
    pub id: Option<String>,
    /// The data, lines joined.
    pub data: String,
}

/// A frame or a line grew beyond the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Turns bytes into frames, whatever the pieces they come in. Lines may end in LF, CR LF or CR; comments and fields it
/// does not know are skipped; a frame without data is none. Text that is not UTF-8 is read with replacements.
#[derive(Debug)]
pub struct Decoder {
    line: Vec<u8>,
    current: Frame,
    has_data: bool,
    after_cr: bool,
    first_line: bool,
    most: usize,
}

impl Decoder {
    /// A decoder that holds at most `most` bytes of one frame.
    pub fn new(most: usize) -> Self {
        Self { line: Vec::new(), current: Frame::default(), has_data: false, after_cr: false, first_line: true, most }
    }

    /// Takes more bytes and gives the frames they complete. A frame beyond the bound ends the stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Frame>, TooLong> {
        let mut frames = Vec::new();
        for &byte in bytes {
            let lf_of_crlf = byte == b'\n' && self.after_cr;
            self.after_cr = byte == b'\r';
            match byte {
                b'\n' if lf_of_crlf => {}
                b'\n' | b'\r' => frames.extend(self.end_line()),
                _ => {
                    if self.line.len() + self.current.data.len() >= self.most {
                        return Err(TooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(frames)
    }

    fn end_line(&mut self) -> Option<Frame> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = if std::mem::take(&mut self.first_line) { text.trim_start_matches('\u{feff}') } else { &text };
        if text.is_empty() {
            let frame = std::mem::take(&mut self.current);
            return std::mem::take(&mut self.has_data).then_some(frame);
        }
        let (field, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.current.data.push('\n');
                }
                self.current.data.push_str(value);
                self.has_data = true;
            }
            "event" => self.current.event = Some(value.to_owned()),
            "id" if !value.contains('\0') => self.current.id = Some(value.to_owned()),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(pieces: &[&[u8]]) -> Vec<Frame> {
        let mut decoder = Decoder::new(1 << 20);
        pieces.iter().flat_map(|p| decoder.push(p).unwrap()).collect()
    }

    fn data(frames: &[Frame]) -> Vec<&str> {
        frames.iter().map(|f| f.data.as_str()).collect()
    }

    #[test]
    fn frames_come_whole_whatever_the_pieces() {
        let text = "\u{feff}id: 0\ndata: {\"a\":\"é\"}\n\n: keep-alive\n\nevent: x\ndata: 1\ndata: 2\n\ndata: lost";
        let whole = decode(&[text.as_bytes()]);
        assert_eq!(data(&whole), ["{\"a\":\"é\"}", "1\n2"]);
        assert_eq!(whole[0].id.as_deref(), Some("0"));
        assert_eq!(whole[1].event.as_deref(), Some("x"));
        assert_eq!(whole[1].id, None);
        for size in 1..text.len() {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert_eq!(decode(&pieces), whole, "in pieces of {size}");
        }
    }

    #[test]
    fn all_three_line_ends_are_read() {
        assert_eq!(data(&decode(&[b"data: a\r\n\r\ndata: b\r\rdata:c\n\n"])), ["a", "b", "c"]);
        assert_eq!(data(&decode(&[b"data: a\r", b"\n\r", b"\ndata: b\n\n"])), ["a", "b"]);
    }

    #[test]
    fn an_empty_data_line_is_a_frame_and_a_lone_field_is_none() {
        assert_eq!(data(&decode(&[b"data\n\nid: 3\n\nretry: 5\n\n"])), [""]);
    }

    #[test]
    fn what_we_frame_we_decode() {
        let bytes = [frame(Some("7"), "{}"), KEEP_ALIVE.to_owned(), frame(None, "[]")].concat();
        let frames = decode(&[bytes.as_bytes()]);
        assert_eq!(data(&frames), ["{}", "[]"]);
        assert_eq!(frames[0].id.as_deref(), Some("7"));
    }

    #[test]
    fn an_endless_frame_is_cut_off() {
        let mut decoder = Decoder::new(100);
        assert_eq!(decoder.push(&[b'x'; 200]), Err(TooLong));
        let mut decoder = Decoder::new(100);
        let lines = b"data: 0123456789012345678901234567890123456789\n".repeat(4);
        assert_eq!(decoder.push(&lines), Err(TooLong));
    }
}
