//! Tasks.toml, the user settings, flags resolved, each value with its origin.
