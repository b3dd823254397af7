//! A subset of the usable tools, kept by patterns of their names (`--only`).
use super::reading::Reading;
use super::tool::Tool;
use crate::text::{count, group};
use globset::{Glob, GlobMatcher};
use std::sync::Arc;

/// Patterns that say which tools are kept.
#[derive(Debug, Clone)]
pub struct Patterns(Vec<(String, GlobMatcher)>);

impl Patterns {
    /// Compiles globs (`*`, `?`, `[ab]`, `{a,b}`; `*` crosses `/`). The error is one line naming the one that is not a glob.
    pub fn new(globs: &[String]) -> Result<Self, String> {
        let compiled = globs.iter().map(|glob| match Glob::new(glob) {
            Ok(matcher) => Ok((glob.clone(), matcher.compile_matcher())),
            Err(error) => Err(format!("the pattern {glob} is not a glob: {}", error.kind())),
        });
        compiled.collect::<Result<_, _>>().map(Patterns)
    }

    /// Whether a tool is kept: one pattern matches its name as sent or as the file has it. No patterns keep all.
    pub fn keep(&self, tool: &Tool) -> bool {
        self.0.is_empty() || self.0.iter().any(|(_, glob)| matches(glob, tool))
    }
}

fn matches(glob: &GlobMatcher, tool: &Tool) -> bool {
    glob.is_match(&*tool.name) || (tool.is_renamed() && glob.is_match(&*tool.original))
}

/// Leaves out the tools no pattern keeps and says so in the reading's extensions.
pub(super) fn apply(reading: &mut Reading, patterns: &Patterns) {
    if patterns.0.is_empty() {
        return;
    }
    let all = reading.tools.len();
    let idle = patterns.0.iter().filter(|(_, glob)| !reading.tools.iter().any(|tool| matches(glob, tool)));
    let idle: Vec<&str> = idle.map(|(text, _)| text.as_str()).collect();
    let mut line = String::new();
    if !idle.is_empty() {
        line = format!("; no usable tool matches {}", idle.join(", "));
    }
    let kept: Vec<Arc<Tool>> = reading.tools.iter().filter(|tool| patterns.keep(tool)).cloned().collect();
    reading.left_out = all - kept.len();
    line = format!("--only keeps {} of {}{line}", group(kept.len() as u64), count(all, "usable tool"));
    reading.tools = kept;
    reading.extensions.push(super::names::one_line(&line));
}
