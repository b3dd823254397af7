//! Append-only lines, torn tail, resume: the run folder and the journal.
