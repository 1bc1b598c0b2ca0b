//! Changes of a table's definition: new areas, streams that start and end, attributes that no key
//! uses any more. Everything works on a copy of the table that the caller then stages.

use monotable_types::AttributeDefinition;

use super::moment::iso_text;
use super::{Stream, StreamViewType, Table};
use crate::error::{Error, Result};
use crate::layout::row_key::AreaId;

impl Table {
    /// Takes the next area number. Numbers are never reused, so a table can run out of them: after
    /// 65,535 indexes, streams and expiry settings.
    pub(crate) fn take_area(&mut self) -> Result<AreaId> {
        let area = self.next_area;
        self.next_area = area.checked_add(1).ok_or_else(|| {
            Error::LimitExceeded(format!(
                "Subscriber limit exceeded: Table {} had too many indexes and streams in its life; \
                 move its items to a new table",
                self.name
            ))
        })?;
        Ok(area)
    }

    /// Starts a stream. Its label is the time, or a little later if the previous stream has that
    /// label already: labels of one table are unique and in order.
    pub(crate) fn start_stream(
        &mut self,
        view_type: StreamViewType,
        now_ms: u64,
        first_sequence: u64,
    ) -> Result<()> {
        let earliest_ms = self.streams.last().map_or(0, |last| last.creation_ms.saturating_add(1));
        let creation_ms = now_ms.max(earliest_ms);
        let stream = Stream {
            area: self.take_area()?,
            label: iso_text(creation_ms),
            creation_ms,
            view_type,
            disabled_ms: None,
            first_sequence,
            end_sequence: None,
            policy: None,
        };
        self.streams.push(stream);
        Ok(())
    }

    /// Takes the revision of the next policy: the time, and never one that was used before.
    pub(crate) fn next_policy_revision(&mut self, now_ms: u64) -> String {
        self.policy_revision = now_ms.max(self.policy_revision.saturating_add(1));
        self.policy_revision.to_string()
    }

    /// Adds the definitions of attributes that are not defined yet, and drops those that no key
    /// uses.
    pub(crate) fn merge_definitions(&mut self, added: &[AttributeDefinition]) {
        for definition in added {
            if !self.definitions.iter().any(|known| known.name == definition.name) {
                self.definitions.push(definition.clone());
            }
        }
        let (keys, indexes) = (&self.keys, &self.indexes);
        self.definitions.retain(|definition| {
            keys.contains(&definition.name)
                || indexes.iter().any(|index| index.keys.contains(&definition.name))
        });
    }
}
