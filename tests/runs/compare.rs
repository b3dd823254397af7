//! Two runs or cards side by side: the verdict in every case, levels, changed tasks, causes; cards written and checked.

use crate::resume::{files, folder, play, ready, request, run, thirteen_dials};
use crate::sets::Set;
use rehearsal::align::RowKind;
use rehearsal::card::{Cause, card_page};
use rehearsal::run::{
    Checked, Compared, RunFolder, RunRequest, RunState, Source, check_card, check_card_telling, list_runs, write_card,
};
use rehearsal::task::Dial;
use rehearsal::value::Value;
use std::path::Path;

fn open(path: &Path) -> Source {
    Source::open(path).unwrap()
}

fn compared(a: &Path, b: &Path) -> Compared {
    Compared::of(open(a), open(b))
}

/// Runs a player on the landed and faults dials of the orders example.
fn played(set: &Set, player: &str, out: &Path) {
    let arms = [Dial::Landed.at(0), Dial::Landed.at(1), Dial::Faults.at(0), Dial::Faults.at(4)];
    run(request(set, &arms, &(0..12).collect::<Vec<_>>(), 2, player, out)).unwrap();
}

#[test]
fn two_runs_of_one_plan_are_the_same_and_so_are_their_cards() {
    let folder = folder();
    let [one, two] = ["one", "two"].map(|name| thirteen_dials(&folder.path().join(name)));
    run(one.clone()).unwrap();
    // The second is cut off half way and goes on.
    let ready = ready(two.clone()).unwrap();
    play(&ready).unwrap();
    let two_folder = RunFolder::at(&two.out);
    let whole = files(&two_folder);
    std::fs::write(two_folder.episodes(), &whole.0[..whole.0.len() / 2]).unwrap();
    play(&ready).unwrap();
    assert!(files(&two_folder) == files(&RunFolder::at(&one.out)));

    let [card_one, card_two] = [&one.out, &two.out].map(|out| write_card(&open(out)).unwrap());
    let read = |card: &Path| std::fs::read_to_string(card.join("artifact.json")).unwrap();
    // The same artifact but for the record of the resume.
    let without: String =
        read(&card_two).lines().filter(|l| !l.contains("\"resumed\": true")).map(|l| format!("{l}\n")).collect();
    assert_ne!(read(&card_one), read(&card_two));
    assert_eq!(read(&card_one), without);
    for card in [&card_one, &card_two] {
        assert_eq!(check_card(card).unwrap(), Checked::Same { card: card.clone(), held: 180, since: 0 });
    }
    // A run beside a run, a card beside a card, one of each.
    for (a, b) in [(&one.out, &two.out), (&card_one, &card_two), (&one.out, &card_two), (&card_one, &two.out)] {
        let both = compared(a, b);
        assert!(both.comparison.verdict.is_ok(), "{}", both.comparison.verdict.sentence);
        assert!(!both.comparison.is_changed() && !both.comparison.is_worse());
        let [known, same] = both.comparison.chains;
        assert_eq!((known, same), (both.a.episodes.len(), both.a.episodes.len()));
    }
}

#[test]
fn a_card_says_what_was_measured_on_what_and_its_figures_lie_between_0_and_1() {
    let folder = folder();
    let request = RunRequest { attempts: 5, ..thirteen_dials(&folder.path().join("run")) };
    run(request.clone()).unwrap();
    let source = open(&request.out);
    let page = card_page(&source.artifact, &source.about()).markdown();
    let reading = &request.reading;
    for said in [
        reading.file_hash.to_string(),
        reading.contract_hash().unwrap().to_string(),
        "mcp, 16 usable tools".into(),
        "rehearsal-1".into(),
    ] {
        assert!(page.contains(&said), "{said} in {page}");
    }
    let (first, levels) = (page.find("contract hash").unwrap(), page.find("## Levels").unwrap());
    assert!(first < levels && levels < page.find("## Outcomes").unwrap());
    assert!(page.contains("What this card does not say") && page.contains("What went wrong on the way"));
    let value = source.artifact.to_value();
    let mut between = 0;
    for cell in value.get("cells").unwrap().as_array().unwrap() {
        let rate = cell.get("pass_at_1").unwrap().as_f64().unwrap();
        between += usize::from(rate > 0.0 && rate < 1.0);
        for missing in [
            "prompt_tokens",
            "tokens_mean",
            "dollars",
            "reported_cost",
            "minimum_calls",
            "stopped_short_count",
            "episode_seconds_median",
        ] {
            assert!(cell.get(missing).unwrap().is_null(), "{missing} must be null, never 0");
        }
        assert!(cell.get("duplicate_writes").unwrap().as_i64().is_some());
    }
    assert!(between > 5, "a mix gives rates between 0 and 1: {between}");
    let cell = |arm: &str| source.artifact.cell(arm).unwrap().slips.unwrap();
    assert!(cell("baddata:b2").bad_reads_believed.unwrap() > 0);
    assert_eq!(cell("baddata:b0").bad_reads_believed, None);
    assert_eq!(cell("faults:f1").stale_reads_acted_on, None);
    assert!(cell("lagged:g1").stale_reads_acted_on.is_some());
    // Every level but a dial's first stands against it.
    let dials = 13;
    assert_eq!(source.artifact.pairs.len(), request.arms.len() - dials);
    assert!(source.artifact.pairs.iter().all(|p| p.predicate == Some("strict") && p.levels[1] < p.levels[0]));
    assert!(source.artifact.reach_pairs.is_empty());
}

#[test]
fn a_card_that_was_touched_is_found_out() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    played(&set, "mix:reference=1,once=1", &out);
    let card = write_card(&open(&out)).unwrap();
    let file = card.join("artifact.json");
    let good = std::fs::read_to_string(&file).unwrap();
    for (bad, what) in [
        (
            good.replacen("\"episodes_scored\": 24", "\"episodes_scored\": 25", 1),
            "another figure at /cells/0/episodes_scored",
        ),
        (good.replacen("  ", "   ", 1), "written otherwise"),
        (good.trim_end().to_owned(), "written otherwise"),
    ] {
        assert_ne!(bad, good);
        std::fs::write(&file, bad).unwrap();
        let Checked::Differs { what: found, .. } = check_card(&out).unwrap() else {
            panic!("{what} was not found out")
        };
        assert!(found.contains(what), "{found}");
    }
    std::fs::write(&file, &good).unwrap();
    let records = card.join("episodes.jsonl");
    let lines = std::fs::read_to_string(&records).unwrap();
    std::fs::write(&records, lines.replacen("\"sampled_calls\": 2", "\"sampled_calls\": 1", 1)).unwrap();
    assert!(matches!(check_card(&out).unwrap(), Checked::Differs { .. }));
    std::fs::write(&records, lines).unwrap();
    assert!(matches!(check_card(&out).unwrap(), Checked::Same { since: 0, .. }));
}

/// Changes the byte after `after` at its nth place in a file.
fn touch(file: &Path, after: &str, nth: usize) {
    let mut text = std::fs::read_to_string(file).unwrap();
    let at = text.match_indices(after).nth(nth).unwrap().0 + after.len();
    let other = if &text[at..=at] == "x" { "y" } else { "x" };
    text.replace_range(at..=at, other);
    std::fs::write(file, text).unwrap();
}

#[test]
fn a_check_tells_how_far_it_is_and_can_be_stopped() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    played(&set, "checking", &out);
    write_card(&open(&out)).unwrap();
    let mut told = Vec::new();
    let whole = check_card_telling(&out, &mut |what, done, of| {
        assert!(done <= of, "{what}: {done} of {of}");
        told.push(what);
        true
    });
    assert_eq!(whole, check_card(&out));
    told.dedup();
    assert_eq!(told, ["reading episodes", "working out intervals", "holding calls against their chain"]);
    for at in told {
        let stopped = check_card_telling(&out, &mut |what, _, _| what != at).unwrap_err();
        assert!(stopped.ends_with("stopped"), "{at}: {stopped}");
    }
}

#[test]
fn one_byte_of_a_run_is_found_by_its_place() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    played(&set, "checking", &out);
    let card = write_card(&open(&out)).unwrap();
    let traces = RunFolder::at(&out).traces();
    assert!(matches!(check_card(&out).unwrap(), Checked::Same { since: 0, .. }));
    let good = std::fs::read_to_string(&traces).unwrap();
    // Of the first episode with two calls or more: its second call, its answer, its change of the store, its ending.
    let line = good.lines().position(|l| l.matches("\"answer\"").count() > 1).unwrap();
    let before = good.lines().take(line);
    let nth = |what: &str, of: usize| before.clone().map(|l| l.matches(what).count()).sum::<usize>() + of;
    for (what, of, says) in [
        ("{\"tool\":\"", 1, "call 2 is not what its chained hash covers"),
        ("\"answer\":{\"text\":\"", 1, "call 2 is not what its chained hash covers"),
        ("\"answer\":{\"text\":\"", 0, "call 1 is not what its chained hash covers"),
        ("\"label\":\"", 0, "the ending is not what the chained hash covers"),
    ] {
        touch(&traces, what, nth(what, of));
        let Checked::Differs { what: found, .. } = check_card(&out).unwrap() else { panic!("{what}: not found out") };
        assert!(found.starts_with(&format!("traces.jsonl line {} (", line + 1)) && found.contains(says), "{found}");
        // Whoever looks at the episode is told too.
        let trace = open(&out).trace(line).unwrap().unwrap();
        assert!(trace.broken_words().unwrap().contains(says));
        std::fs::write(&traces, &good).unwrap();
    }
    assert_eq!(open(&out).trace(line).unwrap().unwrap().broken, None);
    // A whole line of another episode hangs together, and is not the record's.
    let mut lines: Vec<&str> = good.lines().collect();
    lines.swap(0, 1);
    std::fs::write(&traces, lines.join("\n") + "\n").unwrap();
    let Checked::Differs { what: found, .. } = check_card(&out).unwrap() else { panic!("the swap was not found") };
    assert!(found.contains("line 1 (") && found.contains("not that of the record"), "{found}");
    std::fs::write(&traces, &good).unwrap();
    // The page is held against the figures too.
    let page = card.join("card.md");
    touch(&page, "| faults:f0 | ", 0);
    let Checked::Differs { what: found, .. } = check_card(&out).unwrap() else { panic!("the page was not looked at") };
    assert!(found.starts_with("card.md: line "), "{found}");
    // Also where its tool file is not at hand, whose names the page tells of.
    write_card(&open(&out)).unwrap();
    let plan = RunFolder::at(&out).plan();
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replace("orders.openai.json", "gone.json")).unwrap();
    assert_eq!(open(&out).about().names, None);
    assert!(matches!(check_card(&out).unwrap(), Checked::Same { since: 0, .. }));
    touch(&page, "| faults:f0 | ", 0);
    assert!(matches!(check_card(&out).unwrap(), Checked::Differs { .. }));
}

#[test]
fn the_first_divergence_is_found_by_the_chain() {
    let set = Set::example("orders");
    let folder = folder();
    let [one, two] = ["checking", "trusting"].map(|player| {
        let out = folder.path().join(player);
        run(request(&set, &[Dial::Faults.at(1), Dial::Lagged.at(1)], &[1, 2], 1, player, &out)).unwrap();
        out
    });
    let both = compared(&one, &two);
    let parted = both.comparison.parted.clone().unwrap();
    let chains = |side: &Source| (0..side.episodes.len()).map(|i| side.episodes.chain(i)).collect::<Vec<_>>();
    let first = chains(&both.a).iter().zip(chains(&both.b)).position(|(a, b)| *a != b).unwrap();
    assert_eq!((parted.index_a, parted.index_b), (first, first));
    let pair = both.episodes(&parted).unwrap().unwrap();
    let at = pair.parts_at().unwrap();
    let answers = |i: usize| (pair.a.steps.get(i).map(|s| &s.played), pair.b.steps.get(i).map(|s| &s.played));
    assert!((0..at).all(|i| answers(i).0 == answers(i).1) && answers(at).0 != answers(at).1);
    let line = format!(
        "The first divergence: {}, seed {}, attempt {}, call {}.",
        parted.arm_id,
        parted.seed,
        parted.attempt,
        at + 1
    );
    assert!(both.page(0).unwrap().lines().contains(&line), "{line}");
    let value = both.to_value().unwrap();
    assert_eq!(value.get("first_parted").unwrap().get("call").unwrap(), &rehearsal::value::Value::from(at + 1));
    assert_eq!(compared(&one, &one).comparison.parted, None);
}

#[test]
fn a_card_over_a_gate_is_not_written() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    // Without its last call a task of one call is an episode without calls.
    played(&set, "wrong:wrong_state", &out);
    let source = open(&out);
    let error = write_card(&source).unwrap_err();
    assert!(error.contains("no tool call") && !error.contains('\n'), "{error}");
    assert!(!out.join("card").exists());
    assert!(card_page(&source.artifact, &source.about()).markdown().contains("This card is refused"));
}

#[test]
fn a_reformatted_file_and_a_changed_contract_get_their_verdicts_and_no_figure_beside_another() {
    let set = Set::example("orders");
    let folder = folder();
    let bytes = std::fs::read_to_string(&set.path).unwrap();
    let reformatted = Set::of("orders", format!("{bytes} ").as_bytes());
    let changed = Set::of("orders", bytes.replacen("description\": \"", "description\": \"Now: ", 1).as_bytes());
    let out = |name: &str| folder.path().join(name);
    played(&set, "reference", &out("a"));
    played(&reformatted, "reference", &out("b"));
    played(&changed, "reference", &out("c"));
    for (b, cause, word) in [("b", Cause::Reformatted, "reformatted"), ("c", Cause::Contract, "contracts")] {
        let both = compared(&out("a"), &out(b));
        let verdict = &both.comparison.verdict;
        assert_eq!((verdict.rule, verdict.cause), (1, Some(cause)));
        assert!(verdict.sentence.contains(word));
        assert!(both.comparison.levels.is_empty() && both.comparison.changed.is_empty());
        assert!(both.comparison.is_worse() && both.comparison.is_changed());
        let value = both.to_value().unwrap();
        assert!(value.get("levels").is_none() && value.get("cards").unwrap().as_array().unwrap().len() == 2);
        let page = both.page(10).unwrap().markdown();
        assert_eq!(page.matches("## Levels").count(), 2);
        assert!(!page.contains("B - A"));
    }
    let both = compared(&out("a"), &out("b"));
    let differing = both.comparison.verdict.changed();
    assert_eq!(differing, ["file hash", "plan hash"]);
}

#[test]
fn what_changed_is_shown_call_by_call_with_its_cause() {
    let set = Set::example("orders");
    let folder = folder();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    played(&set, "checking", &a);
    played(&set, "blind-retry", &b);
    let both = compared(&a, &b);
    assert!(both.comparison.verdict.is_ok());
    // blind-retry makes the landed write again, and gives up after three repeats where four faults are planned.
    let worse: Vec<&str> = both.comparison.levels.iter().filter(|l| l.is_worse()).map(|l| &*l.arm_id).collect();
    assert_eq!(worse, ["landed:l1", "faults:f4"]);
    let arms: std::collections::BTreeSet<&str> = both.comparison.changed.iter().map(|c| &*c.arm_id).collect();
    assert!(arms.into_iter().eq(["faults:f4", "landed:l1"]));
    let (mut read_back, mut gave_up) = (0, 0);
    for changed in &both.comparison.changed {
        assert!(changed.flipped && &*changed.a == "passed");
        let pair = both.episodes(changed).unwrap().unwrap();
        let cause = pair.cause.unwrap();
        let first = pair.rows[pair.first.unwrap()];
        if &*changed.arm_id == "faults:f4" {
            gave_up += 1;
            assert!(cause.starts_with("B replied after") && cause.contains("unavailable"), "{cause}");
            assert_eq!(first.kind, RowKind::OnlyA { repeated: true });
        } else if cause.contains("after a timeout that A read back first") {
            read_back += 1;
            assert!(cause.starts_with("B repeated the write"), "{cause}");
        }
    }
    assert_eq!(gave_up, 24);
    assert!(read_back > 0, "some landed target has a read back");
    let lines = both.page(3).unwrap().lines().join("\n");
    assert!(
        lines.contains("show all with --episodes 48") && lines.contains("! timeout, stored as expected"),
        "{lines}"
    );
    let value = both.to_value().unwrap();
    let rows =
        value.get("changed").and_then(|c| c.at(0)).and_then(|c| c.get("rows")).and_then(Value::as_array).unwrap();
    assert!(!rows.is_empty());
    // The other way round it is better.
    let back = compared(&b, &a);
    assert!(!back.comparison.is_worse() && back.comparison.is_changed());
}

#[test]
fn an_unfinished_run_is_compared_on_what_it_has() {
    let set = Set::example("orders");
    let folder = folder();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    played(&set, "reference", &a);
    played(&set, "reference", &b);
    let episodes = RunFolder::at(&b).episodes();
    let bytes = std::fs::read(&episodes).unwrap();
    let cut = &bytes[..bytes.len() * 5 / 8];
    let kept = cut.iter().filter(|b| **b == b'\n').count() as u64;
    std::fs::write(&episodes, cut).unwrap();
    let both = compared(&a, &b);
    assert!(both.comparison.verdict.is_ok());
    assert_eq!(both.comparison.levels.len(), 3);
    assert!(both.comparison.levels[2].interval.is_none(), "not over the same seeds");
    assert_eq!(both.comparison.only[0].iter().map(|a| &**a).collect::<Vec<_>>(), ["faults:f4"]);
    assert!(open(&b).artifact.owed() > 0);
    // The card of an unfinished run is checked as what it was when it was made.
    let card = write_card(&open(&b)).unwrap();
    std::fs::write(&episodes, bytes).unwrap();
    assert_eq!(
        check_card(&b).unwrap(),
        Checked::Same { card, held: kept, since: open(&b).artifact.cells.iter().map(|c| c.scored).sum::<u64>() - kept }
    );
}

#[test]
fn runs_are_listed_with_their_state() {
    let set = Set::example("orders");
    let folder = folder();
    let out = |name: &str| folder.path().join(name);
    played(&set, "once", &out("first"));
    played(&set, "reference", &out("second"));
    let episodes = RunFolder::at(out("first")).episodes();
    let bytes = std::fs::read(&episodes).unwrap();
    std::fs::write(&episodes, &bytes[..bytes.len() / 2]).unwrap();
    std::fs::create_dir(out("not-a-run")).unwrap();
    std::fs::create_dir(out("broken")).unwrap();
    std::fs::write(out("broken").join("plan.json"), "{").unwrap();
    let runs = list_runs(folder.path());
    assert_eq!(runs.len(), 3);
    let entry = |name: &str| runs.iter().find(|r| r.path == out(name)).unwrap();
    assert!(matches!(entry("first").state, RunState::Torn(n, 96) if n > 40 && n < 50));
    assert_eq!(
        (&entry("second").state, &*entry("second").player, &*entry("second").set),
        (&RunState::Finished, "reference", "orders")
    );
    assert_eq!(entry("second").size, [4, 12, 2]);
    assert_eq!(entry("second").hashes[1].as_deref(), Some(&*set.reading.file_hash));
    assert!(matches!(entry("broken").state, RunState::Broken(_)));
    let figures = entry("second").figures(&mut |_, _, _| true).unwrap();
    assert_eq!((figures.passed, figures.owed, figures.gates.len()), ([96, 96], 0, 0));
    assert!(figures.chain.is_some());
}

#[test]
fn an_own_run_beside_a_published_card_is_another_thing() {
    let Some(published) = crate::published::folders().into_iter().next() else { return };
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    let arms = [Dial::Depth.at(1), Dial::Depth.at(2)];
    run(RunRequest { arms: arms.to_vec(), ..request(&set, &arms, &[1], 1, "reference", &out) }).unwrap();
    let both = compared(&out, &published);
    // Both have an arm of that name, and only one says what produced it.
    assert_eq!((both.comparison.verdict.rule, both.comparison.verdict.cause), (3, Some(Cause::Unknown)));
    assert!(both.comparison.levels.is_empty());
    let page = both.page(10).unwrap().markdown();
    assert!(page.contains("distractor:r14@k16") && page.contains("depth:d2"));
    assert!(matches!(check_card(&published).unwrap(), Checked::Same { .. }));
}

#[test]
fn what_is_neither_a_run_nor_a_card_is_said_to_be_so() {
    let folder = folder();
    let error = Source::open(folder.path()).unwrap_err();
    assert!(error.contains("neither a run folder"), "{error}");
    assert!(Source::open(&folder.path().join("nowhere")).unwrap_err().contains("not there"));
    std::fs::write(folder.path().join("artifact.json"), "{}").unwrap();
    std::fs::write(folder.path().join("episodes.jsonl"), "").unwrap();
    assert!(Source::open(folder.path()).unwrap_err().contains("provenance"));
    std::fs::write(folder.path().join("artifact.json"), r#"{"provenance": {"S": -1}}"#).unwrap();
    assert!(Source::open(folder.path()).unwrap_err().contains("provenance has no"));
    std::fs::write(folder.path().join("episodes.jsonl"), "[1]\n").unwrap();
    assert!(Source::open(folder.path()).unwrap_err().contains("line 1"));
}

#[test]
fn a_comparison_opens_with_one_sentence_and_totals() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/runs");
    let both = compared(&root.join("hasty"), &root.join("careful"));
    let lines = both.page(0).unwrap().lines();
    let place = |word: &str| lines.iter().position(|line| line.contains(word)).unwrap();
    assert!(lines[2].starts_with("A ") && lines[2].contains("; B better on "), "{}", lines[2]);
    assert!(place("Levels:") < place("What produced each:"));
    assert!(lines.iter().any(|line| line.contains("no change: both at")));
    // The other way round the same levels are worse.
    let other = compared(&root.join("careful"), &root.join("hasty")).comparison.headline();
    assert!(other.contains("; B worse on "), "{other}");
}
