//! Token counts in o200k_base (rules 5.4): the encoding is loaded when the first one is asked for.
use tiktoken_rs::o200k_base_singleton;

/// Tokens of a text in ordinary encoding: special tokens count as the text they are.
pub fn count(text: &str) -> u32 {
    u32::try_from(o200k_base_singleton().count_ordinary(text)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn special_tokens_count_as_text() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert!(count("<|endoftext|>") > 1);
    }
}
