//! Models as the server offers them: each is a player.

use serde::Serialize;
use serde_json::json;

use super::Json;

/// One model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// Canonical id, `rehearsal/reference`.
    pub id: String,
    /// What it is, in a line.
    pub label: String,
    /// The backend it is listed under.
    pub backend: String,
    /// Whether it can be served right now.
    pub available: bool,
    /// Whether it is the default.
    pub default: bool,
}

/// The one backend's name.
pub const BACKEND: &str = "rehearsal";

/// The catalog of all models by backend.
pub fn catalog(default: &str, models: &[Model]) -> Json {
    json!({ "backends": { BACKEND: { "default": default, "models": models } } })
}

/// The models of one harness, its default and what an unknown one falls back to.
pub fn of_harness(harness_id: &str, default: &str, models: &[Model]) -> Json {
    json!({
        "harness_id": harness_id, "backend": BACKEND, "default": default, "fallback": default, "models": models,
    })
}
