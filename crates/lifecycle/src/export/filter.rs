//! Which items are exported, and what of them.

use monotable_engine::ItemFilter;

/// A filter, as it works and as it was sent.
#[derive(Clone)]
pub struct ExportFilter {
    /// What it lets through.
    pub filter: ItemFilter,
    /// The request's specification, which is shown as it was sent.
    pub specification: String,
}
