//! From options to a running screen.

use super::keymap::Keymap;
use super::model::{Look, Model, Screen, Start};
use super::overlays::look;
use super::runtime::{Canvas, Guard, RealHost, ask_ground, run};
use super::screens::hub::HubScreen;
use super::screens::pair::{Aligned, PairScreen};
use super::screens::remote::RemoteScreen;
use super::screens::served::ServedScreen;
use super::widgets::row::Row;
use crate::live::Watching;
use crate::settings::{Environment, Sourced, UserSettings};
use crate::theme::{Scope, Themes, choose, theme_files};
use crate::uhp::client::Client;
use crate::work::served::Serving;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::style::force_color_output;
use std::io::{self, BufWriter, Write as _};

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
    /// A UHP server, or a saved response: the Remote screen opens.
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
    /// Live episodes: the Live screen opens.
    Live {
        /// What the screen begins with.
        screen: Box<HubScreen>,
        /// The hub.
        watching: Watching,
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
    let (keymap, wrong_keys) = Keymap::mended(&user.keys.value);
    let (look, wrong_theme) = colors(&user, &environment)?;
    let mut mistakes: Vec<String> = user.mistakes.iter().map(ToString::to_string).collect();
    mistakes.extend(wrong_keys.into_iter().map(|error| format!("{}: {}", user.keys.origin, error.0)));
    mistakes.extend(wrong_theme);
    // With NO_COLOR crossterm would drop bold and reverse video too: the mono theme has no colors to drop.
    force_color_output(true);
    let mut model = Model::new(start, look, keymap, user.mouse.value);
    let origin = user.editor.origin;
    model.live.editor = user.editor.value.map(|command| (command, format!("from {origin}")));
    let (mut client, mut serves, mut watches) = (None, None, None);
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
        Link::Live { screen, watching } => {
            model.hub = *screen;
            model.screen = Screen::Live;
            watches = Some(watching);
        }
        Link::Served { screen, serving } => {
            model.served = *screen;
            model.screen = Screen::Served;
            serves = Some(serving);
        }
    }
    for warning in user.warnings {
        model.say(Scope::Warn, format!("! {warning}"));
    }
    mistaken(&mut model, &mistakes);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let state = environment.state_folder().map(|folder| folder.value);
        let host = RealHost::new(state, environment.home, environment.tmux)?;
        let mut host = host.with_client(client).with_serving(serves).with_hub(watches);
        let guard = Guard::take()?;
        if model.mouse {
            super::runtime::Host::mouse(&mut host, true)?;
        }
        // One frame is one write.
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        let mut canvas = Canvas::synchronized(CrosstermBackend::new(out));
        let result = run(&mut model, &mut canvas, &mut host).await;
        drop(canvas);
        drop(guard);
        result
    });
    // Threads that still read or plan are of no use to anybody.
    runtime.shutdown_background();
    if let Some(line) = super::screens::runs::farewell(&model) {
        // Nobody may be listening there; the exit code matters more.
        let _ = writeln!(io::stderr(), "{line}");
    }
    result
}

/// Lists what is wrong in the settings before anything else.
fn mistaken(model: &mut Model, mistakes: &[String]) {
    if mistakes.is_empty() {
        return;
    }
    let mut rows: Vec<Row> =
        mistakes.iter().map(|mistake| Row::of(Scope::Error, "! ").plain(mistake).hanging(2)).collect();
    rows.push(Row::new());
    rows.push(Row::of(Scope::Dim, "The defaults are used instead. rehearsal doctor lists these mistakes too."));
    let title = format!("settings: {}", crate::text::count(mistakes.len(), "mistake"));
    look::text(model, title, rows);
}

/// Colors from the settings, the environment or the terminal, and what is wrong with the theme, if anything; then a
/// built-in theme is used. Theme files that cannot be read are left out.
fn colors(user: &UserSettings, environment: &Environment) -> io::Result<(Look, Option<String>)> {
    let files = environment.themes_folder().map(|folder| theme_files(&folder)).unwrap_or_default();
    let themes = Themes::new(files.into_iter().filter_map(|file| Some((file.name, file.text.ok()?))).collect());
    let choice = choose(user, environment, ask_ground);
    let depth = choice.depth.value;
    let (theme, wrong) = match themes.load(&choice.theme.value, depth) {
        Ok(theme) => (theme, None),
        Err(error) => {
            let theme = Sourced::default_of("auto".to_owned());
            let choice = choose(&UserSettings { theme, ..user.clone() }, environment, ask_ground);
            let theme = Themes::default().load(&choice.theme.value, depth).map_err(|e| io::Error::other(e.0))?;
            (theme, Some(error.0))
        }
    };
    Ok((Look { theme, themes, depth }, wrong))
}

/// The guided tour as text, with the default keys.
pub fn tour_text() -> Vec<String> {
    super::overlays::tour::as_text(&Keymap::default())
}

/// The key table of the docs.
pub fn keys_markdown() -> String {
    Keymap::default().markdown()
}
