//! The flags of every subcommand, with the examples their help opens with.

use super::Failure;
use crate::live::Server;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Rehearse an agent's tool calls: open a tool file, plan tasks on it, play them one call at a time.
#[derive(Debug, Parser)]
#[command(
    name = "rehearsal",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Without a subcommand a screen opens; without a terminal a summary is printed instead.\n\
                  Exit codes: 0 done, 1 refused, 2 usage, 4 a requested check failed, 130 interrupted.",
    before_help = "Examples:\n  \
        rehearsal\n  \
        rehearsal examples/hotel/hotel.mcp.json\n  \
        rehearsal examples/hotel/hotel.mcp.json --arm landed:l1 --seed 20\n  \
        rehearsal step examples/hotel/hotel.mcp.json --arm landed:l1 --seed 20"
)]
pub struct Arguments {
    /// What to do; without it a screen opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Opening a screen.
    #[command(flatten)]
    pub open: OpenArgs,
}

/// The subcommands. They print; only attach and serve --screen open a screen.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the two hashes of a tool file, or compare two files.
    Hash(super::hash::HashArgs),
    /// List the usable and the refused tools of a file.
    Tools(super::tools::ToolsArgs),
    /// Show the arms a file offers, and whole planned tasks.
    Plan(super::plan::PlanArgs),
    /// Play the calls of a planned task and print each answer, why, and what changed.
    Step(super::step::StepArgs),
    /// Play many planned tasks with a player and record everything.
    Run(super::run::RunArgs),
    /// Make the card of a run: the pass rate of each level.
    Card(super::card::CardArgs),
    /// Compare two runs or cards.
    Compare(super::compare::CompareArgs),
    /// Serve tool files as harnesses over the Unified Harness Protocol.
    Serve(super::serve::ServeArgs),
    /// Open planned tasks for a real agent to play, over MCP or over the document's own routes.
    Live(super::live::LiveArgs),
    /// Be an MCP server on standard input and output, alone or for an open live episode.
    Mcp(super::mcp::McpArgs),
    /// Show the calls that live episodes hold, and release, change, answer or drop them.
    #[cfg(unix)]
    Held(super::held::HeldArgs),
    /// Print or write the config that makes an MCP client join a live episode.
    Connect(super::connect::ConnectArgs),
    /// Run tasks on any server of the Unified Harness Protocol and step them on a screen.
    Attach(super::attach::AttachArgs),
    /// Talk to any server of the Unified Harness Protocol: run tasks, read them back, get their files.
    Uhp(super::uhp::UhpArgs),
    /// Print what the program finds: terminal, colors, settings, themes, folders.
    Doctor(super::doctor::DoctorArgs),
    /// Print the keys of the screens.
    Keys(super::keys::KeysArgs),
    /// Print a completion script for a shell.
    Completions(super::completions::CompletionsArgs),
    /// Print the manual page.
    Man(super::completions::ManArgs),
}

/// Opening a screen.
#[derive(Debug, Args, Default)]
pub struct OpenArgs {
    /// A tool file, a run, a card or a saved response, or two of them to compare; or a folder of them. Without one, the
    /// built-in example.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The tool file to replay the calls of a saved response on.
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,
    /// Start in the stepper on this arm, as in faults:f2.
    #[arg(long, value_name = "ARM")]
    pub arm: Option<String>,
    /// The seed of the task to start on (default: the first of the set's seeds).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Resume the last session: its file, task and calls.
    #[arg(long, conflicts_with_all = ["arm", "seed", "format", "name", "only", "read", "write", "intent", "flow", "config"])]
    pub resume: bool,
    /// Take the guided tour: ten short steps on the built-in example.
    #[arg(long, conflicts_with_all = ["files", "resume", "arm", "seed", "format", "name", "only", "read", "write", "intent", "flow", "config"])]
    pub tour: bool,
    /// How the tool file is read.
    #[command(flatten)]
    pub set: SetFlags,
}

/// The flags that every command on a tool file takes.
#[derive(Debug, Args, Default, Clone)]
pub struct SetFlags {
    /// Read the file as this format: auto, openai, mcp or openapi.
    #[arg(long, value_name = "FORMAT", help_heading = "Tool file")]
    pub format: Option<String>,
    /// Name of the set as shown (default: the file's name).
    #[arg(long, value_name = "NAME", help_heading = "Tool file")]
    pub name: Option<String>,
    /// Keep only tools whose name matches (repeatable), as in --only 'issues*'.
    #[arg(long, value_name = "GLOB", help_heading = "Tool file")]
    pub only: Vec<String>,
    /// Count this tool as a read (repeatable).
    #[arg(long, value_name = "TOOL", help_heading = "Tool file")]
    pub read: Vec<String>,
    /// Count this tool as a write (repeatable).
    #[arg(long, value_name = "TOOL", help_heading = "Tool file")]
    pub write: Vec<String>,
    /// The wording requests use for this tool (repeatable), as in --intent refund_order='Refund the order'.
    #[arg(long, value_name = "TOOL=TEXT", help_heading = "Tool file")]
    pub intent: Vec<String>,
    /// A field of one tool's answer is an argument of another (repeatable), as in --flow get_order.id:refund_order.order_id.
    #[arg(long, value_name = "FROM.FIELD:TO.PARAM", help_heading = "Tool file")]
    pub flow: Vec<String>,
    /// The settings file to use (default: tasks.toml beside the tool file, when it names that file).
    #[arg(long, value_name = "FILE", help_heading = "Tool file")]
    pub config: Option<PathBuf>,
}

/// A running MCP server in the place of a tool file.
#[derive(Debug, Args, Default, Clone)]
pub struct ServerArgs {
    /// List the tools of the MCP server that this command starts, as in 'npx -y some-server'.
    #[arg(long, value_name = "COMMAND", help_heading = "MCP server", conflicts_with = "mcp_url")]
    pub mcp_command: Option<String>,
    /// List the tools of the MCP server at this address.
    #[arg(long, value_name = "URL", help_heading = "MCP server")]
    pub mcp_url: Option<String>,
    /// Save the list as a tool file.
    #[arg(long, value_name = "FILE", help_heading = "MCP server")]
    pub save: Option<PathBuf>,
}

impl ServerArgs {
    /// The server, when one is named.
    pub fn server(&self) -> Result<Option<Server>, Failure> {
        let command = self.mcp_command.clone().map(Server::Command);
        let server = command.or_else(|| self.mcp_url.clone().map(Server::Url));
        if self.save.is_some() && server.is_none() {
            return Err(Failure::Usage(
                "--save keeps the list of a server: name one with --mcp-command or --mcp-url".to_owned(),
            ));
        }
        Ok(server)
    }
}

/// A tool file and how to read it.
#[derive(Debug, Args, Clone)]
pub struct SetArgs {
    /// The tool file; - reads standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How it is read.
    #[command(flatten)]
    pub flags: SetFlags,
}
