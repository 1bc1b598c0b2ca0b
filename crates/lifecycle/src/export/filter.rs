//! Selects the items of an export and their attributes.

use monotable_engine::ItemFilter;

/// A filter, and its specification as it was sent.
#[derive(Clone)]
pub struct ExportFilter {
    /// The filter.
    pub filter: ItemFilter,
    /// The request's specification, which descriptions repeat unchanged.
    pub specification: String,
}
