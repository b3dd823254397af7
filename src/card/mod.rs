//! Figures, artifact, card.md, comparing two cards.
