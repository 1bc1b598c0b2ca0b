//! Messages among allies, which only they can see.

pub(crate) mod list;
pub(crate) mod send;

use crate::api::prelude::*;

/// A message.
#[derive(View)]
#[view(of = AllianceMessage)]
pub(crate) struct MessageView {
    #[view(example = 1)]
    seq: u32,
    #[view(example = "a-d1t1-1")]
    alliance_id: AllianceId,
    /// The tribute that wrote it.
    #[view(example = "t1")]
    tribute_id: TributeId,
    #[view(example = "Meet me at the mill.")]
    text: String,
    /// When it was written, in milliseconds since 1970.
    #[view(example = 1_800_000_000_000_i64)]
    timestamp: i64,
}
