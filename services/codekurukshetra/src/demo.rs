//! Sample data.
