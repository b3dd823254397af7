//! A pattern cut into single characters and escapes of two.

/// One character, or a backslash and the character after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    Escape(char),
}

/// Reads tokens, with one of them in sight.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    letters: std::str::Chars<'a>,
    next: Option<Token>,
}

impl<'a> Tokens<'a> {
    /// The tokens of a pattern; `None` when it ends in the middle of an escape.
    pub(super) fn new(source: &'a str) -> Option<Self> {
        // an escape is a backslash and one more character, so an odd run of them at the end is half an escape
        let backslashes = source.chars().rev().take_while(|c| *c == '\\').count();
        if backslashes % 2 == 1 {
            return None;
        }
        let mut tokens = Self { letters: source.chars(), next: None };
        tokens.advance();
        Some(tokens)
    }

    fn advance(&mut self) {
        self.next = match self.letters.next() {
            Some('\\') => self.letters.next().map(Token::Escape),
            letter => letter.map(Token::Char),
        };
    }

    /// The token in sight.
    pub(super) fn peek(&self) -> Option<Token> {
        self.next
    }

    /// The character in sight, when it is not an escape.
    pub(super) fn peek_char(&self) -> Option<char> {
        if let Some(Token::Char(c)) = self.next { Some(c) } else { None }
    }

    /// Takes the token in sight.
    pub(super) fn take(&mut self) -> Option<Token> {
        let token = self.next;
        self.advance();
        token
    }

    /// Takes the character in sight if it is this one.
    pub(super) fn take_if(&mut self, wanted: char) -> bool {
        let found = self.next == Some(Token::Char(wanted));
        if found {
            self.advance();
        }
        found
    }

    /// Takes up to `most` characters that pass a test.
    pub(super) fn take_while(&mut self, most: usize, test: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        for _ in 0..most {
            let Some(letter) = self.peek_char().filter(|c| test(*c)) else { break };
            text.push(letter);
            self.advance();
        }
        text
    }

    /// Takes everything up to a closing character, and that; `None` when it does not come or nothing stands before it.
    pub(super) fn take_until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.take()? {
                Token::Char(c) if c == end => return Some(text).filter(|text| !text.is_empty()),
                Token::Char(c) => text.push(c),
                Token::Escape(c) => text.extend(['\\', c]),
            }
        }
    }
}
