//! Listening: which addresses are taken without a key, bounded connections, a clean end.

use super::app::App;
use super::routes::router;
use axum::serve::{Listener, ListenerExt};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long an end waits for running tasks to be settled and for answers to be read.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Refuses to listen beyond this machine without a key that the one who starts it chose.
pub fn check_address(address: SocketAddr, has_key: bool) -> Result<(), String> {
    if has_key || address.ip().is_loopback() {
        return Ok(());
    }
    Err(format!("refusing to listen on {address} without a key: name one with --key-env, or listen on 127.0.0.1"))
}

/// Serves until `app.shutdown` is cancelled: then no more connections are taken, running tasks are settled as failed,
/// streams end with their last event.
pub async fn serve(app: Arc<App>, listener: TcpListener) -> io::Result<()> {
    let service = router(&app);
    let permits = Arc::new(Semaphore::new(app.config.limits.connections));
    let bounded = Bounded { listener, permits }.tap_io(|io| {
        // Small events should leave at once; a socket that cannot do that still works.
        let _ = io.stream.set_nodelay(true);
    });
    let stop = app.shutdown.clone();
    let serving = axum::serve(bounded, service).with_graceful_shutdown(async move { stop.cancelled().await });
    let stop = app.shutdown.clone();
    let over = async {
        stop.cancelled().await;
        tokio::time::sleep(LAST_WAIT).await;
    };
    tokio::select! {
        result = serving => result?,
        () = over => {}
    }
    app.tracker.close();
    // Tasks end by themselves at once; one stuck in a play is given up.
    let _ = tokio::time::timeout(LAST_WAIT, app.tracker.wait()).await;
    Ok(())
}

/// A listener that takes a bounded number of connections at once; more wait to be accepted.
struct Bounded {
    listener: TcpListener,
    permits: Arc<Semaphore>,
}

impl Listener for Bounded {
    type Io = Held;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Held, SocketAddr) {
        loop {
            let Ok(permit) = self.permits.clone().acquire_owned().await else {
                // Nobody closes the semaphore; were it closed, nothing more is accepted.
                std::future::pending::<()>().await;
                continue;
            };
            let (stream, address) = Listener::accept(&mut self.listener).await;
            return (Held { stream, _permit: permit }, address);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection with its permit.
struct Held {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for Held {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Held {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
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
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_loopback_a_key_is_needed() {
        let check = |a: &str, key| check_address(a.parse().unwrap(), key).is_ok();
        assert!(check("127.0.0.1:0", false) && check("[::1]:0", false) && check("127.9.9.9:0", false));
        assert!(!check("0.0.0.0:0", false) && !check("[::]:0", false) && !check("192.168.0.1:0", false));
        assert!(check("0.0.0.0:0", true));
    }
}
