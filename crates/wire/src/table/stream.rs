//! `StreamSpecification`.

use monotable_engine::{StreamUpdate, StreamViewType};
use monotable_types::Constraints;

use super::invalid;
use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;

const VIEW_TYPES: &[(&str, StreamViewType)] = &[
    ("NEW_IMAGE", StreamViewType::NewImage),
    ("OLD_IMAGE", StreamViewType::OldImage),
    ("NEW_AND_OLD_IMAGES", StreamViewType::NewAndOldImages),
    ("KEYS_ONLY", StreamViewType::KeysOnly),
];

/// Returns AWS's name of a view type.
pub(crate) fn stream_view_type_name(view_type: StreamViewType) -> &'static str {
    match view_type {
        StreamViewType::NewImage => "NEW_IMAGE",
        StreamViewType::OldImage => "OLD_IMAGE",
        StreamViewType::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        StreamViewType::KeysOnly => "KEYS_ONLY",
    }
}

/// Whether the stream is enabled, and what its records contain.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreamSpecification {
    enabled: Option<bool>,
    view_type: Option<String>,
}

impl StreamSpecification {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut specification = Self::default();
        let found = reader.structure("StreamSpecification", Holder::Member, |reader, name| {
            match name {
                "StreamEnabled" => specification.enabled = reader.truth()?,
                "StreamViewType" => specification.view_type = reader.text()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(specification))
    }

    /// Notes the broken constraints.
    pub(crate) fn noted(self, constraints: &mut Constraints) -> NotedStream {
        if self.enabled.is_none() {
            constraints.null("streamSpecification.streamEnabled");
        }
        let path = "streamSpecification.streamViewType";
        let view_type = choose(constraints, path, self.view_type.as_deref(), VIEW_TYPES);
        NotedStream { enabled: self.enabled.unwrap_or_default(), view_type }
    }
}

/// A specification whose broken constraints have been noted. AWS's messages use an older name of
/// the view type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotedStream {
    enabled: bool,
    view_type: Option<StreamViewType>,
}

impl NotedStream {
    /// Returns the stream of a new table.
    pub(crate) fn of_new_table(self) -> Result<Option<StreamViewType>> {
        match (self.enabled, self.view_type) {
            (true, None) => Err(invalid(
                "Table is being created with a stream enabled, UpdateViewType is required",
            )),
            (false, Some(_)) => Err(invalid(
                "Table is being created with a stream disabled, UpdateViewType should not be \
                 specified",
            )),
            (true, view_type) => Ok(view_type),
            (false, None) => Ok(None),
        }
    }

    /// Returns the change of a table's stream.
    pub(crate) fn of_update(self) -> Result<StreamUpdate> {
        match (self.enabled, self.view_type) {
            (true, Some(view_type)) => Ok(StreamUpdate::Enable(view_type)),
            (true, None) => {
                Err(invalid("If stream is being enabled then UpdateViewType is required"))
            }
            (false, None) => Ok(StreamUpdate::Disable),
            (false, Some(_)) => Err(invalid(
                "If stream is being disabled, then UpdateViewType must not be specified",
            )),
        }
    }
}
