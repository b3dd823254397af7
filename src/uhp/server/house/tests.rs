use super::super::stage::{Choice, Cue, Play, Scene, Stage};
use super::choose::{How, named};
use super::*;
use crate::toolfile::{ReadOptions, read};
use crate::uhp::wire::event::Step;

fn house() -> House {
    let file = |stem: &str, bytes: &[u8]| Served {
        stem: stem.into(),
        reading: Arc::new(read(bytes, &ReadOptions { name: stem.into(), ..ReadOptions::default() })),
        settings: PlanSettings::default(),
        seeds: vec![0, 1, 2],
        measure: None,
    };
    House::new(vec![
        file("warehouse.mcp", include_bytes!("../../../../examples/warehouse/warehouse.mcp.json")),
        file("orders.openai", include_bytes!("../../../../examples/orders/orders.openai.json")),
        file("orders.openai", include_bytes!("../../../../examples/orders/orders.openai.json")),
    ])
    .unwrap()
}

fn cue(text: &str) -> Cue {
    Cue {
        base: "rehearsal/warehouse.mcp".into(),
        rehearsal: Rehearsal::default(),
        player: "rehearsal/reference".into(),
        choice: Choice { text: text.into(), ..Choice::default() },
        disabled_tools: vec![],
        attachments: vec![],
    }
}

fn scenes(mut play: Box<dyn Play>) -> Vec<Scene> {
    std::iter::from_fn(|| play.next().unwrap()).collect()
}

fn said(scenes: &[Scene]) -> String {
    let say = |s: &Scene| if let Scene::Tell(Step::Say(t)) = s { Some(t.clone()) } else { None };
    scenes.iter().filter_map(say).collect()
}

#[test]
fn bases_are_the_files_and_models_the_players() {
    let house = house();
    let ids: Vec<_> = house.bases().into_iter().map(|b| b.id).collect();
    assert_eq!(ids, ["rehearsal/warehouse.mcp", "rehearsal/orders.openai", "rehearsal/orders.openai-2"]);
    let cast: Vec<_> = house.cast().into_iter().map(|c| c.id).collect();
    assert_eq!(cast[0], "rehearsal/reference");
    assert!(cast.contains(&"rehearsal/checking".to_owned()));
}

#[test]
fn names_are_read_from_the_whole_input_only() {
    let faults = Arm::parse("faults:f2");
    let is = |text: &str| named(text).map(|n| (n.arm, n.seed, n.task));
    assert_eq!(is("faults:f2 seed 0"), Some((faults, Some(0), None)));
    assert_eq!(is(" faults:f2, task 3. "), Some((faults, None, Some(3))));
    assert_eq!(is("task 3"), Some((None, None, Some(3))));
    assert_eq!(is("Seed=7"), Some((None, Some(7), None)));
    assert_eq!(is("faults:f2"), Some((faults, None, None)));
    for other in ["", "task", "task three", "play task 3", "task 3 please", "faults:f2 seed", "faults:f2 level 0"] {
        assert_eq!(is(other), None, "{other}");
    }
}

#[test]
fn the_reference_player_passes_and_leaves_its_papers() {
    let house = house();
    let (play, about) = house.open(&cue("faults:f1 seed 0")).unwrap();
    assert_eq!((about["arm"].as_str(), about["seed"].as_u64()), (Some("faults:f1"), Some(0)));
    assert_eq!(about["chosen_by"], "input");
    let scenes = scenes(play);
    assert!(said(&scenes).contains("Verdict: passed"), "{}", said(&scenes));
    let calls = scenes.iter().filter(|s| matches!(s, Scene::Tell(Step::Call { .. }))).count();
    let answers = scenes.iter().filter(|s| matches!(s, Scene::Tell(Step::Answer(_)))).count();
    assert!(calls > 1 && calls == answers);
    let files: Vec<_> = scenes
        .iter()
        .filter_map(|s| if let Scene::Write { name, bytes } = s { Some((name.as_str(), bytes)) } else { None })
        .collect();
    assert_eq!(files.iter().map(|f| f.0).collect::<Vec<_>>(), ["episode.json", "card.md"]);
    let episode: serde_json::Value = serde_json::from_slice(files[0].1).unwrap();
    assert_eq!(episode["steps"].as_array().unwrap().len(), calls);
    assert_eq!(episode["verdict"]["label"], "passed");
    assert_eq!(episode["task"]["task_id"], about["task_id"]);
    let card = String::from_utf8(files[1].1.clone()).unwrap();
    assert!(card.contains("| strict | passed |") && card.contains(about["file_hash"].as_str().unwrap()));
}

#[test]
fn the_same_cue_plays_the_same_scenes() {
    let house = house();
    let play = || scenes(house.open(&cue("anything at all")).unwrap().0);
    assert_eq!(play(), play());
    assert!(said(&play()).contains("names no planned task"));
}

#[test]
fn the_choice_goes_metadata_then_input_then_request_then_turn() {
    let house = house();
    let chosen =
        |cue: &Cue| choose::choose(&house, &house.files[0], &cue.rehearsal, &cue.choice).map(|c| (c.seed, c.how));
    let mut asked = cue("faults:f1 seed 9");
    assert_eq!(chosen(&asked), Ok((9, How::Named)));
    asked.choice.seed = Some(5);
    assert_eq!(chosen(&asked), Ok((5, How::Metadata)));
    asked.choice.seed = None;
    asked.choice.task = Some(1);
    assert_eq!(chosen(&asked), Ok((0, How::Metadata)));
    let first = house.files[0].arm(&Rehearsal::default()).unwrap();
    let request = house.files[0].planner.plan(first, 2).unwrap().request;
    assert_eq!(chosen(&cue(&request)), Ok((2, How::Request)));
    let mut turn = cue("hello");
    turn.choice.turn = 4;
    assert_eq!(chosen(&turn), Ok((1, How::Turn)));
    assert_eq!(chosen(&cue("task 3")), Ok((2, How::Named)));
    assert_eq!(chosen(&cue("task 4")).unwrap_err().code, Code::HarnessError);
    assert_eq!(chosen(&cue("faults:f99 seed 0")).unwrap_err().code, Code::HarnessError);
}

#[test]
fn a_harness_is_checked_when_it_is_written() {
    let house = house();
    let check = |arm: Option<&str>, seeds: Vec<u64>| {
        let rehearsal = Rehearsal { arm: arm.map(str::to_owned), seeds };
        house.check_harness("rehearsal/warehouse.mcp", &rehearsal).map_err(|p| p.param.unwrap())
    };
    assert_eq!(check(None, vec![]), Ok(()));
    assert_eq!(check(Some("faults:f1"), vec![0, 3]), Ok(()));
    assert_eq!(check(Some("faults:f99"), vec![]), Err("rehearsal.arm".into()));
    assert_eq!(check(Some("nonsense"), vec![]), Err("rehearsal.arm".into()));
    let choice = Choice { task: Some(4), ..Choice::default() };
    let problem = house.check_choice("rehearsal/warehouse.mcp", &Rehearsal::default(), &choice).unwrap_err();
    assert_eq!(problem.param.as_deref(), Some("metadata.task"));
}

#[test]
fn a_disabled_tool_is_never_played() {
    let house = house();
    let mut asked = cue("faults:f1 seed 0");
    let needed = {
        let played = scenes(house.open(&asked).unwrap().0);
        let name = |s: &Scene| if let Scene::Tell(Step::Call { name, .. }) = s { Some(name.clone()) } else { None };
        played.iter().find_map(name).unwrap()
    };
    asked.disabled_tools = vec!["WebSearch".into(), needed];
    let played = scenes(house.open(&asked).unwrap().0);
    assert!(played.iter().any(|s| matches!(s, Scene::Tell(Step::Answer(t)) if t.contains("disabled"))));
    assert!(!said(&played).contains("Verdict: passed"));
}
