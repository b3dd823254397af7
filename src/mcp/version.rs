//! The protocol's versions.

/// A version of the protocol that is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26, the only one with batches.
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28, without sessions: each request carries its own version.
    V2026_07_28,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Version; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// The newest one that opens with `initialize`.
    pub const NEWEST_LEGACY: Version = Self::V2025_11_25;

    /// As it is written in frames.
    pub fn word(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The version of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.word() == word)
    }

    /// Whether requests carry their version themselves and nothing is remembered between them.
    pub fn is_modern(self) -> bool {
        self == Self::V2026_07_28
    }

    /// Whether several frames may come as one list.
    pub fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }
}
