//! Which key means what where: the actions' own keys with the user's over them, checked.

use super::action::{Action, Context, Place};
use super::keys::Chord;
use crate::text;
use std::collections::{HashMap, HashSet};

/// The keys of every action.
#[derive(Debug, Clone, PartialEq)]
pub struct Keymap {
    keys: HashMap<Action, Vec<Chord>>,
    places: HashMap<(Place, Chord), Action>,
}

/// What is wrong with the keys of a settings file: one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError(pub String);

impl Default for Keymap {
    fn default() -> Self {
        // The default keys are checked by a test, so there is nothing to refuse.
        Self::new(&[]).unwrap_or_else(|_| Self { keys: HashMap::new(), places: HashMap::new() })
    }
}

impl Keymap {
    /// The default keys, those of the named actions replaced. An empty list leaves an action without keys. Refused: an
    /// unknown action or key, and one key for two actions in one place.
    pub fn new(own: &[(String, Vec<String>)]) -> Result<Self, KeyError> {
        let (keymap, mistakes) = Self::mended(own);
        mistakes.into_iter().next().map_or(Ok(keymap), Err)
    }

    /// The same with every mistake listed: an action whose keys are wrong keeps its default ones.
    pub fn mended(own: &[(String, Vec<String>)]) -> (Self, Vec<KeyError>) {
        let defaults = |action: Action| -> Vec<Chord> {
            action.default_keys().iter().filter_map(|key| Chord::parse(key)).collect()
        };
        let mut keys: HashMap<Action, Vec<Chord>> = Action::ALL.iter().map(|a| (*a, defaults(*a))).collect();
        let mut mistakes = Vec::new();
        let mut changed: HashSet<Action> = HashSet::new();
        for (name, chords) in own {
            match binding(name, chords) {
                Ok((action, chords)) => {
                    keys.insert(action, chords);
                    changed.insert(action);
                }
                Err(error) => mistakes.push(error),
            }
        }
        loop {
            match places(&keys) {
                Ok(places) => return (Self { keys, places }, mistakes),
                Err((error, clash)) => {
                    mistakes.push(error);
                    let back: Vec<Action> = clash.into_iter().filter(|action| changed.remove(action)).collect();
                    // The default keys never clash, so one of the two is always the person's own.
                    if back.is_empty() {
                        return (Self { keys, places: HashMap::new() }, mistakes);
                    }
                    keys.extend(back.into_iter().map(|action| (action, defaults(action))));
                }
            }
        }
    }

    /// What a key means in a place.
    pub fn action(&self, place: Place, chord: Chord) -> Option<Action> {
        self.places.get(&(place, chord)).copied()
    }

    /// The keys of an action.
    pub fn keys(&self, action: Action) -> &[Chord] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// The first key of an action, for the footer.
    pub fn key(&self, action: Action) -> Option<String> {
        self.keys(action).first().map(Chord::to_string)
    }

    /// All actions that can be done in a place, in order.
    pub fn actions(place: Place) -> impl Iterator<Item = Action> {
        Action::ALL.iter().copied().filter(move |a| a.contexts().iter().any(|c| place.contexts().contains(c)))
    }

    /// The key table of the docs, as Markdown.
    pub fn markdown(&self) -> String {
        let everywhere = Self::actions(Place::Tools).filter(|a| !a.contexts().contains(&Context::Tools)).collect();
        let mut seen: Vec<Action> = Vec::new();
        let mut sections: Vec<(&str, Vec<Action>)> = vec![("Every screen", everywhere)];
        sections.extend(Place::ALL.iter().map(|place| (place.title(), Self::actions(*place).collect())));
        let mut out = String::new();
        for (title, actions) in sections {
            let actions: Vec<Action> = actions.into_iter().filter(|a| !seen.contains(a)).collect();
            if actions.is_empty() {
                continue;
            }
            out.push_str(&format!("#### {title}\n\n| keys | action | name in the settings |\n|---|---|---|\n"));
            for action in &actions {
                let keys: Vec<String> = self.keys(*action).iter().map(|key| format!("`{key}`")).collect();
                out.push_str(&format!("| {} | {} | `{}` |\n", keys.join(" "), action.title(), action.name()));
            }
            out.push('\n');
            seen.extend(actions);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

/// An action and its keys as they are written in the settings.
fn binding(name: &str, chords: &[String]) -> Result<(Action, Vec<Chord>), KeyError> {
    let Some(action) = Action::ALL.iter().find(|a| a.name() == name) else {
        let near = text::nearest(name, Action::ALL.iter().map(|a| a.name()));
        let hint = near.map_or_else(String::new, |near| format!(", did you mean {near}?"));
        return Err(KeyError(format!("keys: unknown action {}{hint}", text::safe(name))));
    };
    let parse = |key: &String| {
        let wrong = || format!("keys: {name}: {} is not a key (use q, ctrl-r, shift-tab, f1, space)", text::safe(key));
        Chord::parse(key).ok_or_else(|| KeyError(wrong()))
    };
    Ok((*action, chords.iter().map(parse).collect::<Result<_, _>>()?))
}

/// What each key does in each place; else what clashes, and the actions it is about.
fn places(keys: &HashMap<Action, Vec<Chord>>) -> Result<HashMap<(Place, Chord), Action>, (KeyError, Vec<Action>)> {
    let mut places = HashMap::new();
    for place in Place::ALL {
        for action in Keymap::actions(place) {
            for chord in &keys[&action] {
                if place.types() && chord.typed().is_some() {
                    let error = format!(
                        "keys: {}: {chord} is typed as text in {}; use ctrl-, alt- or a named key",
                        action.name(),
                        place.title().to_lowercase()
                    );
                    return Err((KeyError(error), vec![action]));
                }
                if let Some(other) = places.insert((place, *chord), action) {
                    let error = format!(
                        "keys: {chord} is both {} and {} on {}",
                        other.name(),
                        action.name(),
                        place.title().to_lowercase()
                    );
                    return Err((KeyError(error), vec![other, action]));
                }
            }
        }
    }
    for place in Place::ALL.into_iter().filter(|place| !place.types()) {
        for (letter, action) in [('n', Action::FindNext), ('N', Action::FindPrevious)] {
            let chord = Chord::letter(letter);
            // Only where no action of the place has the letter, and only for those who left the keys as they are.
            let usual = action.default_keys().iter().all(|key| keys[&action].iter().any(|own| own.to_string() == *key));
            let works = action.contexts().iter().any(|c| place.contexts().contains(c));
            if usual && works && !places.contains_key(&(place, chord)) {
                places.insert((place, chord), action);
            }
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(name: &str, keys: &[&str]) -> Result<Keymap, KeyError> {
        Keymap::new(&[(name.to_owned(), keys.iter().map(|k| (*k).to_owned()).collect())])
    }

    #[test]
    fn the_default_keys_parse_and_do_not_clash() {
        for action in Action::ALL {
            for key in action.default_keys() {
                assert!(Chord::parse(key).is_some(), "{}: {key}", action.name());
            }
        }
        assert_eq!(Keymap::new(&[]).map(|_| ()), Ok(()));
    }

    #[test]
    fn keys_can_be_changed() {
        let keymap = own("next-call", &["Z", "ctrl-x"]).unwrap();
        let chord = |key| Chord::parse(key).unwrap();
        assert_eq!(keymap.action(Place::Step, chord("Z")), Some(Action::NextCall));
        assert_eq!(keymap.action(Place::Step, chord("n")), Some(Action::FindNext), "n is free now");
        assert_eq!(keymap.key(Action::NextCall).as_deref(), Some("Z"));
        assert_eq!(own("mouse", &[]).unwrap().action(Place::Tools, chord("M")), None);
    }

    #[test]
    fn wrong_keys_say_why() {
        let wrong = |name, keys: &[&str]| own(name, keys).unwrap_err().0;
        assert_eq!(wrong("next-cal", &["x"]), "keys: unknown action next-cal, did you mean next-call?");
        assert_eq!(wrong("quit", &["ctl-q"]), "keys: quit: ctl-q is not a key (use q, ctrl-r, shift-tab, f1, space)");
        assert_eq!(wrong("next-call", &["c"]), "keys: c is both next-call and own-call on step screen");
        assert!(wrong("accept", &["x"]).starts_with("keys: accept: x is typed as text in"));
    }

    #[test]
    fn n_goes_to_the_next_match_where_it_is_free() {
        let keymap = Keymap::default();
        let at = |place, letter| keymap.action(place, Chord::letter(letter));
        assert_eq!(at(Place::Tools, 'n'), Some(Action::FindNext));
        assert_eq!(at(Place::Card, 'N'), Some(Action::FindPrevious));
        assert_eq!(at(Place::Look, 'n'), Some(Action::FindNext));
        assert_eq!(at(Place::Step, 'n'), Some(Action::NextCall));
        assert_eq!(at(Place::Line, 'n'), None);
        let own = own("next-match", &["Z"]).unwrap();
        assert_eq!(own.action(Place::Tools, Chord::letter('n')), None);
    }

    #[test]
    fn every_mistake_is_listed_and_the_other_keys_hold() {
        let own: Vec<(String, Vec<String>)> = [("next-cal", "x"), ("quit", "ctl-q"), ("next-call", "c"), ("back", "Z")]
            .map(|(name, key)| (name.to_owned(), vec![key.to_owned()]))
            .to_vec();
        let (keymap, mistakes) = Keymap::mended(&own);
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
        let key = |action| keymap.key(action).unwrap();
        assert_eq!((key(Action::Quit), key(Action::NextCall), key(Action::Back)), ("q".into(), "n".into(), "Z".into()));
        // Two actions that swap their keys do not clash.
        let swap = [("next-call".to_owned(), vec!["c".to_owned()]), ("own-call".to_owned(), vec!["n".to_owned()])];
        assert!(Keymap::mended(&swap).1.is_empty());
    }

    #[test]
    fn the_table_lists_every_action_once() {
        let table = Keymap::default().markdown();
        for action in Action::ALL {
            assert_eq!(table.matches(&format!("| `{}` |\n", action.name())).count(), 1, "{}", action.name());
        }
    }
}
