//! Living in it, in a terminal: a session that is killed and comes back, a file that changes on disk.

use crate::pty::{Pty, binary, shows};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a tool file of one's own, and the state folder of the program.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/warehouse/warehouse.mcp.json");
        std::fs::copy(from, folder.path().join("tools.json")).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the program with this state folder.
    pub fn start(&self, args: &[&str], variables: &[(&str, &str)]) -> Pty {
        let state = self.path("state").to_string_lossy().into_owned();
        let file = self.path("tools.json").to_string_lossy().into_owned();
        let binary = binary();
        let mut command = vec![binary.as_str()];
        command.extend(args.iter().map(|arg| if *arg == "FILE" { file.as_str() } else { arg }));
        let mut all = vec![("XDG_STATE_HOME", state.as_str())];
        all.extend(variables);
        Pty::start_with(&command, (120, 40), &all)
    }

    /// Starts in the stepper.
    pub fn step(&self) -> Pty {
        let pty = self.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[]);
        pty.until("before the first call");
        pty
    }

    /// The journals there are, the oldest first.
    pub fn journals(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path("state/rehearsal/journal")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }
}

/// Sends a signal to the program in a terminal.
pub fn kill(pty: &mut Pty, signal: &str) {
    let pid = pty.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

#[test]
fn a_killed_session_comes_back_with_its_branches_and_its_place() {
    let place = Place::new();
    let mut pty = place.step();
    pty.keys("n").until("call 1: find_sku");
    pty.keys("n").until("call 2: find_sku");
    pty.keys("n").until("call 3: move_item");
    // Back, and another call there: a branch.
    pty.keys("b").until("call 2: find_sku");
    pty.keys("b").until("call 1: find_sku");
    pty.keys("c").until("tool to call");
    pty.keys("list\r").until("call list_bins");
    pty.keys("\u{13}").until("branch 2 of 2").until("call 2: list_bins");
    pty.keys("b").until("call 1: find_sku");
    kill(&mut pty, "-9");
    pty.end();
    // Its last line is torn: as if the machine had been slow.
    let journal = place.journals().pop().unwrap();
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes.extend_from_slice(b"{\"call\":{\"branch\":0,\"at\":7,\"too");
    std::fs::write(&journal, bytes).unwrap();

    let mut pty = place.start(&["FILE"], &[]);
    pty.until("press R to resume the session on tools.json at call 1");
    pty.keys("R").until("resumed at call 1 of 2").until("call 1: find_sku").until("baddata:b2  seed 404");
    pty.keys("f").until("call 2: list_bins");
    // It goes on in the same journal, and is closed by its door.
    pty.keys("n").until("call 3:");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
    assert_eq!(place.journals(), [journal]);
    let mut pty = place.start(&[], &[]);
    pty.until("5 usable tools");
    assert!(!pty.shown().contains("press R to go on"));
    pty.keys("q");
    pty.end();
    // What was closed is brought back when it is asked for by name.
    let mut pty = place.start(&["FILE", "--resume"], &[]);
    pty.until("resumed at call 3 of 3");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_session_whose_terminal_was_closed_comes_back() {
    let place = Place::new();
    let mut pty = place.step();
    pty.keys("nn").until("call 2: find_sku");
    kill(&mut pty, "-HUP");
    let (code, raw) = pty.end();
    assert_eq!(code, 129);
    assert!(shows(&raw), "the terminal was not given back");
    let mut pty = place.start(&["--resume"], &[]);
    pty.until("resumed at call 2 of 2");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
    // Without a terminal it is only told of.
    let told = Command::new(binary()).arg("--resume").env("XDG_STATE_HOME", place.path("state")).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("tools.json  baddata:b2 seed 404\n  left at call 2 of 2 calls\n"), "{told}");
}

#[test]
fn a_session_on_a_file_that_changed_is_refused_and_can_be_read() {
    let place = Place::new();
    let mut pty = place.step();
    pty.keys("n").until("call 1: find_sku");
    kill(&mut pty, "-9");
    pty.end();
    let mut bytes = std::fs::read(place.path("tools.json")).unwrap();
    let before = rehearsal::value::canonical::file_hash(&bytes);
    bytes.push(b'\n');
    let after = rehearsal::value::canonical::file_hash(&bytes);
    std::fs::write(place.path("tools.json"), bytes).unwrap();
    let mut pty = place.start(&["--resume"], &[]);
    pty.until("why the session cannot be resumed").until(&before).until(&after);
    pty.keys("q").until("this session is read-only");
    pty.keys("find\r").until("as recorded").until("\"on_hand\": 457");
    pty.keys("q").until("this session is read-only");
    pty.keys("\u{1b}").gone("this session is read-only");
    // What is played now is another session, and the old one stays as it is.
    let old = std::fs::read(&place.journals()[0]).unwrap();
    pty.keys("2").until("reference solution");
    pty.keys("\rn").until("call 1:");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
    assert_eq!(place.journals().len(), 2);
    assert_eq!(std::fs::read(&place.journals()[0]).unwrap(), old);
}

#[test]
fn two_at_once_do_not_take_each_others_session() {
    let place = Place::new();
    let mut one = place.step();
    let mut two = place.step();
    one.keys("n").until("call 1: find_sku");
    two.keys("nn").until("call 2: find_sku");
    let journals = place.journals();
    assert_eq!(journals.len(), 2);
    // A third sees neither: both are open.
    let mut three = place.start(&[], &[]);
    three.until("5 usable tools");
    three.keys("R").until("no session to resume");
    kill(&mut one, "-9");
    one.end();
    let mut four = place.start(&["FILE"], &[]);
    four.until("session on tools.json at call 1");
    four.keys("R").until("resumed at call 1 of 1");
    two.keys("n").until("call 3: move_item");
    four.keys("n").until("call 2: find_sku");
    for mut pty in [two, three, four] {
        pty.keys("q");
        assert_eq!(pty.end().0, 0);
    }
    assert_eq!(place.journals(), journals);
    let calls = |path: &PathBuf| std::fs::read_to_string(path).unwrap().matches("{\"call\":").count();
    assert_eq!(journals.iter().map(calls).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_file_that_changes_on_disk_is_told_of_and_read_again() {
    let place = Place::new();
    let path = place.path("tools.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut pty = place.start(&["FILE"], &[]);
    pty.until("7 usable tools").until("contract 2f5b22af");
    std::fs::write(&path, format!("{text}\n\n")).unwrap();
    pty.until("changed on disk: only the layout").until("reloads; the tasks will differ");
    // Mended by itself: nothing is to be said any more.
    std::fs::write(&path, &text).unwrap();
    pty.gone("changed on disk");
    std::fs::write(&path, text.replace("find_sku", "find_stock")).unwrap();
    pty.until("changed on disk: the contract changed");
    pty.keys("\u{12}").until("reloaded: the contract changed").until("find_stock");
    // Broken while it is open: what is open stays, and a reload shows why and waits for it to be mended.
    std::fs::write(&path, "{ \"tools\": [,] }").unwrap();
    pty.until("file on disk cannot be opened");
    pty.keys("\u{12}").until("this file cannot be opened").until("line 1, column");
    std::fs::write(&path, "{ \"tools\": [").unwrap();
    pty.until("line 1, column 13");
    std::fs::remove_file(&path).unwrap();
    pty.until("no such file");
    std::fs::write(&path, &text).unwrap();
    pty.until("find_sku").until("contract 2f5b22af");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_journal_that_cannot_be_written_is_told_once_and_the_session_goes_on() {
    let place = Place::new();
    std::fs::write(place.path("state"), "a file where the folder should be").unwrap();
    let mut pty = place.start(&["FILE", "--arm", "baddata:b2", "--seed", "404"], &[]);
    pty.until("the session is not recorded");
    pty.keys("n").until("call 1: find_sku").gone("not written down");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}
