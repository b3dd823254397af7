//! Colours and signs.
