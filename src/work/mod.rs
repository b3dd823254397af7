//! Open, plan, run, compare as jobs with progress and cancel.
