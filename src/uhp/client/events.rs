//! A task's events as they come: repeated ones skipped, gaps found and filled by reading the response back, a broken
//! stream resumed where that does not run the work twice.

use super::http::{Client, Request, read_json};
use super::pace::Pace;
use super::retry::{Again, jitter};
use super::transcript::Transcript;
use super::{Error, error::of_transport};
use crate::uhp::wire::sse::Decoder;
use crate::uhp::wire::{Fields, Json};
use reqwest::header::HeaderValue;
use std::collections::VecDeque;
use std::time::Duration;

/// Largest event taken, in bytes.
const LARGEST_EVENT: usize = 32 << 20;

/// Most times in a row that a stream is resumed without a new event.
const MOST_TRIES: u32 = 6;

/// What a stream gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// The next event, in order.
    Event(Fields),
    /// Events were missed or the stream cannot be resumed: the response as read back.
    ReadBack {
        /// Why, in a line.
        why: String,
        /// The response.
        response: Json,
    },
    /// The stream broke and was resumed.
    TakenUp,
}

/// The names of events that end a stream.
pub const LAST: [&str; 3] = ["response.completed", "response.failed", "response.incomplete"];

/// Whether a status never changes again.
pub fn is_final(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "incomplete" | "cancelled")
}

/// The events of one task.
#[derive(Debug)]
pub struct Events {
    client: Client,
    request: Request,
    body: Option<reqwest::Response>,
    /// A response that came in place of a stream.
    whole: Option<Json>,
    pace: Pace,
    decoder: Decoder,
    waiting: VecDeque<Fields>,
    last: Option<u64>,
    response_id: Option<String>,
    tries: u32,
    over: bool,
}

impl Events {
    pub(super) async fn open(client: Client, request: Request) -> Result<Self, Error> {
        // A task that is streamed is begun at once: only a server that is not well is silent before its first line.
        let silence = client.settings.silence;
        let opened = tokio::time::timeout(silence, client.open(&request)).await;
        let body = opened.map_err(|_| Error::Silent(format!("no stream began in {} s", silence.as_secs())))??;
        let is_stream = body.headers().get("content-type").and_then(|t| t.to_str().ok());
        let is_stream = is_stream.is_some_and(|t| t.trim_start().starts_with("text/event-stream"));
        let (body, whole) = if is_stream {
            (Some(body), None)
        } else {
            // The work was done all the same: a response that comes whole is taken as it is.
            let whole = read_json(body, silence).await?;
            if !Transcript::is_response(&whole) {
                return Err(Error::Protocol("not an event stream".to_owned()));
            }
            (None, Some(whole))
        };
        Ok(Self {
            client,
            request,
            body,
            whole,
            pace: Pace::new(silence),
            decoder: Decoder::new(LARGEST_EVENT),
            waiting: VecDeque::new(),
            last: None,
            response_id: None,
            tries: 0,
            over: false,
        })
    }

    /// The response's id, once the first event told it.
    pub fn response_id(&self) -> Option<&str> {
        self.response_id.as_deref()
    }

    /// The next thing heard; `None` after the last event, or after a response read back that has ended.
    pub async fn next(&mut self) -> Option<Result<Heard, Error>> {
        if self.over {
            return None;
        }
        if let Some(response) = self.whole.take() {
            self.response_id = response.get("id").and_then(Json::as_str).map(str::to_owned);
            self.over = response.get("status").and_then(Json::as_str).is_some_and(is_final);
            return Some(Ok(Heard::ReadBack { why: "the server answered without a stream".to_owned(), response }));
        }
        loop {
            if let Some(event) = self.waiting.pop_front() {
                match self.take(event).await {
                    Some(heard) => return Some(heard),
                    None => continue,
                }
            }
            let broke = match self.receive().await {
                Ok(true) => continue,
                Ok(false) => Error::Broken("the stream ended before the task did".to_owned()),
                Err(error) => error,
            };
            return Some(self.recover(broke).await);
        }
    }

    /// Reads the next piece; false at the end of the body.
    async fn receive(&mut self) -> Result<bool, Error> {
        let Some(body) = &mut self.body else { return Ok(false) };
        let silence = self.client.settings.silence;
        let piece = tokio::time::timeout(silence, body.chunk())
            .await
            .map_err(|_| Error::Silent(format!("nothing came for {} s", silence.as_secs())))?;
        let Some(piece) = piece.map_err(of_transport)? else { return Ok(false) };
        if piece.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            self.pace.restart();
        } else {
            self.pace.take(piece.len())?;
        }
        let frames = self
            .decoder
            .push(&piece)
            .map_err(|_| Error::Protocol(format!("an event is larger than {LARGEST_EVENT} bytes")))?;
        for frame in frames {
            // A frame that is no event (`[DONE]`) says nothing.
            if let Ok(Json::Object(event)) = serde_json::from_str(&frame.data) {
                self.waiting.push_back(event);
            }
        }
        Ok(true)
    }

    /// Puts an event in its place: `None` for one that was there before.
    async fn take(&mut self, event: Fields) -> Option<Result<Heard, Error>> {
        let number = event.get("sequence_number").and_then(Json::as_u64);
        let kind = event.get("type").and_then(Json::as_str).unwrap_or_default();
        let ends = LAST.contains(&kind);
        if self.response_id.is_none() {
            let id = event.get("response").and_then(|r| r.get("id")).and_then(Json::as_str);
            self.response_id = id.map(str::to_owned);
        }
        let expected = self.last.map_or(0, |l| l + 1);
        if number.is_some_and(|n| n < expected) && !ends {
            return None;
        }
        self.tries = 0;
        self.over |= ends;
        let missed = number.is_some_and(|n| n > expected);
        self.last = number.or(self.last);
        // The last event holds the whole response: nothing that was missed before it is lost.
        if missed && !ends {
            let why = format!("events {expected} to {} are missing", number.unwrap_or(expected).saturating_sub(1));
            self.waiting.push_front(event);
            // Counted as seen up to here, so that the event itself is next.
            self.last = number.and_then(|n| n.checked_sub(1));
            return Some(self.read_back(why).await);
        }
        Some(Ok(Heard::Event(event)))
    }

    async fn read_back(&mut self, why: String) -> Result<Heard, Error> {
        let Some(id) = &self.response_id else {
            return Err(Error::Protocol(format!("{why}, and no event named the response")));
        };
        let response = self.client.response(id).await?;
        Ok(Heard::ReadBack { why, response })
    }

    /// Resumes a broken stream. Where the server keeps keys, the same request under its key attaches to the same
    /// task; otherwise the response is read back until it has ended.
    async fn recover(&mut self, broke: Error) -> Result<Heard, Error> {
        self.body = None;
        self.pace.restart();
        self.decoder = Decoder::new(LARGEST_EVENT);
        self.tries += 1;
        if self.tries > MOST_TRIES {
            self.over = true;
            return Err(broke);
        }
        let pause = Duration::from_millis(100) * 2u32.saturating_pow(self.tries - 1);
        tokio::time::sleep(pause.mul_f64(0.5 + jitter())).await;
        if self.request.again == Again::Harmless {
            if let Some(last) = self.last {
                self.request.headers.insert("last-event-id", HeaderValue::from(last));
            }
            match self.client.open(&self.request).await {
                Ok(body) => {
                    self.body = Some(body);
                    return Ok(Heard::TakenUp);
                }
                Err(error @ Error::Refused { .. }) if self.response_id.is_none() => {
                    self.over = true;
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        let why = broke.to_string();
        match self.read_back(why).await {
            Ok(heard) => {
                if let Heard::ReadBack { response, .. } = &heard {
                    self.tries = 1;
                    self.over = response.get("status").and_then(Json::as_str).is_some_and(is_final);
                }
                Ok(heard)
            }
            Err(error) => {
                self.over = matches!(error, Error::Refused { .. } | Error::Protocol(_));
                if self.over { Err(error) } else { Ok(Heard::TakenUp) }
            }
        }
    }
}
