//! The planner of a set: prepared once, then planning arms and seeds from any thread.
use super::draft::Draft;
use super::draws::{Draws, SPLIT};
use super::flows::{self, Chain, Chains, Link};
use super::set::ToolSet;
use super::words::{Names, Words};
use super::{
    PlanError, PlanSettings, arguments, baddata, block, depth, failures, history, prompt, readback, shape, similarity,
    spread, tokens, verify, wrong,
};
use crate::schema::DrawKey;
use crate::task::{Arm, Dial, ShownTool, Task};
use crate::text::nearest;
use crate::toolfile::{Format, Reading};
use crate::value::Str;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Why a set without a target offers nothing.
pub(super) const NO_TARGET: &str = "no tool can be the goal of a task: it must change something, take an argument that can be checked \
                         (more than free text), and require nothing that cannot be drawn";

/// Why tools without a usable read have no history, as the command line says it.
pub const NO_READ: &str = "needs a read that can be called: declare one with --read TOOL";

/// Why tools without flows have no chains, as the command line says it.
pub const NO_FLOWS: &str = "needs a flow: add --flow FROM.FIELD:TO.PARAM";

/// Seeds whose draws are kept.
const SEEDS_KEPT: usize = 4;

/// A tool set ready to be planned on.
///
/// What no seed changes is worked out once: for every tool when it is made, for each dial when it is first asked for.
/// Planning itself takes `&self`, so one planner serves all threads.
#[derive(Debug)]
pub struct Planner {
    pub(super) reading: Arc<Reading>,
    pub(super) format: Format,
    pub(super) set: ToolSet,
    pub(super) links: Vec<Link>,
    /// All usable tools as shown, in file order.
    pub(super) block: Arc<Vec<ShownTool>>,
    pub(super) words: Words,
    pub(super) probe: DrawKey,
    pub(super) empty: Str,
    pub(super) split: Str,
    intents: Vec<Option<String>>,
    asks: Vec<OnceLock<Str>>,
    name_tokens: Vec<OnceLock<u32>>,
    prompts: [OnceLock<Str>; 13],
    levels: [OnceLock<Result<Vec<u32>, String>>; 13],
    chains: OnceLock<Result<Chains, String>>,
    carriers: OnceLock<Vec<spread::Carrier>>,
    baddata: OnceLock<baddata::Candidates>,
    lagged: OnceLock<Vec<usize>>,
    /// The draws of the seeds planned last.
    recent: Mutex<VecDeque<Arc<Draws>>>,
}

impl Planner {
    /// Prepares a reading; refused when the reading is refused as a whole, or a flow or an intent names what is not there.
    pub fn new(reading: Arc<Reading>, settings: PlanSettings) -> Result<Self, PlanError> {
        if let Some(error) = &reading.error {
            return Err(PlanError(error.message.clone()));
        }
        let Some(format) = reading.format else {
            return Err(PlanError("the file is not a tool file".into()));
        };
        let probe = DrawKey::new("probe");
        let set = ToolSet::new(&reading.tools, &probe);
        let links = settings.flows.iter().map(|f| flows::check(f, &set)).collect::<Result<Vec<_>, _>>()?;
        let mut intents = vec![None; set.tools.len()];
        for (tool, intent) in settings.intents {
            let at = set.position(&tool).ok_or_else(|| {
                let near = nearest(&tool, set.tools.iter().map(|t| &*t.tool.name));
                let near = near.map_or_else(String::new, |n| format!("; did you mean {n:?}?"));
                PlanError(format!("intent for {tool}: no tool has that name{near}"))
            })?;
            intents[at] = Some(intent);
        }
        let shown = |tool: &Arc<crate::toolfile::Tool>| ShownTool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            tool: tool.clone(),
        };
        let names = set.tools.iter().flat_map(|t| [t.tool.name.clone(), t.tool.original.clone()]);
        let words = Words::new(Names::new(names));
        let slots = set.tools.len();
        Ok(Planner {
            block: Arc::new(reading.tools.iter().map(shown).collect()),
            format,
            links,
            words,
            probe,
            empty: Str::from(""),
            split: Str::from(SPLIT),
            intents,
            asks: (0..slots).map(|_| OnceLock::new()).collect(),
            name_tokens: (0..slots).map(|_| OnceLock::new()).collect(),
            prompts: Default::default(),
            levels: Default::default(),
            chains: OnceLock::new(),
            carriers: OnceLock::new(),
            baddata: OnceLock::new(),
            lagged: OnceLock::new(),
            recent: Mutex::default(),
            set,
            reading,
        })
    }

    /// The reading it plans on.
    pub fn reading(&self) -> &Arc<Reading> {
        &self.reading
    }

    /// The levels a dial reaches on this set, or why it reaches none.
    pub fn levels(&self, dial: Dial) -> Result<Vec<u32>, String> {
        self.reached(dial).clone()
    }

    /// Plans one task; the error says in one line why the level is not reached or the seed refused.
    ///
    /// ```no_run
    /// # fn plan(reading: rehearsal::toolfile::Reading) -> Result<(), rehearsal::plan::PlanError> {
    /// use rehearsal::{plan::{PlanSettings, Planner}, task::Dial};
    /// let planner = Planner::new(std::sync::Arc::new(reading), PlanSettings::default())?;
    /// let task = planner.plan(Dial::Faults.at(2), 404)?;
    /// assert_eq!(task.reference_calls.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn plan(&self, arm: Arm, seed: u64) -> Result<Task, PlanError> {
        self.reaches(arm)?;
        self.planned(arm, seed)
            .map_err(|PlanError(why)| PlanError(format!("seed {seed} makes no task for {}: {why}", arm.dial.word())))
    }

    /// Whether the arm's level is reached on this set; the error says in one line why not, or which are.
    pub fn reaches(&self, arm: Arm) -> Result<(), PlanError> {
        let levels = self
            .reached(arm.dial)
            .as_ref()
            .map_err(|why| PlanError(format!("{} is not available with these tools: {why}", arm.dial.word())))?;
        if !levels.contains(&arm.level) {
            let there: Vec<String> = levels.iter().map(|&l| arm.dial.at(l).to_string()).collect();
            return Err(PlanError(format!("{arm} is not available with these tools; available: {}", there.join(", "))));
        }
        Ok(())
    }

    fn planned(&self, arm: Arm, seed: u64) -> Result<Task, PlanError> {
        let draws = self.draws(seed);
        let mut draft = self.draft(arm, &draws)?;
        draft.task.wrong_answers = wrong::answers(self, &draft, &draws);
        let mut task = verify::verified(draft)?;
        task.task_id = task.id();
        Ok(task)
    }

    /// The draws of a seed. Those of the last few seeds are kept: most arms of a seed draw the same target, and the levels
    /// of a dial all but the same task.
    fn draws(&self, seed: u64) -> Arc<Draws> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = recent.iter().find(|draws| draws.seed == seed) {
            return known.clone();
        }
        let draws = Arc::new(Draws::new(&self.reading.file_hash, seed));
        if recent.len() == SEEDS_KEPT {
            recent.pop_front();
        }
        recent.push_back(draws.clone());
        draws
    }

    fn draft(&self, arm: Arm, draws: &Draws) -> Result<Draft, PlanError> {
        Ok(match arm.dial {
            Dial::Similarity => similarity::draft(self, arm, draws)?,
            Dial::Faults | Dial::Timeouts | Dial::RateLimits => failures::draft(self, arm, draws),
            Dial::History => history::draft(self, arm, draws),
            Dial::Block => block::draft(self, arm, draws),
            Dial::Arguments => arguments::draft(self, arm, draws)?,
            Dial::Spread => spread::draft(self, arm, draws)?,
            Dial::Depth => depth::draft(self, arm, draws)?,
            Dial::Shape => shape::draft(self, arm, draws)?,
            Dial::Landed => readback::landed(self, arm, draws),
            Dial::Lagged => readback::lagged(self, arm, draws)?,
            Dial::BadData => baddata::draft(self, arm, draws)?,
        })
    }

    fn reached(&self, dial: Dial) -> &Result<Vec<u32>, String> {
        self.levels[dial as usize].get_or_init(|| {
            if self.set.targets.is_empty() {
                return Err(NO_TARGET.into());
            }
            match dial {
                Dial::Similarity => Ok(vec![0, 1, 2, 3]),
                Dial::Faults | Dial::Timeouts | Dial::RateLimits => Ok(failures::LEVELS.to_vec()),
                Dial::History => history::levels(self),
                Dial::Block => block::levels(self),
                Dial::Arguments => arguments::levels(self),
                Dial::Spread => spread::levels(self),
                Dial::Depth => depth::levels(self),
                Dial::Shape => shape::levels(self),
                Dial::Landed => Ok(vec![0, 1]),
                Dial::BadData => baddata::levels(self),
                Dial::Lagged => readback::levels(self),
            }
        })
    }

    /// The system prompt of a dial's arms.
    pub(super) fn prompt(&self, dial: Dial) -> Str {
        let spelled = |sentence: &str| self.words.spelled(sentence);
        let prompt = self.prompts[dial as usize].get_or_init(|| {
            let opening = format!("{}{}.", spelled(prompt::OPENING), self.reading.name);
            let parts = [Some(opening), Some(spelled(prompt::MANNER)), prompt::added(dial).map(spelled)];
            let parts = parts.into_iter().flatten().chain([spelled(prompt::CLOSING)]);
            Str::from(parts.collect::<Vec<_>>().join(" "))
        });
        prompt.clone()
    }

    /// The sentence that asks for a tool.
    pub(super) fn ask(&self, at: usize) -> Str {
        let tool = &self.set.tools[at].tool;
        let ask = || self.words.ask(self.intents[at].as_deref(), &tool.description, tool.effect.is_read());
        self.asks[at].get_or_init(ask).clone()
    }

    /// [`Planner::ask`] with further names taken out: those of similarity's lookalikes.
    pub(super) fn ask_unnamed(&self, at: usize, names: &[Str]) -> String {
        self.words.unnamed(&self.ask(at), &Names::new(names.iter().cloned()))
    }

    /// Tokens of a tool's name.
    pub(super) fn name_tokens(&self, at: usize) -> u32 {
        *self.name_tokens[at].get_or_init(|| tokens::count(&self.set.tools[at].tool.name))
    }

    /// One of the chains that the flows make.
    pub(super) fn chain(&self, which: impl Fn(&Chains) -> Option<&Chain>) -> Result<Option<&Chain>, String> {
        if self.links.is_empty() {
            return Err(NO_FLOWS.into());
        }
        let chains = self.chains.get_or_init(|| flows::chains(&self.set, &self.links));
        chains.as_ref().map(which).map_err(Clone::clone)
    }

    /// The targets that spread is planned on.
    pub(super) fn carriers(&self) -> &[spread::Carrier] {
        self.carriers.get_or_init(|| spread::carriers(self))
    }

    /// The candidates that baddata is planned on.
    pub(super) fn baddata(&self) -> &baddata::Candidates {
        self.baddata.get_or_init(|| baddata::candidates(self))
    }

    /// The targets that lagged is planned on.
    pub(super) fn lagged(&self) -> &[usize] {
        self.lagged.get_or_init(|| readback::candidates(self))
    }
}
