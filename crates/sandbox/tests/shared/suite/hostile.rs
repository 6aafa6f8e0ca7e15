//! Solutions that want to know, or to change, what the suite has.
