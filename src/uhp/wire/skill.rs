//! Skills: folders of files that a harness carries, checked when they are written and given back byte for byte.

use super::error::Problem;
use super::{Fields, Json, path};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most files of one skill or one plugin package.
pub const MOST_FILES: usize = 1_000;

/// Most bytes of one skill or one plugin package, decoded.
pub const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The file every skill folder has.
pub const SKILL_FILE: &str = "SKILL.md";

/// One file of a skill folder or of a plugin package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkillFile {
    /// Relative path in its folder.
    pub path: String,
    /// Text content.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content: Option<String>,
    /// Base64 of binary content.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content_b64: Option<String>,
    /// What else the client wrote.
    #[serde(flatten)]
    pub extra: Fields,
}

impl SkillFile {
    /// A text file.
    pub fn text(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: path.into(), content: Some(content.into()), content_b64: None, extra: Fields::new() }
    }

    /// Its bytes; `None` when the base64 is none.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match (&self.content, &self.content_b64) {
            (Some(text), _) => Some(text.clone().into_bytes()),
            (None, Some(b64)) => STANDARD.decode(b64).ok(),
            (None, None) => Some(Vec::new()),
        }
    }
}

/// A skill of a harness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// Its name, which is its folder's.
    pub name: String,
    /// False suppresses it.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// The folder.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub files: Option<Vec<SkillFile>>,
    /// A folder of one `SKILL.md`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub content: Option<String>,
    /// What else the client wrote.
    #[serde(flatten)]
    pub extra: Fields,
}

/// The default of every `enabled`.
pub(super) fn yes() -> bool {
    true
}

impl Skill {
    /// Every file of the folder; a one-file shorthand becomes its file.
    pub fn folder(&self) -> Vec<SkillFile> {
        match (&self.files, &self.content) {
            (Some(files), _) => files.clone(),
            (None, Some(text)) => vec![SkillFile::text(SKILL_FILE, text.clone())],
            (None, None) => Vec::new(),
        }
    }
}

/// Reads the `skills` of a request. Each needs a name of its own and a folder with a `SKILL.md` whose paths stay inside
/// (a disabled one may come without: it only suppresses). `at` is the field, for errors.
pub fn read_all(value: &Json, at: &str) -> Result<Vec<Skill>, Problem> {
    let Some(list) = value.as_array() else { return Err(Problem::invalid(at, "The skills must be a list.")) };
    let mut seen = BTreeSet::new();
    let mut skills = Vec::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        let at = format!("{at}[{i}]");
        let skill = read_one(item, &at)?;
        if !seen.insert(skill.name.clone()) {
            return Err(Problem::invalid(format!("{at}.name"), "Two skills have this name."));
        }
        skills.push(skill);
    }
    Ok(skills)
}

fn read_one(item: &Json, at: &str) -> Result<Skill, Problem> {
    if item.get("blob").is_some_and(|b| !b.is_null()) && item.get("files").is_none_or(Json::is_null) {
        return Err(Problem::invalid(
            format!("{at}.blob"),
            "This server hands out no such handle; send the skill's files.",
        ));
    }
    let skill: Skill = serde_json::from_value(without_nulls(item))
        .map_err(|_| Problem::invalid(at, "A skill is an object with a name and files of path and content."))?;
    check_name(&skill.name).map_err(|why| Problem::invalid(format!("{at}.name"), why))?;
    let folder = skill.folder();
    if folder.is_empty() && !skill.enabled {
        return Ok(skill);
    }
    check_files(&folder).map_err(|(place, why)| Problem::invalid(format!("{at}.files{place}"), why))?;
    if folder.iter().any(|f| f.path == SKILL_FILE) {
        Ok(skill)
    } else {
        Err(Problem::invalid(format!("{at}.files"), "A skill's folder must hold a SKILL.md."))
    }
}

/// The object without members that are null, so that `null` counts as absent.
pub(super) fn without_nulls(item: &Json) -> Json {
    match item {
        Json::Object(map) => {
            Json::Object(map.iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k.clone(), v.clone())).collect())
        }
        other => other.clone(),
    }
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() || name.len() > 128 {
        return Err("A skill's name has 1 to 128 bytes.");
    }
    if name.contains('/') || path::check(name).is_err() {
        return Err("A skill's name must be the name of one folder.");
    }
    Ok(())
}

/// Checks the files of a folder: contained paths, each once, none of them a folder of another, content that decodes,
/// bounded in number and size. An error is the place after `files` and the sentence.
pub fn check_files(files: &[SkillFile]) -> Result<(), (String, String)> {
    if files.len() > MOST_FILES {
        return Err((String::new(), format!("A folder has at most {MOST_FILES} files.")));
    }
    let (mut seen, mut total) = (BTreeSet::new(), 0usize);
    for (i, file) in files.iter().enumerate() {
        path::check(&file.path).map_err(|why| (format!("[{i}].path"), format!("A path cannot be taken: {why}.")))?;
        if !seen.insert(file.path.as_str()) {
            return Err((format!("[{i}].path"), "Two files have this path.".to_owned()));
        }
        if file.content.is_some() && file.content_b64.is_some() {
            return Err((format!("[{i}]"), "A file has content or content_b64, not both.".to_owned()));
        }
        let Some(bytes) = file.bytes() else {
            return Err((format!("[{i}].content_b64"), "The base64 does not decode.".to_owned()));
        };
        total = total.saturating_add(bytes.len());
        if total > MOST_BYTES {
            return Err((String::new(), format!("A folder has at most {MOST_BYTES} bytes.")));
        }
    }
    for (i, file) in files.iter().enumerate() {
        let inside = file.path.match_indices('/').any(|(cut, _)| seen.contains(&file.path[..cut]));
        if inside {
            return Err((format!("[{i}].path"), "A file stands where another path needs a folder.".to_owned()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(skill: Json) -> Result<Vec<Skill>, Problem> {
        read_all(&json!([skill]), "skills")
    }

    #[test]
    fn a_folder_comes_back_byte_for_byte() {
        let given = json!({"name": "s", "enabled": true, "note": 1, "files": [
            {"path": "SKILL.md", "content": "# s\r\n"},
            {"path": "assets/blob.bin", "content_b64": "AAECAwQF"},
        ]});
        let skills = one(given.clone()).unwrap();
        assert_eq!(serde_json::to_value(&skills[0]).unwrap(), given);
        assert_eq!(skills[0].folder()[1].bytes().unwrap(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_shorthand_is_a_folder_of_one() {
        let skills = one(json!({"name": "s", "content": "x"})).unwrap();
        assert_eq!(skills[0].folder(), [SkillFile::text("SKILL.md", "x")]);
        assert!(skills[0].enabled);
    }

    #[test]
    fn what_cannot_be_taken_names_its_field() {
        let param = |v: Json| one(v).unwrap_err().param.unwrap();
        assert_eq!(param(json!({"name": "s", "files": [{"path": "a.md", "content": ""}]})), "skills[0].files");
        assert_eq!(param(json!({"name": "s"})), "skills[0].files");
        assert_eq!(param(json!({"name": "a/b", "content": ""})), "skills[0].name");
        assert_eq!(param(json!({"name": "", "content": ""})), "skills[0].name");
        assert_eq!(param(json!({"name": "s", "blob": "b1"})), "skills[0].blob");
        assert_eq!(param(json!("s")), "skills[0]");
        let file = |f: Json| json!({"name": "s", "files": [{"path": "SKILL.md", "content": ""}, f]});
        assert_eq!(param(file(json!({"path": "../x", "content": ""}))), "skills[0].files[1].path");
        assert_eq!(param(file(json!({"path": "SKILL.md", "content": ""}))), "skills[0].files[1].path");
        assert_eq!(param(file(json!({"path": "SKILL.md/x", "content": ""}))), "skills[0].files[1].path");
        assert_eq!(param(file(json!({"path": "x", "content_b64": "%"}))), "skills[0].files[1].content_b64");
        assert_eq!(param(file(json!({"path": "x", "content": "", "content_b64": ""}))), "skills[0].files[1]");
        assert!(read_all(&json!([{"name": "s", "content": ""}, {"name": "s", "content": ""}]), "skills").is_err());
    }

    #[test]
    fn a_disabled_skill_may_only_suppress() {
        let skills = one(json!({"name": "inherited", "enabled": false})).unwrap();
        assert_eq!(serde_json::to_value(&skills[0]).unwrap(), json!({"name": "inherited", "enabled": false}));
    }

    #[test]
    fn too_many_files_are_refused() {
        let files: Vec<_> = (0..=MOST_FILES).map(|i| SkillFile::text(format!("{i}"), "")).collect();
        assert!(check_files(&files).is_err());
    }
}
