//! The pages under docs/ that the program writes itself: the keys, the subcommands and README's picture. They must be what the
//! program prints and draws now. `UPDATE_DOCS=1 cargo test --test app docs` writes them again.

use crate::driver::{Driver, at, file};
use crate::program::{root, run};
use clap::{Arg, Command, CommandFactory};
use rehearsal::cli::Arguments;
use rehearsal::theme::Ground;
use rehearsal::tui::live::svg::svg;
use std::fmt::Write as _;
use std::path::Path;

/// The heading of the options that every command on a tool file takes.
const SHARED: &str = "Tool file";

/// Holds a file against what the program makes, or writes it when asked.
fn check(path: &Path, kept: &str, made: &str, whole: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return std::fs::write(path, whole).unwrap();
    }
    assert!(kept == made, "{} is out of date: run UPDATE_DOCS=1 cargo test --test app docs", path.display());
}

/// The part of a page between two marks is what the program makes.
fn page(name: &str, mark: &str, made: &str) {
    let path = root().join("docs").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let (open, close) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->\n"));
    let (before, rest) = text.split_once(&open).unwrap();
    let (kept, after) = rest.split_once(&close).unwrap();
    check(&path, kept, made, &format!("{before}{open}{made}{close}{after}"));
}

#[test]
fn the_key_table_is_what_the_program_prints() {
    let keys = run(&["keys"]).out;
    assert!(keys.lines().count() > 20, "{keys}");
    page("keys.md", "keys", &keys.replace("#### ", "## "));
}

#[test]
fn the_subcommands_are_what_help_says() {
    let mut program = Arguments::command();
    program.build();
    let mut out = String::from("## rehearsal\n\n");
    command(&program, &mut out);
    let shared: Vec<&Arg> =
        program.get_arguments().filter(|argument| argument.get_help_heading() == Some(SHARED)).collect();
    out.push_str("\nEvery command on a tool file also takes these options:\n\n");
    table(&shared, &mut out);
    for sub in program.get_subcommands() {
        section(sub, 2, &mut out);
    }
    page("cli.md", "commands", &out);
}

/// A subcommand and those below it.
fn section(of: &Command, depth: usize, out: &mut String) {
    let name = of.get_bin_name().unwrap_or_default();
    writeln!(out, "\n{} {name}\n", "#".repeat(depth)).unwrap();
    command(of, out);
    for sub in of.get_subcommands() {
        section(sub, depth + 1, out);
    }
}

fn command(of: &Command, out: &mut String) {
    if let Some(about) = of.get_long_about().or_else(|| of.get_about()) {
        writeln!(out, "{about}\n").unwrap();
    }
    let usage = of.clone().render_usage().to_string();
    writeln!(out, "```text\n{}", usage.trim_start_matches("Usage: ").trim_end()).unwrap();
    if let Some(examples) = of.get_before_help() {
        writeln!(out, "\n{}", examples.to_string().trim_end()).unwrap();
    }
    out.push_str("```\n");
    let own: Vec<&Arg> = of
        .get_arguments()
        .filter(|argument| argument.get_help_heading() != Some(SHARED) && !argument.is_hide_set())
        .filter(|argument| !["help", "version"].contains(&argument.get_id().as_str()))
        .collect();
    if !own.is_empty() {
        out.push('\n');
        table(&own, out);
    }
    if let Some(after) = of.get_after_help() {
        writeln!(out, "\n{after}").unwrap();
    }
}

fn table(of: &[&Arg], out: &mut String) {
    out.push_str("| argument | meaning |\n|---|---|\n");
    for argument in of {
        let values: Vec<&str> = argument.get_value_names().unwrap_or_default().iter().map(|name| &**name).collect();
        let takes = argument.get_num_args().is_some_and(|n| n.takes_values());
        let word = match (argument.get_long(), takes) {
            (Some(long), true) => format!("--{long} {}", values.join(" ")),
            (Some(long), false) => format!("--{long}"),
            (None, _) => values.join(" "),
        };
        let mut meaning = argument.get_help().map(|help| format!("{help}.")).unwrap_or_default();
        let choices: Vec<String> =
            argument.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        if takes && !choices.is_empty() {
            write!(meaning, " One of {}.", choices.join(", ")).unwrap();
        }
        let default: Vec<String> =
            argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if takes && !default.is_empty() {
            write!(meaning, " Default: {}.", default.join(", ")).unwrap();
        }
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        writeln!(out, "| `{}` | {} |", cell(&word), cell(&meaning)).unwrap();
    }
}

#[test]
fn the_picture_in_readme_is_what_the_program_draws() {
    let mut driver = Driver::new(at(file("examples/hotel/hotel.mcp.json"), "baddata:b2", 20), (112, 30), "dark");
    driver.keys("n n");
    let made = svg(&driver.buffer().0, Ground::Dark);
    let path = root().join("docs/step.svg");
    check(&path, &std::fs::read_to_string(&path).unwrap_or_default(), &made, &made);
}
