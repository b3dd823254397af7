//! Files: uploads, artifacts, downloads, the archive.

use crate::uhp::server::app::App;
use crate::uhp::server::extract::{Owner, Params};
use crate::uhp::server::mint;
use crate::uhp::server::reply::{Ours, ok};
use crate::uhp::server::world::{FileKind, FileRow};
use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::file::{File, disposition, media_type};
use crate::uhp::wire::input::too_large;
use crate::uhp::wire::path::{file_name, numbered};
use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde_json::json;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

/// Most parts of an upload, and most bytes of those that are not the file.
const MOST_PARTS: usize = 16;
const MOST_TEXT: usize = 4_096;

/// `POST /v1/files`: one file in a multipart form. Larger than the limit is refused, never cut.
pub(super) async fn upload(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    request: Request,
) -> Result<Response, Problem> {
    let most = app.config.limits.file_bytes;
    let reading = read_form(request, most);
    let (filename, bytes, purpose) = tokio::time::timeout(app.config.limits.body_wait, reading)
        .await
        .map_err(|_| Problem::new(Code::InvalidInput, "The body did not arrive in time."))??;
    let file = File {
        id: mint::id("file_")?,
        object: "file".to_owned(),
        container_id: None,
        filename,
        bytes: bytes.len() as u64,
        created_at: mint::now(),
        purpose: Some(purpose),
    };
    let saved = {
        let mut world = app.world();
        let row = FileRow { owner, order: world.order(), kind: FileKind::Upload, file: file.clone(), bytes };
        let changes = world.add_file(row, &app.config.limits);
        app.save(changes)
    };
    saved.safe().await?;
    Ok(ok(&file))
}

async fn read_form(request: Request, most: usize) -> Result<(String, Bytes, String), Problem> {
    let broken = || Problem::new(Code::InvalidInput, "The upload is not a multipart form that can be read.");
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| broken())?;
    let (mut file, mut purpose) = (None, "user_data".to_owned());
    for _ in 0..MOST_PARTS {
        let Some(field) = form.next_field().await.map_err(|_| broken())? else { break };
        match field.name() {
            Some("file") if file.is_none() => {
                let name = file_name(field.file_name().unwrap_or("file"));
                file = Some((name, read_field(field, most).await?));
            }
            Some("purpose") => {
                let text = read_field(field, MOST_TEXT).await?;
                String::from_utf8_lossy(&text).trim().clone_into(&mut purpose);
            }
            _ => {
                read_field(field, most).await?;
            }
        }
    }
    let (name, bytes) = file.ok_or_else(|| Problem::invalid("file", "The form has no part named file."))?;
    Ok((name, bytes, purpose))
}

async fn read_field(mut field: Field<'_>, most: usize) -> Result<Bytes, Problem> {
    let mut bytes = Vec::new();
    loop {
        match field.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > most => return Err(too_large(most).param("file")),
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(Bytes::from(bytes)),
            Err(_) => return Err(Problem::new(Code::InvalidInput, "The upload did not arrive whole.")),
        }
    }
}

fn artifacts(app: &App, owner: &str, id: &str) -> Result<Vec<FileRow>, Problem> {
    let world = app.world();
    let session = world.session(owner, id)?;
    Ok(session.files.iter().filter_map(|f| world.files.get(f)).cloned().collect())
}

/// `GET /v1/sessions/{id}/files`: the artifacts of all its tasks, oldest first.
pub(super) async fn list(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    let files: Vec<File> = artifacts(&app, &owner, path.at(0))?.into_iter().map(|r| r.file).collect();
    Ok(ok(&json!({ "files": files })))
}

/// `GET /v1/sessions/{id}/files/archive`: all artifacts in one zip; of two with one name, the later is numbered.
pub(super) async fn archive(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let rows = artifacts(&app, &owner, path.at(0))?;
    let made = tokio::task::spawn_blocking(move || zip(&rows)).await;
    let bytes = made.ok().and_then(Result::ok).ok_or_else(super::super::layers::internal)?;
    let name = format!("{}.zip", path.at(0));
    Ok(download_of(Bytes::from(bytes), "application/zip", &name))
}

fn zip(rows: &[FileRow]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut taken = HashSet::new();
    for row in rows {
        let mut n = 1;
        while !taken.insert(numbered(&row.file.filename, n)) {
            n += 1;
        }
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(numbered(&row.file.filename, n), options)?;
        writer.write_all(&row.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// `GET /v1/containers/{container}/files/{id}/content`: the bytes.
pub(super) async fn download(
    State(app): State<Arc<App>>,
    Owner(owner): Owner,
    path: Params,
) -> Result<Response, Problem> {
    let row = app.world().artifact(&owner, path.at(0), path.at(1))?.clone();
    Ok(download_of(row.bytes, media_type(&row.file.filename), &row.file.filename))
}

/// Bytes as they are, never to be run by a browser.
fn download_of(bytes: Bytes, media: &'static str, name: &str) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    if let Ok(value) = HeaderValue::from_str(&disposition(name)) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response.extensions_mut().insert(Ours);
    response
}

/// `GET /v1/containers/{container}/files/{id}/pdf`: no previews are made here.
pub(super) async fn pdf(State(app): State<Arc<App>>, Owner(owner): Owner, path: Params) -> Result<Response, Problem> {
    app.world().artifact(&owner, path.at(0), path.at(1))?;
    Err(Problem::new(Code::PreviewUnavailable, "This server makes no previews; download the file instead."))
}
