//! Harnesses: reading and configuring them, their models, skills and plugins.

use crate::uhp::server::app::App;
use crate::uhp::server::extract::{Body, Owner, Params};
use crate::uhp::server::mint;
use crate::uhp::server::reply::ok;
use crate::uhp::server::store::{Change, Table};
use crate::uhp::server::world::HarnessRow;
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::harness::{self, Config, Harness};
use crate::uhp::wire::model::{self, BACKEND, Model};
use crate::uhp::wire::{Json, plugin};
use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;

fn shown(app: &App, harness: &Harness) -> Json {
    let plays = app.stage.rehearsal(&harness.config.base, &harness.config.rehearsal);
    harness.json(app.base_label(&harness.config.base), app.default_model(), &plays)
}

/// `GET /v1/harnesses`: the default first.
pub(super) async fn list(State(app): State<Arc<App>>, Owner(owner): Owner) -> Response {
    let world = app.world();
    let list: Vec<Json> = world.harnesses_of(&owner).into_iter().map(|row| shown(&app, &row.harness)).collect();
    ok(&json!({ "harnesses": list }))
}

/// `GET /v1/harnesses/{id}`.
pub(super) async fn get(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    Ok(ok(&shown(&app, &app.world().harness(&owner, path.at(0))?.harness)))
}

/// `POST /v1/harnesses`.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    Body(body): Body,
) -> Result<Response, Problem> {
    let config = check(&app, harness::read(&body, None)?).await?;
    let id = mint::id("chrn_")?;
    let (answer, saved) = {
        let mut world = app.world();
        if world.harnesses_of(&owner).len() >= app.config.limits.harnesses {
            let message = "There are as many harnesses as one may have.";
            return Err(
                Problem::new(Code::QuotaExhausted, message).detail("max_harnesses", app.config.limits.harnesses)
            );
        }
        let harness = Harness { id: id.clone(), created_at_ms: mint::now_ms(), config };
        let answer = shown(&app, &harness);
        let row = HarnessRow { owner, order: world.order(), harness };
        let change = Change::row(Table::Harness, id.clone(), &row);
        world.harnesses.insert(id, row);
        (answer, app.save(vec![change]))
    };
    saved.safe().await?;
    Ok(ok(&answer))
}

/// `PUT /v1/harnesses/{id}`: replaces everything but id, base and time of making. Another base than its own is refused
/// rather than ignored.
pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
    Body(body): Body,
) -> Result<Response, Problem> {
    let id = path.at(0).to_owned();
    let base = app.world().harness(&owner, &id)?.harness.config.base.clone();
    let config = harness::read(&body, Some(&base))?;
    if config.base != base {
        return Err(Problem::invalid("base", "The base of a harness never changes; make another harness."));
    }
    let config = check(&app, config).await?;
    let (answer, saved) = {
        let mut world = app.world();
        world.harness(&owner, &id)?;
        let Some(row) = world.harnesses.get_mut(&id) else {
            return Err(Problem::new(Code::HarnessNotFound, "There is no such harness."));
        };
        row.harness.config = config;
        (shown(&app, &row.harness), app.save(vec![Change::row(Table::Harness, id, row)]))
    };
    saved.safe().await?;
    Ok(ok(&answer))
}

/// What only the server can tell: whether the base is served, the model is one, the planned tasks can be planned.
async fn check(app: &Arc<App>, config: Config) -> Result<Config, Problem> {
    if !app.has_base(&config.base) {
        let supported: Vec<&str> = app.bases.iter().map(|b| b.id.as_str()).collect();
        return Err(Problem::new(Code::UnsupportedBase, "This server does not serve this base.")
            .param("base")
            .detail("supported", json!(supported)));
    }
    if config.default_model.as_ref().is_some_and(|m| app.cast.iter().all(|c| c.id != *m)) {
        return Err(Problem::new(Code::ModelUnavailable, "There is no such model.").param("default_model"));
    }
    let (stage, base, rehearsal) = (app.stage.clone(), config.base.clone(), config.rehearsal.clone());
    let check = move || stage.check_harness(&base, &rehearsal);
    tokio::task::spawn_blocking(check).await.unwrap_or_else(|_| Err(super::super::layers::internal()))?;
    Ok(config)
}

/// `DELETE /v1/harnesses/{id}`: its sessions and responses stay.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let id = path.at(0).to_owned();
    let saved = {
        let mut world = app.world();
        world.harness(&owner, &id)?;
        world.harnesses.remove(&id);
        app.save(vec![Change::Remove(Table::Harness, id.clone())])
    };
    saved.safe().await?;
    Ok(ok(&json!({ "id": id, "object": "harness", "deleted": true })))
}

fn models_of(app: &App, base: Option<&str>, default: &str) -> Vec<Model> {
    let available = base.is_none_or(|b| app.has_base(b));
    let model = |c: &crate::uhp::server::stage::Cast| Model {
        id: c.id.clone(),
        label: c.label.clone(),
        backend: BACKEND.to_owned(),
        available,
        default: c.id == default,
    };
    app.cast.iter().map(model).collect()
}

/// `GET /v1/models`.
pub(super) async fn catalog(State(app): State<Arc<App>>, _: Owner) -> Response {
    let default = app.default_model();
    ok(&model::catalog(default, &models_of(&app, None, default)))
}

/// `GET /v1/harnesses/{id}/models`.
pub(super) async fn models(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let world = app.world();
    let harness = &world.harness(&owner, path.at(0))?.harness;
    let default = harness.config.default_model.as_deref().unwrap_or(app.default_model());
    let models = models_of(&app, Some(&harness.config.base), default);
    Ok(ok(&model::of_harness(&harness.id, default, &models)))
}

/// `GET /v1/harnesses/{id}/skills/{name}/files`.
pub(super) async fn skill_files(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let world = app.world();
    let skills = &world.harness(&owner, path.at(0))?.harness.config.skills;
    let skill = skills
        .iter()
        .find(|s| s.name == path.at(1))
        .ok_or_else(|| Problem::new(Code::FileNotFound, "The harness has no such skill."))?;
    Ok(ok(&json!({ "files": skill.folder() })))
}

/// `GET /v1/harnesses/{id}/plugins/{name}/files`.
pub(super) async fn plugin_files(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let world = app.world();
    let plugins = &world.harness(&owner, path.at(0))?.harness.config.plugins;
    let plugin = plugins
        .iter()
        .find(|p| p.name == path.at(1))
        .ok_or_else(|| Problem::new(Code::PluginNotFound, "The harness has no such plugin."))?;
    Ok(ok(&json!({ "files": plugin.files })))
}

/// `GET /v1/harnesses/{id}/plugin`: the harness's own servers and skills as a package.
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let world = app.world();
    let harness = &world.harness(&owner, path.at(0))?.harness;
    let name = harness.config.name.as_deref().unwrap_or_else(|| app.base_label(&harness.config.base));
    Ok(ok(&plugin::export(harness, name)))
}
