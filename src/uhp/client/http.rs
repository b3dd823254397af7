//! Requests: the version agreed on, the key only to its own host, bodies bounded, retries where they are allowed.

use super::pace::Pace;
use super::retry::{Again, MOST, jitter, wait};
use super::{Address, Error, error::of_transport};
use crate::uhp::wire::error::{Code, ErrorBody};
use crate::uhp::wire::{Fields, Json, version};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Method, Response, Url};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

/// Largest JSON answer and largest download taken, in bytes.
const LARGEST_JSON: usize = 64 << 20;
const LARGEST_FILE: usize = 1 << 30;

/// Most characters told of what a server says outside the protocol.
const LONGEST_SAID: usize = 300;

/// Slowest line on which an upload is waited for, in bytes a second.
const SLOWEST_UPLOAD: u64 = 50_000;

/// Longest silence while it says why it refuses.
const ERROR_SILENCE: Duration = Duration::from_secs(10);

/// Most redirects of a download that are followed.
const MOST_REDIRECTS: usize = 5;

/// How a client is set up.
#[derive(Clone)]
pub struct Settings {
    /// The server.
    pub address: Address,
    /// The bearer key.
    pub key: Option<String>,
    /// Longest wait for a connection.
    pub connect: Duration,
    /// Longest wait for the beginning of the answer to a small request.
    pub answer: Duration,
    /// Longest silence of an answer's body or of a stream; streams say that they are alive at least every 30 s.
    pub silence: Duration,
}

impl Settings {
    /// The usual waits.
    pub fn new(address: Address, key: Option<String>) -> Self {
        Self {
            address,
            key,
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            silence: Duration::from_secs(75),
        }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("address", &self.address).finish_non_exhaustive()
    }
}

/// A client of one server; cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    pub(super) settings: Arc<Settings>,
    http: reqwest::Client,
    version: Arc<Mutex<&'static str>>,
    capabilities: Arc<Mutex<Option<Fields>>>,
}

/// One request, ready to be sent as often as needed.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) body: Option<Arc<Json>>,
    pub(super) headers: HeaderMap,
    pub(super) again: Again,
    /// Longest wait for the beginning of the answer; `None` for a stream or a task that is waited for.
    pub(super) answer: Option<Duration>,
}

impl Client {
    /// A client; the error says why the machine's TLS cannot be set up.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // Another part of the process may have installed one already; that one serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let http = reqwest::Client::builder()
            .connect_timeout(settings.connect)
            // Redirects are followed by hand, so that the key never follows one to another host.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
            .tcp_keepalive(Duration::from_secs(30))
            .build()
            .map_err(of_transport)?;
        Ok(Self {
            settings: Arc::new(settings),
            http,
            version: Arc::new(Mutex::new(version::DEFAULT)),
            capabilities: Arc::default(),
        })
    }

    /// The server's address.
    pub fn address(&self) -> &Address {
        &self.settings.address
    }

    /// The version spoken: the newest, or what the server brought it down to.
    pub fn version(&self) -> &'static str {
        *self.version.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A GET of a path below the base.
    pub async fn get(&self, parts: &[&str], query: &[(&str, &str)]) -> Result<Json, Error> {
        let mut request = self.request(Method::GET, parts, Again::Harmless);
        if !query.is_empty() {
            request.url.query_pairs_mut().extend_pairs(query);
        }
        self.json(request).await
    }

    /// A POST or PUT that may be repeated without doing more, or a DELETE.
    pub async fn send(&self, method: Method, parts: &[&str], body: Option<Json>) -> Result<Json, Error> {
        let again = if method == Method::POST && body.is_some() { Again::Doubles } else { Again::Harmless };
        let mut request = self.request(method, parts, again);
        request.body = body.map(Arc::new);
        self.json(request).await
    }

    /// The discovery document; what it says of capabilities is remembered.
    pub async fn discover(&self) -> Result<Json, Error> {
        let document = self.get(&["v1", "uhp"], &[]).await?;
        if document.get("protocol").and_then(Json::as_str) != Some("uhp") {
            return Err(Error::Protocol("not a server of the Unified Harness Protocol".to_owned()));
        }
        let capabilities = document.get("capabilities").and_then(Json::as_object).cloned().unwrap_or_default();
        *self.capabilities.lock().unwrap_or_else(PoisonError::into_inner) = Some(capabilities);
        Ok(document)
    }

    /// Whether the server has a capability; asked once. A server that cannot be asked, or does not say, has none.
    pub async fn can(&self, capability: &str) -> bool {
        let known = || self.capabilities.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if known().is_none() && self.discover().await.is_err() {
            return false;
        }
        known().is_some_and(|c| c.get(capability).and_then(Json::as_bool) == Some(true))
    }

    pub(super) fn request(&self, method: Method, parts: &[&str], again: Again) -> Request {
        Request {
            method,
            url: self.settings.address.join(parts),
            body: None,
            headers: HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]),
            again,
            answer: Some(self.settings.answer),
        }
    }

    /// Sends a request until it is answered or must not be repeated, and reads the JSON of its answer.
    pub(super) async fn json(&self, request: Request) -> Result<Json, Error> {
        let again = request.again;
        let mut sent = 0;
        loop {
            sent += 1;
            let tried = match self.once(&request).await {
                Ok(response) => read_json(response, self.settings.silence).await,
                Err(error) => Err(error),
            };
            let Err(error) = tried else { return tried };
            match wait(&error, again, sent, jitter()) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(error),
            }
        }
    }

    /// Sends a request until it is answered with success or must not be repeated.
    pub(super) async fn open(&self, request: &Request) -> Result<Response, Error> {
        for sent in 1..=MOST {
            match self.once(request).await {
                Ok(response) => return Ok(response),
                Err(error) => match wait(&error, request.again, sent, jitter()) {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(error),
                },
            }
        }
        Err(Error::Silent("it was asked too often".to_owned()))
    }

    /// Sends a request once; a version that the server does not speak is brought down, once, and sent again.
    async fn once(&self, request: &Request) -> Result<Response, Error> {
        match self.dispatch(request, self.version()).await {
            Err(Error::Refused { error, .. }) if error.code == Code::UnsupportedProtocolVersion.word() => {
                let listed = error.detail.as_ref().and_then(|d| d.get("supported")).and_then(Json::as_array);
                let offered: Vec<String> =
                    listed.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect();
                let Some(lower) = version::downgrade(&offered).filter(|v| *v != self.version()) else {
                    let status = Code::UnsupportedProtocolVersion.status();
                    return Err(Error::Refused { status, error, retry_after: None });
                };
                *self.version.lock().unwrap_or_else(PoisonError::into_inner) = lower;
                self.dispatch(request, lower).await
            }
            other => other,
        }
    }

    async fn dispatch(&self, request: &Request, version: &str) -> Result<Response, Error> {
        let mut builder = self
            .http
            .request(request.method.clone(), request.url.clone())
            .headers(request.headers.clone())
            .header(version::HEADER, version);
        if let Some(key) = self.key_for(&request.url) {
            builder = builder.header(AUTHORIZATION, key);
        }
        if let Some(body) = &request.body {
            builder = builder.json(&**body);
        }
        let response = match request.answer {
            Some(most) => within(most, builder.send()).await?,
            None => builder.send().await.map_err(of_transport)?,
        };
        checked(response, self.settings.silence).await
    }

    /// The key as a header, only for addresses on the server itself.
    fn key_for(&self, url: &Url) -> Option<HeaderValue> {
        let key = self.settings.key.as_ref().filter(|_| self.settings.address.is_home(url))?;
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Uploads a file and gives its object.
    pub async fn upload(&self, name: &str, bytes: Vec<u8>, purpose: &str) -> Result<Json, Error> {
        let url = self.settings.address.join(&["v1", "files"]);
        let size = bytes.len();
        let part = reqwest::multipart::Part::bytes(bytes).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().text("purpose", purpose.to_owned()).part("file", part);
        let mut builder = self.http.post(url.clone()).header(version::HEADER, self.version()).multipart(form);
        if let Some(key) = self.key_for(&url) {
            builder = builder.header(AUTHORIZATION, key);
        }
        let (silence, answer) = (self.settings.silence, self.settings.answer);
        // A slow line is no silence: the bytes have their own time to go.
        let most = answer + Duration::from_secs(size as u64 / SLOWEST_UPLOAD);
        read_json(checked(within(most, builder.send()).await?, silence).await?, silence).await
    }

    /// Downloads an address that the server named. The key goes along only while the address is on the server itself; a
    /// redirect from https to http is refused.
    pub async fn download(&self, named: &str) -> Result<Vec<u8>, Error> {
        let mut url = self.settings.address.resolve(named).map_err(Error::Protocol)?;
        for _ in 0..=MOST_REDIRECTS {
            if !matches!(url.scheme(), "http" | "https") {
                return Err(Error::Protocol("a download address is neither http nor https".to_owned()));
            }
            let mut builder = self.http.get(url.clone());
            if let Some(key) = self.key_for(&url) {
                builder = builder.header(AUTHORIZATION, key).header(version::HEADER, self.version());
            }
            let response = within(self.settings.answer, builder.send()).await?;
            if !response.status().is_redirection() {
                return read_bytes(
                    checked(response, self.settings.silence).await?,
                    LARGEST_FILE,
                    self.settings.silence,
                )
                .await;
            }
            let next = response.headers().get(LOCATION).and_then(|l| l.to_str().ok());
            let next = next.and_then(|l| url.join(l).ok());
            let next = next.ok_or_else(|| Error::Protocol("a redirect leads nowhere".to_owned()))?;
            if url.scheme() == "https" && next.scheme() == "http" {
                return Err(Error::Protocol("a download leads from https to http".to_owned()));
            }
            url = next;
        }
        Err(Error::Protocol("a download is redirected too often".to_owned()))
    }
}

/// What is sent, when its answer begins in time.
async fn within(most: Duration, sent: impl Future<Output = reqwest::Result<Response>>) -> Result<Response, Error> {
    let begun = tokio::time::timeout(most, sent).await;
    begun.map_err(|_| Error::Silent(format!("no answer began in {} s", most.as_secs())))?.map_err(of_transport)
}

/// The answer, when it is a success; otherwise the refusal it tells.
async fn checked(response: Response, silence: Duration) -> Result<Response, Error> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if status.is_redirection() {
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("nowhere");
        let to = crate::text::cut(to, LONGEST_SAID).into_owned();
        return Err(Error::Protocol(format!("it redirects to {to}: give that address if it is right")));
    }
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let body = read_bytes(response, 1 << 20, silence.min(ERROR_SILENCE)).await.unwrap_or_default();
    let body = serde_json::from_slice::<Json>(&body).unwrap_or_default();
    let error = ErrorBody::read(&body).unwrap_or_else(|| {
        let said = ["error", "detail", "message"].into_iter().find_map(|key| body.get(key)?.as_str());
        let said = said.map(|said| crate::text::cut(said, LONGEST_SAID).into_owned());
        ErrorBody {
            kind: String::new(),
            code: String::new(),
            message: said.unwrap_or_else(|| format!("The server answered {status} without saying why.")),
            param: None,
            detail: None,
        }
    });
    Err(Error::Refused { status: status.as_u16(), error: Box::new(error), retry_after })
}

pub(super) async fn read_json(response: Response, silence: Duration) -> Result<Json, Error> {
    let is_page = response.headers().get(CONTENT_TYPE).and_then(|t| t.to_str().ok());
    let is_page = is_page.is_some_and(|t| t.trim_start().starts_with("text/html"));
    let bytes = read_bytes(response, LARGEST_JSON, silence).await?;
    if bytes.is_empty() {
        return Ok(Json::Null);
    }
    serde_json::from_slice(&bytes).map_err(|e| {
        Error::Protocol(if is_page {
            "it is a web page, not JSON: the address is not that of a server of the protocol".to_owned()
        } else {
            format!("it is not JSON: {e}")
        })
    })
}

/// The whole body, bounded in size, in the silence between its pieces and in how slowly they come.
async fn read_bytes(mut response: Response, most: usize, silence: Duration) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut pace = Pace::new(silence);
    loop {
        let piece = tokio::time::timeout(silence, response.chunk())
            .await
            .map_err(|_| Error::Silent("its answer stopped half way".to_owned()))?;
        match piece.map_err(of_transport)? {
            None => return Ok(bytes),
            Some(piece) if bytes.len() + piece.len() > most => {
                return Err(Error::Protocol(format!("its answer is larger than {most} bytes")));
            }
            Some(piece) => {
                pace.take(piece.len())?;
                bytes.extend_from_slice(&piece);
            }
        }
    }
}
