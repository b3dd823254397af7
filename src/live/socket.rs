//! Sockets of this user: one for each episode, where shims relay frames, a line each.

use super::control::{MARK, Order};
use super::hub::{Hub, Slot, words};
use super::name::socket_folder;
use super::turn::{Origin, Taken};
use crate::mcp::{Dialog, MAX_FRAME, Reply};
use crate::value::canonical;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc::unbounded_channel;

/// Connections to one episode's socket at once.
const CONNECTIONS: usize = 256;
/// Frames of one connection that are not answered yet, at once.
const MOST_OPEN: usize = 64;

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
    let mut origin = Origin::of(connection);
    let (notes, mut noted) = unbounded_channel();
    let mut taking = FuturesUnordered::new();
    // A frame is read while calls before it wait or are held: it may cancel one of them. What is read is bounded: further
    // lines wait in the socket.
    let mut lines = std::pin::pin!(futures_util::stream::unfold(&mut input, |input| async {
        let mut line = Vec::new();
        let read = next_line(input, &mut line).await.transpose()?;
        Some((read.map(|bytes| (bytes, line)), input))
    }));
    let mut ended = false;
    while !ended || !taking.is_empty() {
        tokio::select! {
            biased;
            Some(note) = noted.recv() => send(&mut output, note).await?,
            Some(taken) = taking.next(), if !taking.is_empty() => match taken {
                Taken::Reply(Reply { text, .. }) => send(&mut output, text).await?,
                Taken::Nothing | Taken::Never => {}
            },
            line = lines.next(), if !ended && taking.len() < MOST_OPEN => match line.transpose()? {
                None => ended = true,
                Some((_, line)) if line.first() == Some(&MARK) => match Order::read(&line[1..]) {
                    Some(Order::GivesUp(ms)) => origin.gives_up = Some(Duration::from_millis(ms)),
                    Some(order) => send(&mut output, canonical::compact(&slot.order(order), true)).await?,
                    None => send(&mut output, r#"{"error":"not an order of this version"}"#.to_owned()).await?,
                },
                Some((bytes, line)) => {
                    let reactions =
                        if bytes > line.len() { dialog.too_large(bytes) } else { dialog.take(&line, None) };
                    origin.client = dialog.client().map(ToString::to_string);
                    let (origin, notes) = (origin.clone(), notes.clone());
                    taking.push(async move { slot.take(&origin, &line, reactions, None, Some(notes)).await });
                }
            },
        }
    }
    Ok(())
}

async fn send(output: &mut (impl AsyncWrite + Unpin), text: String) -> std::io::Result<()> {
    let mut frame = text.into_bytes();
    frame.push(b'\n');
    output.write_all(&frame).await
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
