//! ListStreams: by table name, the streams of one table oldest first.

use monotable_types::Constraints;

use super::place::{constrain_arn, parse_arn};
use super::{ListStreams, ListStreamsOutput, StreamSummary};
use crate::commit::Shared;
use crate::error::Result;
use crate::op::constraints::table_name;
use crate::table::{Stream, Table};

/// The maximum number of streams or shards on a page.
pub(super) const PAGE_MAX: usize = 100;

impl ListStreams {
    fn validate(&self) -> Result<()> {
        if let Some(name) = &self.table_name {
            table_name(name)?;
        }
        let mut constraints = Constraints::default();
        constraints.limit(self.limit, PAGE_MAX);
        if let Some(arn) = &self.exclusive_start_stream_arn {
            constrain_arn(&mut constraints, arn, "exclusiveStartStreamArn");
        }
        Ok(constraints.finish()?)
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<ListStreamsOutput> {
        self.validate()?;
        let newest = shared.newest();
        let of_table = match &self.table_name {
            Some(name) => Some(newest.catalog.named_table(name)?),
            None => None,
        };
        let start = self.exclusive_start_stream_arn.as_deref().map(parse_arn).transpose()?;
        let page = self.limit.map_or(PAGE_MAX, |limit| limit as usize);
        let mut left = newest
            .catalog
            .tables()
            .filter(|table| of_table.is_none_or(|only| only.id == table.id))
            .flat_map(|table| table.streams.iter().map(move |stream| (table, stream)))
            // Labels are times, so their order as text is the order of the streams.
            .filter(|(table, stream)| {
                start.is_none_or(|start| (table.name.as_str(), stream.label.as_str()) > start)
            });
        let streams: Vec<StreamSummary> =
            left.by_ref().take(page).map(|(table, stream)| summary(table, stream)).collect();
        let last_evaluated_stream_arn = match left.next() {
            Some(_) => streams.last().map(|stream| stream.stream_arn.clone()),
            None => None,
        };
        Ok(ListStreamsOutput { streams, last_evaluated_stream_arn })
    }
}

/// Returns a stream's names.
pub(super) fn summary(table: &Table, stream: &Stream) -> StreamSummary {
    StreamSummary {
        stream_arn: table.stream_arn(stream),
        stream_label: stream.label.clone(),
        table_name: table.name.clone(),
    }
}
