//! Settings: what a `tasks.toml` says, which value wins, and what saving keeps.
#![expect(clippy::unwrap_used, reason = "a test that cannot make its files has failed")]

use rehearsal::plan::Flow;
use rehearsal::settings::{Config, Declared, Flags, Origin, TasksFile, find_config, resolve, save, seeds, write_whole};
use rehearsal::task::Dial;
use rehearsal::toolfile::Effect;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new(toml: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path("tools.json"), "[]").unwrap();
        fs::write(folder.path("tasks.toml"), toml).unwrap();
        folder
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn tools(&self) -> PathBuf {
        self.path("tools.json")
    }
    fn config(&self) -> Config {
        find_config(Some(&self.tools()), None).unwrap()
    }
    fn used(&self) -> TasksFile {
        let config = self.config();
        assert!(matches!(config, Config::Used(_)), "not used: {config:?}");
        if let Config::Used(file) = config { *file } else { TasksFile::default() }
    }
    fn error(&self) -> String {
        let error = find_config(Some(&self.tools()), None).unwrap_err();
        let text = error.to_string();
        assert!(!text.contains('\n'), "one line: {text}");
        text.strip_prefix(&format!("{}:", self.path("tasks.toml").display())).unwrap_or(&text).trim().to_owned()
    }
    fn toml(&self) -> String {
        fs::read_to_string(self.path("tasks.toml")).unwrap()
    }
    fn save(&self, declared: &Declared) -> Result<(), String> {
        save(&self.path("tasks.toml"), &self.tools(), declared).map_err(|error| error.to_string())
    }
}

fn flow(from: &str, field: &str, to: &str, param: &str) -> Flow {
    Flow { from: from.into(), field: field.into(), to: to.into(), param: param.into() }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

const WHOLE: &str = r#"# about our tools
[own]
file = "./tools.json"
format = "openai"
name = "orders"
read = ["get_order", "search_orders"]
write = ["refund_order"]

[own.intents]
refund_order = "Pay a customer back"

[[own.flow]]
from = "get_order"
field = "rows[].id"
to = "refund_order"
param = "order_id"

[measure]
dial = "baddata"
levels = [0, 2]

[tasks]
seeds = [404, 7, 404]
"#;

#[test]
fn a_whole_tasks_toml_is_read() {
    let file = Folder::new(WHOLE).used();
    assert_eq!(file.own.format.as_deref(), Some("openai"));
    assert_eq!(file.own.name.as_deref(), Some("orders"));
    assert_eq!(file.own.read, names(&["get_order", "search_orders"]));
    assert_eq!(file.own.write, names(&["refund_order"]));
    assert_eq!(file.own.intents, [("refund_order".to_owned(), "Pay a customer back".to_owned())]);
    assert_eq!(file.own.flows, [flow("get_order", "rows[].id", "refund_order", "order_id")]);
    let measure = file.measure.unwrap();
    assert_eq!((measure.dial, measure.levels), (Dial::BadData, Some(vec![0, 2])));
    assert_eq!(file.seeds, Some(vec![404, 7]));
    assert_eq!(file.warnings, Vec::<String>::new());
}

#[test]
fn it_counts_only_when_it_names_the_file() {
    let folder = Folder::new("[own]\nfile = \"other.json\"\nread = 5\n");
    assert!(matches!(folder.config(), Config::Other { names: Some(names), .. } if names == "other.json"));
    let resolved = resolve(Some(&folder.tools()), &folder.config(), &Flags::default());
    assert_eq!(resolved.warnings.len(), 1);
    assert!(resolved.warnings[0].contains("names other.json, not this file"), "{:?}", resolved.warnings);
    assert_eq!(resolved.config, None);

    assert!(matches!(Folder::new("[tasks]\nseeds = [1]\n").config(), Config::Other { names: None, .. }));
    let folder = Folder::new("");
    fs::remove_file(folder.path("tasks.toml")).unwrap();
    assert_eq!(folder.config(), Config::Absent);
    assert_eq!(find_config(None, None).unwrap(), Config::Absent);

    // a path is read from the settings file's folder, wherever that is
    let folder = Folder::new("");
    fs::create_dir(folder.path("below")).unwrap();
    let config = folder.path("below/mine.toml");
    fs::write(&config, "own.file = '../tools.json'\n").unwrap();
    assert!(matches!(find_config(Some(&folder.tools()), Some(&config)).unwrap(), Config::Used(_)));
    let missing = find_config(Some(&folder.tools()), Some(Path::new("/nowhere/tasks.toml"))).unwrap_err();
    assert_eq!(missing.to_string(), "/nowhere/tasks.toml: no such file");
}

#[test]
fn an_unknown_key_is_passed_over_and_named_once() {
    let folder = Folder::new(
        "[own]\nfile = \"tools.json\"\nreads = []\n\n[model]\nname = \"x\"\nprice = 1\n[measure]\nknob = 1\n[tasks]\nseed = 1\n",
    );
    let warnings = folder.used().warnings;
    assert_eq!(warnings.len(), 4, "{warnings:?}");
    for (part, line) in [("own.reads", 3), ("key model,", 5), ("measure.knob", 9), ("tasks.seed", 11)] {
        let found = warnings.iter().find(|w| w.contains(part)).unwrap();
        assert!(found.contains(&format!("tasks.toml:{line}: ")), "{found}");
    }
    assert!(warnings.iter().any(|w| w.ends_with("did you mean own.read?")), "{warnings:?}");
}

#[test]
fn errors_are_one_line_with_their_place() {
    let own = "[own]\nfile = \"tools.json\"\n";
    for (toml, place, part) in [
        ("[own\n".to_owned(), "1:", ""),
        ("[own]\nfile = \"tools.json\"\nfile = \"b\"\n".to_owned(), "3:1", "duplicate"),
        (format!("{own}read = \"a\"\n"), "3:8", "own.read must be a list of tool names"),
        (format!("{own}write = [\"a\", 5]\n"), "3:15", "own.write must be a list"),
        (format!("{own}format = 3\n"), "3:10", "own.format must be text"),
        (format!("{own}name = []\n"), "3:8", "own.name must be text"),
        (format!("{own}intents = 1\n"), "3:11", "own.intents must be a table"),
        (format!("{own}[own.intents]\na = \" \"\n"), "4:5", "the intent of a must be text"),
        (format!("{own}flow = 1\n"), "3:8", "own.flow must be tables"),
        (format!("{own}flow = [1]\n"), "3:8", "own.flow must be tables"),
        (format!("{own}[[own.flow]]\nfrom = \"a\"\n"), "3:1", "this flow has no field"),
        (
            format!("{own}[[own.flow]]\nfrom = \"a\"\nfeld = \"b\"\nto = \"c\"\nparam = \"d\"\n"),
            "5:1",
            "not feld: did you mean field?",
        ),
        (
            format!("{own}[[own.flow]]\nfrom = \"\"\nfield = \"b\"\nto = \"c\"\nparam = \"d\"\n"),
            "4:8",
            "from of a flow",
        ),
        (format!("{own}[measure]\ndial = \"fault\"\n"), "4:8", "unknown dial fault: did you mean faults?"),
        (format!("{own}[measure]\ndial = 1\n"), "4:8", "measure.dial must be"),
        (format!("{own}[measure]\nlevels = [1, -1]\n"), "4:14", "measure.levels must be"),
        (format!("{own}[measure]\nlevels = [5000000000]\n"), "4:10", "no dial has a level 5000000000"),
        (format!("{own}[tasks]\nseeds = [1.5]\n"), "4:10", "tasks.seeds must be"),
        (format!("{own}[tasks]\nseeds = 10\n"), "4:9", "tasks.seeds must be"),
        (format!("{own}[[tasks]]\nseeds = []\n"), "3:1", "tasks must be a table"),
    ] {
        let error = Folder::new(&toml).error();
        assert!(error.starts_with(place) && error.contains(part), "{toml}\n{error}");
    }
    let folder = Folder::new("");
    fs::write(folder.path("tasks.toml"), b"[own]\nfile = \"\xff\"\n").unwrap();
    assert!(folder.error().starts_with("2:9: it is not UTF-8"), "{}", folder.error());
    let deep = format!("x = {}1{}\n", "[".repeat(20_000), "]".repeat(20_000));
    assert!(!Folder::new(&deep).error().is_empty());
}

#[test]
fn flags_win_and_every_value_says_where_it_is_from() {
    let folder = Folder::new(WHOLE);
    let config = folder.config();
    let file = Origin::File(folder.path("tasks.toml"));
    let tools = folder.tools();

    let plain = resolve(Some(&tools), &config, &Flags::default());
    assert_eq!((plain.format.value.as_str(), &plain.format.origin), ("openai", &file));
    assert_eq!((plain.name.value.as_str(), &plain.name.origin), ("orders", &file));
    assert_eq!(plain.only.origin, Origin::Default);
    assert_eq!((&plain.seeds.value, &plain.seeds.origin), (&vec![404, 7], &file));
    assert_eq!(plain.measure.as_ref().map(|m| &m.origin), Some(&file));
    assert_eq!(plain.config, Some(folder.path("tasks.toml")));
    let options = plain.read_options();
    assert_eq!(options.read, names(&["get_order", "search_orders"]));
    assert_eq!(options.write, names(&["refund_order"]));

    let flags = Flags {
        format: Some("auto".into()),
        name: Some("mine".into()),
        only: names(&["get_*"]),
        read: names(&["refund_order"]),
        write: names(&["get_order"]),
        intents: vec![("refund_order".into(), "first".into()), ("refund_order".into(), "last".into())],
        flows: vec![flow("get_order", "rows[].id", "refund_order", "order_id"), flow("a", "b", "c", "d")],
        seeds: Some(vec![1]),
    };
    let won = resolve(Some(&tools), &config, &flags);
    for origin in [&won.format.origin, &won.name.origin, &won.only.origin, &won.seeds.origin] {
        assert_eq!(origin, &Origin::Flag);
    }
    let options = won.read_options();
    assert_eq!((options.read, options.write), (names(&["search_orders", "refund_order"]), names(&["get_order"])));
    assert_eq!(options.only, names(&["get_*"]));
    let search = won.effects.iter().find(|e| e.value.0 == "search_orders").unwrap();
    assert_eq!((search.value.1, &search.origin), (Effect::Read, &file));
    let settings = won.plan_settings();
    assert_eq!(settings.intents, [("refund_order".to_owned(), "last".to_owned())]);
    assert_eq!(settings.flows.len(), 2);
    assert_eq!((&won.flows[0].origin, &won.flows[1].origin), (&file, &Origin::Flag));

    let bare = resolve(Some(Path::new("a/b/tools.mcp.json")), &Config::Absent, &Flags::default());
    assert_eq!((bare.name.value.as_str(), bare.format.value.as_str()), ("tools.mcp", "auto"));
    assert_eq!((bare.seeds.value, bare.seeds.origin), (seeds::default_seeds(), Origin::Default));
    assert_eq!(resolve(None, &Config::Absent, &Flags::default()).name.value, "stdin");
}

#[test]
fn a_name_in_both_flags_or_both_lists_stays_in_both() {
    let folder = Folder::new("[own]\nfile = \"tools.json\"\nread = [\"a\"]\nwrite = [\"a\"]\n");
    let both = resolve(Some(&folder.tools()), &folder.config(), &Flags::default()).read_options();
    assert_eq!((both.read, both.write), (names(&["a"]), names(&["a"])), "reading refuses it, not settings");
    let flags = Flags { read: names(&["a"]), ..Flags::default() };
    let flagged = resolve(Some(&folder.tools()), &folder.config(), &flags).read_options();
    assert_eq!((flagged.read, flagged.write), (names(&["a"]), Vec::new()));
}

fn declared(read: &[&str], write: &[&str], intents: &[(&str, &str)], flows: &[Flow]) -> Declared {
    Declared {
        read: names(read),
        write: names(write),
        intents: intents.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
        flows: flows.to_vec(),
    }
}

#[test]
fn saving_keeps_comments_and_what_still_holds() {
    let folder = Folder::new(
        r#"# ours, do not lose
[own] # the set
file = "tools.json" # beside
read = [
    "a", # looks only
    "b",
]
[own.intents]
a = "Look" # short

# the id of a row
[[own.flow]]
from = "a"
field = "id"
to = "c"
param = "x"

# goes away
[[own.flow]]
from = "b"
field = "id"
to = "c"
param = "x"

[tasks] # below
seeds = [1, 2]
"#,
    );
    let kept = flow("a", "id", "c", "x");
    let new = flow("a", "rows[].n", "d", "y \"z\"");
    folder
        .save(&declared(&["a", "d"], &["b"], &[("a", "Look at it"), ("c", "Do")], &[kept.clone(), new.clone()]))
        .unwrap();
    assert_eq!(
        folder.toml(),
        r#"# ours, do not lose
[own] # the set
file = "tools.json" # beside
read = [
    "a", # looks only
    "d",
]
write = ["b"]
[own.intents]
a = "Look at it" # short
c = "Do"

# the id of a row
[[own.flow]]
from = "a"
field = "id"
to = "c"
param = "x"

[[own.flow]]
from = "a"
field = "rows[].n"
to = "d"
param = 'y "z"'

[tasks] # below
seeds = [1, 2]
"#
    );
    let file = folder.used();
    assert_eq!(file.own.flows, [kept, new]);

    // saving the same again changes nothing; clearing leaves the rest
    let before = folder.toml();
    let again = declared(&["a", "d"], &["b"], &[("c", "Do"), ("a", "Look at it")], &file.own.flows);
    folder.save(&again).unwrap();
    assert_eq!(folder.toml(), before);
    folder.save(&Declared::default()).unwrap();
    let own = folder.used().own;
    assert_eq!((own.read, own.write, own.intents, own.flows), (vec![], vec![], vec![], vec![]));
    assert!(folder.toml().contains("# ours, do not lose") && folder.toml().contains("seeds = [1, 2]"));
}

#[test]
fn a_comment_stays_with_its_item() {
    for (before, read, after) in [
        ("[\"a\", \"b\", \"c\"]", &["b", "c", "d"][..], "[\"b\", \"c\", \"d\"]"),
        ("[ \"a\", \"b\" ]", &["a"], "[ \"a\" ]"),
        ("[\"a\"]", &["b"], "[\"b\"]"),
        ("[]", &["a", "b"], "[\"a\", \"b\"]"),
        ("[\n  \"a\", # A\n  \"b\", # B\n]", &["b"], "[\n  \"b\", # B\n]"),
        ("[\n  \"a\", # A\n  \"b\" # B\n]", &["a", "b", "c"], "[\n  \"a\", # A\n  \"b\", # B\n  \"c\"\n]"),
        (
            "[\n  # over a\n  \"a\",\n  # over b\n  \"b\", # B\n  # last\n]",
            &["b"],
            "[\n  # over b\n  \"b\", # B\n  # last\n]",
        ),
        ("[ # list\n  \"a\",\n]", &["a", "b"], "[ # list\n  \"a\",\n  \"b\",\n]"),
        ("[\n  \"a\", # A\n]", &[], "[\n]"),
    ] {
        let folder = Folder::new(&format!("[own]\nfile = \"tools.json\"\nread = {before}\n"));
        folder.save(&declared(read, &[], &[], &[])).unwrap();
        assert_eq!(folder.toml(), format!("[own]\nfile = \"tools.json\"\nread = {after}\n"));
    }
}

#[test]
fn saving_edits_every_way_a_table_can_be_written() {
    let one = [flow("a", "id", "b", "x")];
    let two = [flow("a", "id", "b", "x"), flow("a", "id", "c", "y")];
    let flows = "[{from = \"a\", field = \"id\", to = \"b\", param = \"x\"}]";
    for toml in [
        String::new(),
        "# only a comment\n".to_owned(),
        "[tasks]\nseeds = [3]\n".to_owned(),
        "[own]\nfile = \"tools.json\"\n".to_owned(),
        "own.file = \"tools.json\"\n[tasks]\nseeds = [3]\n".to_owned(),
        "own = {file = \"tools.json\", read = [\"a\"]}\n".to_owned(),
        format!("[own]\nfile = \"tools.json\"\nflow = {flows}\nintents = {{a = \"x\"}}\n"),
        "[own]\nfile = \"tools.json\"\nintents.a = \"x\"\nread = []\n".to_owned(),
        "[own]\r\nfile = \"tools.json\"\r\n".to_owned(),
    ] {
        let folder = Folder::new(&toml);
        for wanted in [
            declared(&["a"], &["b", "c"], &[("a", "Ask, \"please\"")], &one),
            declared(&["b"], &[], &[("a", "Ask"), ("b.c d", "Other")], &two),
            declared(&[], &[], &[], &[]),
        ] {
            folder.save(&wanted).unwrap_or_else(|error| panic!("{toml:?}: {error}"));
            let own = folder.used().own;
            assert_eq!((own.read, own.write), (wanted.read, wanted.write), "{toml:?}");
            assert_eq!((own.intents, own.flows), (wanted.intents, wanted.flows), "{toml:?}");
        }
        assert_eq!(folder.toml().contains("seeds = [3]"), toml.contains("seeds"), "{}", folder.toml());
        assert_eq!(folder.toml().contains("# only a comment"), toml.contains("# only"), "{}", folder.toml());
    }
}

#[test]
fn saving_refuses_what_it_would_spoil() {
    let wanted = declared(&["a"], &[], &[], &[]);
    for (toml, part) in [
        ("[own]\nfile = \"other.json\"\n", "belongs to other.json"),
        ("[own\n", ":1:"),
        ("own = 5\n", "own must be a table"),
        ("[own]\nfile = \"tools.json\"\nflow = 5\n", "cannot be edited safely"),
        ("[own]\nfile = \"tools.json\"\nformat = 5\n", "cannot be edited safely"),
    ] {
        let folder = Folder::new(toml);
        let error = folder.save(&wanted).unwrap_err();
        assert!(error.contains(part), "{error}");
        assert_eq!(folder.toml(), toml, "nothing was written");
        assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2, "no spare file stays");
    }
}

#[test]
fn a_file_is_replaced_whole() {
    let folder = Folder::new("old");
    let path = folder.path("tasks.toml");
    write_whole(&path, b"new").unwrap();
    assert_eq!(folder.toml(), "new");
    let fresh = folder.path("fresh");
    write_whole(&fresh, b"x").unwrap();
    assert_eq!(fs::read(&fresh).unwrap(), b"x");
    assert!(write_whole(&folder.path("no/such/folder"), b"x").is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let link = folder.path("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write_whole(&link, b"through").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(folder.toml(), "through");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(
        fs::read_dir(folder.0.path()).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().ends_with(".tmp"))
    );
}
