//! Calls, values and tool files of two sides paired and differenced.
