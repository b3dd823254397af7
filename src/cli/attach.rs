//! `rehearsal attach`: the tasks of any server of the Unified Harness Protocol, stepped on a screen.

use super::output::Output;
use super::{Failure, SetFlags, open, uhp};
use crate::tui;
use crate::tui::screens::remote::RemoteScreen;
use clap::Args;
use std::path::PathBuf;

/// Run tasks on any server of the Unified Harness Protocol and step them on a screen: pick a harness and a model, write an
/// input, watch the items arrive, stop the task, look at each call with its answer.
#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  \
        rehearsal attach http://127.0.0.1:8790 --key-env REHEARSAL_KEY\n  \
        rehearsal attach --tools examples/orders/orders.openai.json",
    after_help = "A server is started as in: rehearsal uhp --help. UHP_BASE_URL is the server where none is given, UHP_API_KEY the \
                  key where --key-env is not. With --tools, or when a harness names a tool file that lies in the present folder, \
                  the calls are replayed on that file beside the server's answers."
)]
pub struct AttachArgs {
    /// The server's address.
    #[arg(value_name = "URL")]
    url: Option<String>,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "VAR")]
    key_env: Option<String>,
    /// The harness to begin with, by its id (default: the server's).
    #[arg(long, value_name = "HARNESS")]
    harness: Option<String>,
    /// The model to begin with (default: the harness's).
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The tool file to replay the calls on.
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// How the tool file is read.
    #[command(flatten)]
    set: SetFlags,
}

/// Runs the command.
pub(super) fn run(args: &AttachArgs, _: &mut Output) -> Result<(), Failure> {
    let client = uhp::client(args.url.as_deref(), args.key_env.as_deref(), |name| std::env::var(name).ok())?;
    if !open::has_terminal() {
        let says = "attach draws a screen: run it in a terminal, or use rehearsal uhp";
        return Err(Failure::Usage(says.to_owned()));
    }
    let address = client.address().to_string();
    let screen = RemoteScreen::attached(address, args.tools.is_none(), args.harness.clone(), args.model.clone());
    let link = tui::Link::Remote { screen: Box::new(screen), client: Some(client) };
    open::screens(args.tools.as_deref(), &args.set, None, None, link)
}
