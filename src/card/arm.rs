//! What an arm's id says: dial, level, whether it is a control (ids of built-in tasks too, `distractor:r2+len(r14)@k16`).

/// An arm's id, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmName {
    /// The word before the colon.
    pub knob: String,
    /// The number after the letter.
    pub level: i64,
    /// A control arm: its id carries a `+`.
    pub control: bool,
}

impl ArmName {
    /// Takes an id apart; `None` when it is not an arm id.
    pub fn parse(id: &str) -> Option<Self> {
        let (knob, rest) = id.split_once(':')?;
        let digits: String =
            rest.chars().skip_while(char::is_ascii_alphabetic).take_while(char::is_ascii_digit).collect();
        Some(Self { knob: knob.to_owned(), level: digits.parse().ok()?, control: rest.contains('+') })
    }

    /// The fewest calls a pass takes on a built-in task; not known of any other.
    pub fn minimum_calls(&self) -> Option<u64> {
        match self.knob.as_str() {
            "depth" => u64::try_from(self.level).ok(),
            "distractor" => Some(2),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_ids_apart() {
        let name = |knob: &str, level, control| Some(ArmName { knob: knob.to_owned(), level, control });
        assert_eq!(ArmName::parse("depth:d8"), name("depth", 8, false));
        assert_eq!(ArmName::parse("depth:d2+h5"), name("depth", 2, true));
        assert_eq!(ArmName::parse("distractor:r14@k16"), name("distractor", 14, false));
        assert_eq!(ArmName::parse("distractor:r0+len(r8)@k16"), name("distractor", 0, true));
        assert_eq!(ArmName::parse("history:t2400"), name("history", 2400, false));
        assert_eq!(ArmName::parse("depth"), None);
        assert_eq!(ArmName::parse("depth:d"), None);
    }
}
