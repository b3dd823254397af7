//! A server whose harnesses are rehearsals.
