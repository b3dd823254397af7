//! What the doctor looks at: environment, terminal, settings, themes, folders, a tool file's settings.

use super::super::{Failure, SetFlags, set};
use super::report::Report;
use crate::plan::golden;
use crate::settings::{Background, Colors, Environment, Sourced, UserSettings};
use crate::theme::{Depth, Themes, choose, theme_files};
use crate::toolfile::Effect;
use crate::tui::keymap::Keymap;
use crate::tui::runtime::ask_ground;
use crate::value::Value;
use std::io::IsTerminal;
use std::path::Path;

/// Everything that does not depend on a tool file.
pub fn around(report: &mut Report) {
    let environment = Environment::read();
    program(report);
    terminal(report, &environment);
    let user = UserSettings::read(&environment);
    colors(report, &environment, &user);
    settings(report, &environment, &user);
    themes(report, &environment, &user);
    folders(report, &environment);
}

fn program(report: &mut Report) {
    report.section("program");
    report.row("version", env!("CARGO_PKG_VERSION"), None);
    report.row("generator", golden::LABEL, None);
    report.row("generator hash", golden::HASH, None);
    report.row("system", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH), None);
    let at = std::env::current_exe().map(|path| path.display().to_string());
    report.row("runs from", at.unwrap_or_else(|error| format!("unknown: {error}")), None);
}

fn terminal(report: &mut Report, environment: &Environment) {
    report.section("terminal");
    let (input, output, errors) =
        (std::io::stdin().is_terminal(), std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
    report.row("input is a terminal", input, None);
    report.row("output is a terminal", output, None);
    report.row("errors are a terminal", errors, None);
    // Asked only of a terminal: without one, another program would be started to find out.
    let size = if output { ratatui::crossterm::terminal::size().ok() } else { None };
    report.row("size", size.map(|(w, h)| Value::from(format!("{w} columns, {h} lines"))), None);
    let variable = |value: Option<&String>| Value::from(value.map(Value::from));
    report.row("TERM", variable(environment.term.as_ref()), None);
    report.row("COLORTERM", variable(environment.colorterm.as_ref()), None);
    report.row("NO_COLOR", environment.no_color, None);
    report.row("over ssh", environment.ssh, None);
    report.row("inside tmux", environment.tmux, None);
    report.row("a screen would open", output && errors, None);
}

fn colors(report: &mut Report, environment: &Environment, user: &UserSettings) {
    report.section("colors");
    // The question and its answer go over the terminal that is printed to.
    let here = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let choice = choose(user, environment, || if here { ask_ground() } else { None });
    let depth = match choice.depth.value {
        Depth::None => "none",
        Depth::Sixteen => "16",
        Depth::Indexed => "256",
        Depth::True => "24 bits",
    };
    report.row("colors", depth, Some(choice.depth.origin.to_string()));
    let origin = Some(choice.theme.origin.to_string());
    match load_themes(environment).load(&choice.theme.value, choice.depth.value) {
        Ok(_) => report.row("theme", choice.theme.value, origin),
        Err(error) => report.problem("theme", choice.theme.value, origin, error.0),
    }
}

fn settings(report: &mut Report, environment: &Environment, user: &UserSettings) {
    report.section("settings");
    match environment.settings_file() {
        None => report.row("file", Value::Null, Some("neither $XDG_CONFIG_HOME nor $HOME is set".to_owned())),
        Some(path) => {
            let there = if path.exists() { "there" } else { "not there" };
            let shown = path.display().to_string();
            let mistakes = user.mistakes.iter().map(ToString::to_string).collect();
            wrong(report, "file", shown.into(), Some(there.to_owned()), mistakes);
        }
    }
    let background = match user.background.value {
        Background::Auto => "auto",
        Background::Dark => "dark",
        Background::Light => "light",
    };
    let colors = match user.colors.value {
        Colors::Auto => "auto",
        Colors::True => "truecolor",
        Colors::Palette => "256",
        Colors::Named => "16",
        Colors::None => "none",
    };
    sourced(report, "theme", &user.theme, |theme| Value::from(theme));
    sourced(report, "background", &user.background, |_| Value::from(background));
    sourced(report, "colors", &user.colors, |_| Value::from(colors));
    sourced(report, "mouse", &user.mouse, |on| Value::from(*on));
    sourced(report, "editor", &user.editor, |editor| Value::from(editor.as_ref().map(Value::from)));
    let keys: Vec<Value> =
        user.keys.value.iter().map(|(action, keys)| format!("{action} {}", keys.join(" ")).into()).collect();
    let origin = Some(user.keys.origin.to_string());
    let mistakes = Keymap::mended(&user.keys.value).1.into_iter().map(|error| error.0).collect();
    wrong(report, "keys", keys.into(), origin, mistakes);
    ignored(report, &user.warnings);
}

fn sourced<T>(report: &mut Report, name: &str, setting: &Sourced<T>, value: impl Fn(&T) -> Value) {
    report.row(name, value(&setting.value), Some(setting.origin.to_string()));
}

/// A value with all that is wrong about it: the first mistake in its own row, the others in rows below it.
fn wrong(report: &mut Report, name: &str, value: Value, origin: Option<String>, mistakes: Vec<String>) {
    let mut mistakes = mistakes.into_iter();
    match mistakes.next() {
        Some(first) => report.problem(name, value, origin, first),
        None => report.row(name, value, origin),
    }
    for (i, mistake) in mistakes.enumerate() {
        report.problem(&format!("{name} {}", i + 2), Value::Null, None, mistake);
    }
}

fn ignored(report: &mut Report, warnings: &[String]) {
    for (i, warning) in warnings.iter().enumerate() {
        report.problem(&format!("ignored {}", i + 1), Value::Null, None, warning.clone());
    }
}

fn load_themes(environment: &Environment) -> Themes {
    let files = environment.themes_folder().map(|folder| theme_files(&folder)).unwrap_or_default();
    Themes::new(files.into_iter().filter_map(|file| Some((file.name, file.text.ok()?))).collect())
}

fn themes(report: &mut Report, environment: &Environment, user: &UserSettings) {
    report.section("themes");
    let themes = load_themes(environment);
    let depth = choose(user, environment, || None).depth.value;
    let built_in = Themes::default().names();
    let files = environment.themes_folder().map(|folder| theme_files(&folder)).unwrap_or_default();
    for name in &built_in {
        if !files.iter().any(|file| file.name == *name) {
            report.row(name, "built in", None);
        }
    }
    for file in files {
        let what = if built_in.contains(&file.name) { "overlays the built-in one" } else { "your own" };
        let origin = Some(file.path.display().to_string());
        let wrong = file.text.as_ref().err().cloned();
        match wrong.or_else(|| themes.load(&file.name, depth).err().map(|error| error.0)) {
            None => report.row(&file.name, what, origin),
            Some(error) => report.problem(&file.name, what, origin, error),
        }
    }
}

fn folders(report: &mut Report, environment: &Environment) {
    report.section("folders");
    for (name, folder) in
        [("settings and themes", environment.config_folder()), ("last copy and journal", environment.state_folder())]
    {
        let Some(Sourced { value: path, origin }) = folder else {
            report.row(name, Value::Null, Some("neither an XDG variable nor $HOME is set".to_owned()));
            continue;
        };
        let (shown, origin) = (path.display().to_string(), Some(origin.to_string()));
        match writable(&path) {
            Ok(()) => report.row(name, shown, origin),
            Err(why) => report.problem(name, shown, origin, why),
        }
    }
    let here = std::env::current_dir();
    match here.as_ref().map(|path| path.join("runs").display().to_string()) {
        Ok(runs) => report.row("runs", runs, Some("default of run --out".to_owned())),
        Err(error) => report.problem("runs", Value::Null, None, format!("the working folder does not exist: {error}")),
    }
}

/// Whether a folder is writable, or can be made.
fn writable(path: &Path) -> Result<(), String> {
    let Some(there) = path.ancestors().find(|folder| folder.exists()) else { return Ok(()) };
    if !there.is_dir() {
        return Err(format!("{} is not a folder", there.display()));
    }
    rustix::fs::access(there, rustix::fs::Access::WRITE_OK)
        .map_err(|error| format!("{} is not writable: {}", there.display(), std::io::Error::from(error)))
}

/// The settings of a tool file as the other commands resolve them.
pub fn tool_file(report: &mut Report, file: &Path, flags: &SetFlags) -> Result<(), Failure> {
    report.section("tool file");
    let shown = file.display().to_string();
    if set::is_stdin(file) || file.is_file() {
        report.row("file", shown, None);
    } else {
        report.problem("file", shown, None, "no such file".to_owned());
    }
    let resolved = match set::resolve(file, flags) {
        Ok(resolved) => resolved,
        Err(Failure::Refused(why)) => {
            report.problem("settings", Value::Null, None, why);
            return Ok(());
        }
        Err(other) => return Err(other),
    };
    let config = resolved.config.as_ref().map(|path| Value::from(path.display().to_string()));
    report.row("settings", Value::from(config), None);
    sourced(report, "format", &resolved.format, |format| Value::from(format));
    sourced(report, "name", &resolved.name, |name| Value::from(name));
    sourced(report, "only", &resolved.only, |only| only.iter().map(Value::from).collect::<Vec<_>>().into());
    for effect in &resolved.effects {
        let (tool, effect_word) = &effect.value;
        let word = match effect_word {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Unknown => "unknown",
        };
        sourced(report, &format!("effect of {tool}"), effect, |_| Value::from(word));
    }
    for intent in &resolved.intents {
        sourced(report, &format!("intent of {}", intent.value.0), intent, |(_, text)| Value::from(text));
    }
    for (i, flow) in resolved.flows.iter().enumerate() {
        let words = |f: &crate::plan::Flow| format!("{}.{} to {}.{}", f.from, f.field, f.to, f.param);
        sourced(report, &format!("flow {}", i + 1), flow, |f| words(f).into());
    }
    if let Some(measure) = &resolved.measure {
        let levels = measure.value.levels.as_ref();
        let words = levels.map_or_else(
            || measure.value.dial.word().to_owned(),
            |levels| {
                levels.iter().map(|level| measure.value.dial.at(*level).to_string()).collect::<Vec<_>>().join(", ")
            },
        );
        sourced(report, "measured", measure, |_| Value::from(&words));
    } else {
        report.row("measured", "every dial the file offers", Some("default".to_owned()));
    }
    sourced(report, "seeds", &resolved.seeds, |seeds| seeds.clone().into());
    ignored(report, &resolved.warnings);
    Ok(())
}
