//! Bytes to text: the encodings of JSON (rules 2.3) and of YAML (rules 2.5).

use std::borrow::Cow;

/// Decoded text. Each lone surrogate of the source stands in it as U+FFFD.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    /// Byte offsets in `text` of the characters that stand for a lone surrogate, ascending.
    pub(super) surrogates: Vec<usize>,
}

/// Bytes that are no text of their encoding: its name and the offset of the first bad byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Undecodable {
    pub(super) encoding: &'static str,
    pub(super) offset: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Big,
    Little,
}

/// Decodes as JSON is decoded: by byte order mark, else by where the zero bytes of the first four stand.
pub(super) fn json(bytes: &[u8]) -> Result<Decoded<'_>, Undecodable> {
    use Order::{Big, Little};
    match bytes {
        [0, 0, 0xfe, 0xff, rest @ ..] => utf32(rest, Big, 4),
        [0xff, 0xfe, 0, 0, rest @ ..] => utf32(rest, Little, 4),
        [0xfe, 0xff, rest @ ..] => utf16(rest, Big, 2),
        [0xff, 0xfe, rest @ ..] => utf16(rest, Little, 2),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest, 3),
        [0, 0, _, _, ..] => utf32(bytes, Big, 0),
        [0, _, _, _, ..] | [0, _] => utf16(bytes, Big, 0),
        [_, 0, 0, 0, ..] => utf32(bytes, Little, 0),
        [_, 0, _, _, ..] | [_, 0] => utf16(bytes, Little, 0),
        _ => utf8(bytes, 0),
    }
}

/// UTF-8 that also lets an encoded surrogate (`ED A0 80` to `ED BF BF`) through; a pair of them stays two lone ones.
fn utf8(bytes: &[u8], skipped: usize) -> Result<Decoded<'_>, Undecodable> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Decoded { text: Cow::Borrowed(text), surrogates: Vec::new() }),
        Err(error) => error,
    };
    let (mut text, mut surrogates) = (String::with_capacity(bytes.len()), Vec::new());
    let (mut done, mut valid) = (0, error.valid_up_to());
    loop {
        // what stands before the bad byte was just found to be valid
        text.push_str(&String::from_utf8_lossy(&bytes[done..done + valid]));
        done += valid;
        match &bytes[done..] {
            [] => return Ok(Decoded { text: Cow::Owned(text), surrogates }),
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => {
                surrogates.push(text.len());
                text.push(char::REPLACEMENT_CHARACTER);
                done += 3;
            }
            _ => return Err(Undecodable { encoding: "UTF-8", offset: skipped + done }),
        }
        valid = match std::str::from_utf8(&bytes[done..]) {
            Ok(rest) => rest.len(),
            Err(error) => error.valid_up_to(),
        };
    }
}

fn utf16(bytes: &[u8], order: Order, skipped: usize) -> Result<Decoded<'static>, Undecodable> {
    let (units, odd) = bytes.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(Undecodable { encoding: "UTF-16", offset: skipped + bytes.len() - 1 });
    }
    let units = units.iter().map(|&b| if order == Order::Big { u16::from_be_bytes(b) } else { u16::from_le_bytes(b) });
    let (mut text, mut surrogates) = (String::with_capacity(bytes.len() / 2), Vec::new());
    for c in char::decode_utf16(units) {
        text.push(c.unwrap_or_else(|_| {
            surrogates.push(text.len());
            char::REPLACEMENT_CHARACTER
        }));
    }
    Ok(Decoded { text: Cow::Owned(text), surrogates })
}

fn utf32(bytes: &[u8], order: Order, skipped: usize) -> Result<Decoded<'static>, Undecodable> {
    let (units, odd) = bytes.as_chunks::<4>();
    let (mut text, mut surrogates) = (String::with_capacity(bytes.len() / 4), Vec::new());
    for (i, &b) in units.iter().enumerate() {
        let n = if order == Order::Big { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) };
        match char::from_u32(n) {
            Some(c) => text.push(c),
            None if (0xd800..=0xdfff).contains(&n) => {
                surrogates.push(text.len());
                text.push(char::REPLACEMENT_CHARACTER);
            }
            None => return Err(Undecodable { encoding: "UTF-32", offset: skipped + i * 4 }),
        }
    }
    if odd.is_empty() {
        Ok(Decoded { text: Cow::Owned(text), surrogates })
    } else {
        Err(Undecodable { encoding: "UTF-32", offset: skipped + bytes.len() - odd.len() })
    }
}

/// Decodes as YAML is decoded: UTF-16 with its byte order mark, else strict UTF-8; one leading U+FEFF is dropped.
pub(super) fn yaml(bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
    let utf16 = match bytes {
        [0xfe, 0xff, rest @ ..] => Some(utf16(rest, Order::Big, 2)?),
        [0xff, 0xfe, rest @ ..] => Some(utf16(rest, Order::Little, 2)?),
        _ => None,
    };
    if let Some(decoded) = utf16 {
        return match decoded.surrogates.first() {
            None => Ok(decoded.text),
            Some(&at) => {
                Err(Undecodable { encoding: "UTF-16", offset: 2 + decoded.text[..at].encode_utf16().count() * 2 })
            }
        };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text))),
        Err(error) => Err(Undecodable { encoding: "UTF-8", offset: error.valid_up_to() }),
    }
}
