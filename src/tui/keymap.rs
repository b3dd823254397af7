//! Which key means what where: the actions' own keys with the user's over them, checked.

use super::action::{Action, Context, Place};
use super::keys::Chord;
use crate::text;
use std::collections::HashMap;

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
    /// The default keys, those of the named actions replaced. An empty list takes an action's keys away. Refused: an
    /// unknown action or key, and one key for two actions in one place.
    pub fn new(own: &[(String, Vec<String>)]) -> Result<Self, KeyError> {
        let mut keys: HashMap<Action, Vec<Chord>> = HashMap::new();
        for action in Action::ALL {
            keys.insert(*action, action.default_keys().iter().filter_map(|key| Chord::parse(key)).collect());
        }
        for (name, chords) in own {
            let Some(action) = Action::ALL.iter().find(|a| a.name() == name) else {
                let near = text::nearest(name, Action::ALL.iter().map(|a| a.name()));
                let hint = near.map_or_else(String::new, |near| format!(", did you mean {near}?"));
                return Err(KeyError(format!("keys: there is no action {}{hint}", text::safe(name))));
            };
            let parse = |key: &String| {
                let wrong = || format!("keys: {name}: {} is no key (q, ctrl-r, shift-tab, f1, space)", text::safe(key));
                Chord::parse(key).ok_or_else(|| KeyError(wrong()))
            };
            keys.insert(*action, chords.iter().map(parse).collect::<Result<_, _>>()?);
        }
        let mut places = HashMap::new();
        for place in Place::ALL {
            for action in Action::ALL.iter().filter(|a| a.contexts().iter().any(|c| place.contexts().contains(c))) {
                for chord in &keys[action] {
                    if place.types() && chord.typed().is_some() {
                        return Err(KeyError(format!(
                            "keys: {}: {chord} is typed as text in {}; use ctrl-, alt- or a named key",
                            action.name(),
                            place.title().to_lowercase()
                        )));
                    }
                    if let Some(other) = places.insert((place, *chord), *action) {
                        return Err(KeyError(format!(
                            "keys: {chord} is both {} and {} on {}",
                            other.name(),
                            action.name(),
                            place.title().to_lowercase()
                        )));
                    }
                }
            }
        }
        Ok(Self { keys, places })
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

    /// The key table of README, as Markdown.
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
        assert_eq!(keymap.action(Place::Step, chord("n")), None);
        assert_eq!(keymap.key(Action::NextCall).as_deref(), Some("Z"));
        assert_eq!(own("mouse", &[]).unwrap().action(Place::Tools, chord("M")), None);
    }

    #[test]
    fn wrong_keys_say_why() {
        let wrong = |name, keys: &[&str]| own(name, keys).unwrap_err().0;
        assert_eq!(wrong("next-cal", &["x"]), "keys: there is no action next-cal, did you mean next-call?");
        assert_eq!(wrong("quit", &["ctl-q"]), "keys: quit: ctl-q is no key (q, ctrl-r, shift-tab, f1, space)");
        assert_eq!(wrong("next-call", &["c"]), "keys: c is both next-call and own-call on step screen");
        assert!(wrong("accept", &["x"]).starts_with("keys: accept: x is typed as text in"));
    }

    #[test]
    fn the_table_tells_of_every_action_once() {
        let table = Keymap::default().markdown();
        for action in Action::ALL {
            assert_eq!(table.matches(&format!("| `{}` |\n", action.name())).count(), 1, "{}", action.name());
        }
    }
}
