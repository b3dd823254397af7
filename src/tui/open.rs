//! From options to a running screen.

use super::keymap::Keymap;
use super::model::{Look, Model, Screen, Start};
use super::runtime::{Canvas, Guard, RealHost, ask_ground, run};
use super::screens::pair::{Aligned, PairScreen};
use super::screens::remote::RemoteScreen;
use super::screens::served::ServedScreen;
use crate::settings::{Environment, UserSettings};
use crate::theme::{Themes, choose, theme_files};
use crate::uhp::client::Client;
use crate::work::served::Serving;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::style::force_color_output;
use std::io::{self, BufWriter};

/// What to open and with whose settings.
#[derive(Debug, Clone)]
pub struct Options {
    /// The tool file, how it is read, where to start.
    pub start: Start,
    /// The person's own settings.
    pub user: UserSettings,
    /// The environment.
    pub environment: Environment,
    /// What is followed beside the tool file.
    pub link: Link,
}

/// What the screens follow beside the tool file.
#[derive(Debug, Clone, Default)]
pub enum Link {
    /// Nothing.
    #[default]
    None,
    /// A server elsewhere, or a response that was saved: the Remote screen opens.
    Remote {
        /// What the screen begins with.
        screen: Box<RemoteScreen>,
        /// The server's client.
        client: Option<Client>,
    },
    /// Two responses, or one and a recorded episode: they open side by side.
    Pair {
        /// The two.
        aligned: Box<Aligned>,
    },
    /// Our own server: the Served screen opens.
    Served {
        /// What the screen begins with.
        screen: Box<ServedScreen>,
        /// The server.
        serving: Serving,
    },
}

/// Opens the screens and gives the exit code once they are left. An error is one line about settings or the terminal; the
/// terminal is given back in any case.
pub fn open(options: Options) -> io::Result<u8> {
    let Options { start, user, environment, link } = options;
    let keymap =
        Keymap::new(&user.keys.value).map_err(|e| io::Error::other(format!("{}: {}", user.keys.origin, e.0)))?;
    let look = look(&user, &environment)?;
    // With NO_COLOR crossterm would drop bold and reverse video too: the mono theme has no colours to drop.
    force_color_output(true);
    let mut model = Model::new(start, look, keymap, user.mouse.value);
    model.live.editor = user.editor.value;
    let (mut client, mut serves) = (None, None);
    match link {
        Link::None => {}
        Link::Remote { screen, client: of } => {
            model.remote = *screen;
            model.screen = Screen::Remote;
            client = of;
        }
        Link::Pair { aligned } => {
            model.pair = PairScreen::with(aligned);
            model.screen = Screen::Pair;
        }
        Link::Served { screen, serving } => {
            model.served = *screen;
            model.screen = Screen::Served;
            serves = Some(serving);
        }
    }
    for warning in user.warnings {
        model.say(crate::theme::Scope::Warn, format!("! {warning}"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let state = environment.state_folder().map(|folder| folder.value);
        let host = RealHost::new(state, environment.home, environment.tmux)?;
        let mut host = host.with_client(client).with_serving(serves);
        let guard = Guard::take()?;
        if model.mouse {
            super::runtime::Host::mouse(&mut host, true)?;
        }
        // One frame is one write.
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        let mut canvas = Canvas::new(CrosstermBackend::new(out));
        let result = run(&mut model, &mut canvas, &mut host).await;
        drop(canvas);
        drop(guard);
        result
    });
    // Threads that still read or plan are of no use to anybody.
    runtime.shutdown_background();
    result
}

/// Colours from settings, environment and, when nobody says, the terminal. A theme file that cannot be read is not there.
fn look(user: &UserSettings, environment: &Environment) -> io::Result<Look> {
    let files = environment.themes_folder().map(|folder| theme_files(&folder)).unwrap_or_default();
    let themes = Themes::new(files.into_iter().filter_map(|file| Some((file.name, file.text.ok()?))).collect());
    let choice = choose(user, environment, ask_ground);
    let depth = choice.depth.value;
    let theme = themes.load(&choice.theme.value, depth).map_err(|e| io::Error::other(e.0))?;
    Ok(Look { theme, themes, depth })
}

/// The guided tour as text, with the keys as they come.
pub fn tour_text() -> Vec<String> {
    super::overlays::tour::as_text(&Keymap::default())
}

/// README's key table.
pub fn keys_markdown() -> String {
    Keymap::default().markdown()
}
