//! Listening: which addresses are taken without a key, bounded connections with bounded patience, a clean end.

use super::app::App;
use super::routes::router;
use super::socket::Socket;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

/// How long an end waits for running tasks to be settled and for answers to be read.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// How long nothing is accepted after the system had nothing left to accept with.
const SHORTAGE: Duration = Duration::from_millis(500);

/// Most bytes of a connection that are held on their way in or out, headers included: many readers that take nothing must
/// not fill the memory while they are waited for.
const BUFFER: usize = 64 << 10;

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
    let router = router(&app);
    let permits = Arc::new(Semaphore::new(app.config.limits.connections));
    let (connections, over) = (TaskTracker::new(), CancellationToken::new());
    while let Some(stream) = accept(&app, &listener, &permits).await {
        let (app, router, over) = (app.clone(), router.clone(), over.clone());
        connections.spawn(async move {
            let (stream, _permit) = stream;
            tokio::select! {
                () = speak(&app, stream, router) => {}
                () = over.cancelled() => {}
            }
        });
    }
    drop(listener);
    connections.close();
    app.tracker.close();
    // Tasks end by themselves at once, and their streams with them; one stuck in a play is given up.
    let _ = tokio::time::timeout(LAST_WAIT, connections.wait()).await;
    over.cancel();
    let _ = tokio::time::timeout(LAST_WAIT, app.tracker.wait()).await;
    Ok(())
}

/// The next connection with the permit it holds, or nothing when the server is to stop. Beyond the bound, connections wait
/// to be accepted.
async fn accept(
    app: &App,
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let next = async {
        // Nobody closes the semaphore.
        let permit = permits.clone().acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => return Some((stream, permit)),
                // One that was gone before it was accepted.
                Err(error) if gone(&error) => {}
                Err(_) => tokio::time::sleep(SHORTAGE).await,
            }
        }
    };
    tokio::select! {
        biased;
        () = app.shutdown.cancelled() => None,
        next = next => next,
    }
}

fn gone(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Speaks HTTP on a connection to its end. A request whose headers do not arrive in time ends it.
async fn speak(app: &Arc<App>, stream: TcpStream, router: Router) {
    // Small events should leave at once; a socket that cannot do that still works.
    let _ = stream.set_nodelay(true);
    let limits = &app.config.limits;
    let service = service_fn(|request: Request<Incoming>| Box::pin(router.clone().oneshot(request)));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_wait)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(Socket::new(stream, limits.write_wait)), service);
    let mut stop = pin!(app.shutdown.cancelled());
    let mut asked = false;
    let ended = poll_fn(|cx| {
        if !asked && stop.as_mut().poll(cx).is_ready() {
            asked = true;
            Pin::new(&mut connection).graceful_shutdown();
        }
        connection.poll_without_shutdown(cx)
    });
    let ended = ended.await;
    // One that took too long or broke is not waited for again, and at the end of the server none is: it goes with its socket.
    if !asked && (ended.is_ok() || ended.is_err_and(|e| e.is_parse())) {
        connection.into_parts().io.into_inner().finish().await;
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
