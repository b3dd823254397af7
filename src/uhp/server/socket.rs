//! One connection's socket, as HTTP writes on it: a reader that takes nothing for too long is let go, and a request so
//! broken that HTTP itself refuses it is refused in the same envelope as every other.

use crate::uhp::wire::error::{Code, Problem};
use crate::uhp::wire::version;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Silence after which nothing more is expected of a client that was refused in the middle of its request.
const QUIET: Duration = Duration::from_secs(2);

/// Longest time in which the rest of a refused request is read and thrown away.
const LONGEST_REST: Duration = Duration::from_secs(30);

/// A connection's socket.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    write_wait: Duration,
    /// Runs while the other side takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// What is written in place of a bare refusal, and how much of it is.
    instead: Option<(Vec<u8>, usize)>,
}

impl Socket {
    /// A socket that waits for its reader no longer than `write_wait`.
    pub(super) fn new(stream: TcpStream, write_wait: Duration) -> Self {
        Self { stream, write_wait, stalled: None, instead: None }
    }

    /// Ends the connection so that its last answer arrives: a client that is refused while it still sends reads the
    /// answer only when it is done sending, so the rest is taken and thrown away, for a while.
    pub(super) async fn finish(mut self) {
        if self.stream.shutdown().await.is_err() {
            return;
        }
        let (end, mut rest) = (Instant::now() + LONGEST_REST, vec![0; 64 * 1024]);
        while Instant::now() < end {
            match timeout(QUIET, self.stream.read(&mut rest)).await {
                Ok(Ok(n)) if n > 0 => {}
                _ => return,
            }
        }
    }

    /// The outcome of a write, unless it has been waited for too long.
    fn unless_stalled<T>(&mut self, cx: &mut Context<'_>, wrote: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.stalled = None;
            return wrote;
        }
        let wait = self.write_wait;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(wait)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the reader takes nothing")))
    }

    /// Writes what stands in place of `asked` bytes, all of it before any of them counts as written.
    fn poll_instead(&mut self, cx: &mut Context<'_>, asked: usize) -> Poll<io::Result<usize>> {
        while let Some((bytes, written)) = &mut self.instead {
            if *written == bytes.len() {
                self.instead = None;
                break;
            }
            let wrote = Pin::new(&mut self.stream).poll_write(cx, &bytes[*written..]);
            if let Poll::Ready(Ok(n)) = wrote {
                *written += n;
            }
            ready!(self.unless_stalled(cx, wrote))?;
        }
        Poll::Ready(Ok(asked))
    }

    fn poll_bytes(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.instead.is_none() {
            let Some(refusal) = in_envelope(bytes) else {
                let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
                return self.unless_stalled(cx, wrote);
            };
            self.instead = Some((refusal, 0));
        }
        self.poll_instead(cx, bytes.len())
    }
}

/// The refusal to write in place of one that HTTP made by itself. Those are a whole answer without a body and without the
/// header that every answer of the service has.
fn in_envelope(bytes: &[u8]) -> Option<Vec<u8>> {
    let line = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?;
    let status = std::str::from_utf8(line.get(..3)?).ok()?.parse::<u16>().ok().filter(|s| (400..500).contains(s))?;
    let head = std::str::from_utf8(bytes).ok()?.to_ascii_lowercase();
    let bare = head.ends_with("\r\n\r\n")
        && head.matches("\r\n\r\n").count() == 1
        && head.contains("\r\ncontent-length: 0\r\n")
        && !head.contains(version::HEADER);
    if !bare {
        return None;
    }
    let message = match status {
        414 => "The address of the request is too long.",
        431 => "The headers of the request are too many or too long.",
        _ => "The request is not HTTP that can be read.",
    };
    let body = Problem::new(Code::InvalidInput, message).envelope().to_string();
    let first = std::str::from_utf8(bytes).ok()?.lines().next()?;
    let head = format!(
        "{first}\r\ncontent-type: application/json; charset=utf-8\r\n{}: {}\r\nx-content-type-options: nosniff\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        version::HEADER,
        version::DEFAULT,
        body.len(),
    );
    Some(head.into_bytes())
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_bytes(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [one] = bufs {
            return self.poll_bytes(cx, one);
        }
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.unless_stalled(cx, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_refusal_is_replaced() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let text = String::from_utf8(in_envelope(bare).unwrap()).unwrap();
        assert!(text.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{text}");
        assert!(text.contains("uhp-version: 2026-09-12\r\n") && text.contains("\"param\":null"), "{text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{text}");
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\nuhp-version: 2026-09-12\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\nmore",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 4\r\n\r\n",
            "data: HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 4",
            "",
        ] {
            assert_eq!(in_envelope(other.as_bytes()), None, "{other}");
        }
    }
}
