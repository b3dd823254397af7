//! Many episodes played on all cores, committed whole in plan order.
