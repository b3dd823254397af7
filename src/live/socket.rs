//! Sockets of this user: one for each episode, where shims relay frames, a line each.

use super::hub::{Hub, OVER, Slot, words};
use super::name::socket_folder;
use super::stdio::without_episode;
use crate::mcp::{Dialog, MAX_FRAME, Problem, Reply};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

/// Connections to one episode's socket at once.
const CONNECTIONS: usize = 256;

/// Opens the sockets of a hub's episodes and serves them until it is to close.
pub(super) fn listen(hub: &Arc<Hub>) -> Result<(), String> {
    let folder = socket_folder()?;
    for slot in &hub.slots {
        let path = folder.join(format!("{}.sock", slot.name));
        // Left by a hub that was killed.
        let _ = std::fs::remove_file(&path);
        let failed = |e| words(&format!("open {}", path.display()), &e);
        let listener = UnixListener::bind(&path).map_err(failed)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
        let (hub, slot) = (hub.clone(), slot.clone());
        tokio::spawn(async move {
            let permits = Arc::new(tokio::sync::Semaphore::new(CONNECTIONS));
            let stop = hub.shutdown.clone();
            let accepting = async {
                loop {
                    let Ok(permit) = permits.clone().acquire_owned().await else { return };
                    match listener.accept().await {
                        Ok((stream, _)) => {
                            let (slot, connection) = (slot.clone(), hub.connection("shim"));
                            let stop = hub.shutdown.clone();
                            tokio::spawn(async move {
                                let _permit = permit;
                                tokio::select! {
                                    // A shim that went away needs no answer.
                                    _ = relay(stream, &slot, &connection) => {}
                                    () = stop.cancelled() => {}
                                }
                            });
                        }
                        Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
                    }
                }
            };
            tokio::select! {
                () = accepting => {}
                () = stop.cancelled() => {}
            }
            // The socket of a closed episode leads nowhere.
            let _ = std::fs::remove_file(&path);
        });
    }
    Ok(())
}

async fn relay(stream: UnixStream, slot: &Slot, connection: &str) -> std::io::Result<()> {
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut dialog = Dialog::new();
    let mut line = Vec::new();
    loop {
        let whole = next_line(&mut input, &mut line).await?;
        let Some(bytes) = whole else { return Ok(()) };
        let answer = {
            let mut live = slot.live.lock().await;
            let reactions = if bytes > line.len() { dialog.too_large(bytes) } else { dialog.take(&line, None) };
            match live.as_mut() {
                Some(live) => live.reactions(&dialog, connection, &line, reactions, None),
                None => without_episode(reactions, &Problem::unreachable(OVER)),
            }
        };
        if let Some(Reply { text, .. }) = answer {
            let mut frame = text.into_bytes();
            frame.push(b'\n');
            output.write_all(&frame).await?;
        }
    }
}

/// Reads a line into `line` and gives how many bytes it had; of one too long only the beginning is kept. Nothing at the end.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> std::io::Result<Option<usize>> {
    loop {
        line.clear();
        let mut bytes = 0;
        let ended = loop {
            let chunk = input.fill_buf().await?;
            if chunk.is_empty() {
                break true;
            }
            let (taken, ends) = match chunk.iter().position(|b| *b == b'\n') {
                Some(at) => (at + 1, true),
                None => (chunk.len(), false),
            };
            let said = &chunk[..taken - usize::from(ends)];
            line.extend_from_slice(&said[..said.len().min((MAX_FRAME + 1).saturating_sub(line.len()))]);
            bytes += said.len();
            input.consume(taken);
            if ends {
                break false;
            }
        };
        if bytes > MAX_FRAME {
            line.truncate(1024);
            return Ok(Some(bytes));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Some(line.len()));
        }
        if ended {
            return Ok(None);
        }
    }
}
