//! Reads the pages of a `SELECT`.

use std::borrow::Cow;

use monotable_engine::{
    Consistency, ConsumedCapacity, Database, Error, Expression, KeySchema, Query, QueryOutput,
    ReadItem, ReturnConsumedCapacity, Scan, Select,
};
use monotable_expression::{Attributes, Condition, KeyCondition, KeyTerm, KeyTest};
use monotable_types::{AttributeValue, Item, limits};

use super::bind::{BoundSelect, Selection};
use super::capacity::add_capacity;
use super::key::{ItemKey, Lists};
use super::plan::{Plan, PlanKeys, Range};
use super::problem::refused;
use super::token::PageStart;
use crate::error::Result;
use crate::json::Writer;
use crate::value::{write_item, write_read_item};

/// The page to read, and the parameters of the read.
pub(crate) struct PageRequest {
    pub(crate) start: PageStart,
    pub(crate) limit: Option<u32>,
    pub(crate) consistency: Consistency,
    pub(crate) return_consumed_capacity: ReturnConsumedCapacity,
}

/// One page of a `SELECT`.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) items: Vec<Selected>,
    /// The start of the next page; `None` at the end.
    pub(crate) next: Option<PageStart>,
    pub(crate) consumed_capacity: Option<ConsumedCapacity>,
}

/// The part of one item that a `SELECT` returns.
pub(crate) enum Selected {
    Item(ReadItem),
    Parts(Item),
}

impl Selected {
    /// Writes the attributes.
    pub(crate) fn write(&self, json: &mut Writer<'_>) {
        match self {
            Self::Item(item) => write_read_item(json, item),
            Self::Parts(parts) => write_item(json, parts),
        }
    }
}

impl Selection {
    /// Returns the selected part of an item.
    pub(crate) fn of(&self, item: ReadItem) -> Selected {
        let Self::Parts(columns) = self else {
            return Selected::Item(item);
        };
        let mut parts = Item::new();
        for (name, path) in columns {
            if let Some(value) = path.resolve(&Stored(&item)) {
                parts.insert(name.clone(), value.into_owned());
            }
        }
        Selected::Parts(parts)
    }
}

/// A stored item as conditions see it: attributes are decoded one by one.
struct Stored<'a>(&'a ReadItem);

impl Attributes for Stored<'_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.0.get(name).map(Cow::Owned)
    }
}

/// Returns the keys of the table or index, and the selection. AWS checks the index before the
/// columns, and the columns before the table.
fn source_keys(database: &Database, select: &BoundSelect) -> Result<(KeySchema, Selection)> {
    let keys = database.key_schema(&select.table, select.index.as_deref());
    if let Ok(keys) = &keys {
        PlanKeys::of(keys)?;
    }
    let selection = select.columns.clone()?;
    match keys {
        Ok(keys) => Ok((keys, selection)),
        Err(Error::Validation(_)) => Err(refused("The table does not have the specified index")),
        Err(error) => Err(error.into()),
    }
}

/// The one item that a `SELECT` names by its key.
pub(crate) struct ItemRead {
    pub(crate) table: String,
    pub(crate) key: Item,
    pub(crate) selection: Selection,
}

/// Returns the item that a statement of a batch or a transaction reads.
///
/// # Errors
///
/// `refusal` if the statement does not name exactly one item.
pub(crate) fn item_read(
    database: &Database,
    select: &BoundSelect,
    refusal: &str,
) -> Result<ItemRead> {
    let (keys, selection) = source_keys(database, select)?;
    let found = ItemKey::of(select.condition.as_ref(), &keys, Lists::OfOneCount);
    let names_one_item = found.is_complete && found.conflict.is_none() && found.rest.is_empty();
    if select.index.is_some() || !names_one_item {
        // Errors that apply to every `SELECT` come first.
        PlanKeys::of(&keys)?.plan(select, &keys)?;
        return Err(refused(refusal));
    }
    Ok(ItemRead { table: select.table.clone(), key: found.key, selection })
}

/// Reads one page.
pub(crate) fn read_page(
    database: &Database,
    select: &BoundSelect,
    request: PageRequest,
) -> Result<Page> {
    let (keys, selection) = source_keys(database, select)?;
    if keys.is_of_global_index() && request.consistency == Consistency::Strong {
        return Err(refused(
            "Strongly consistent read is not supported on Global Secondary Indexes",
        ));
    }
    let plan_keys = PlanKeys::of(&keys)?;
    let plan = plan_keys.plan(select, &keys)?;
    let reader = PageReader {
        database,
        select,
        attributes: attributes_read(select, &keys, &selection)?,
        selection: &selection,
        keys: &plan_keys,
        request: &request,
    };
    reader.read(&plan)
}

/// Returns which attributes to read, and thereby whether the base items of an index are needed.
fn attributes_read(
    select: &BoundSelect,
    keys: &KeySchema,
    selection: &Selection,
) -> Result<Option<Select>> {
    let (Some(index), Selection::Parts(columns)) = (&select.index, selection) else {
        return Ok(None);
    };
    let missing: Vec<&str> = columns
        .iter()
        .map(|(_, path)| path.root.as_str())
        .filter(|name| !keys.is_projected(name))
        .collect();
    if missing.is_empty() {
        return Ok(None);
    }
    if keys.is_of_global_index() {
        return Err(refused(format!(
            "One or more parameter values were invalid: Global secondary index {index} does not \
             project [{}]",
            missing.join(", ")
        )));
    }
    Ok(Some(Select::AllAttributes))
}

struct PageReader<'a> {
    database: &'a Database,
    select: &'a BoundSelect,
    attributes: Option<Select>,
    selection: &'a Selection,
    keys: &'a PlanKeys<'a>,
    request: &'a PageRequest,
}

impl PageReader<'_> {
    fn read(&self, plan: &Plan) -> Result<Page> {
        let mut page = Page::default();
        let start = &self.request.start;
        let ranges: &[Range] = match plan {
            Plan::Scan => {
                let output = self.scan(start.key.clone())?;
                self.take(&mut page, output, 0);
                return Ok(page);
            }
            Plan::Ranges(ranges, _) => ranges,
        };
        let mut limit = self.request.limit;
        let mut read_bytes = 0;
        let mut key = start.key.clone();
        let first = usize::try_from(start.range).unwrap_or(usize::MAX);
        for (at, range) in ranges.iter().enumerate().skip(first) {
            let number = u32::try_from(at).unwrap_or(u32::MAX);
            if limit == Some(0) || read_bytes >= limits::PAGE_BYTES_MAX {
                page.next = Some(PageStart { range: number, key: None });
                break;
            }
            let output = self.query(plan, range, limit, key.take())?;
            limit = limit.map(|limit| limit.saturating_sub(output.scanned_count));
            read_bytes += output.items.iter().map(ReadItem::size_bytes).sum::<usize>();
            self.take(&mut page, output, number);
            if page.next.is_some() {
                break;
            }
        }
        Ok(page)
    }

    /// Adds the items that match the condition.
    fn take(&self, page: &mut Page, output: QueryOutput, range: u32) {
        let condition = self.select.condition.as_ref();
        let holds = |condition: &Condition, item: &ReadItem| condition.evaluate(&Stored(item));
        page.items.extend(
            output
                .items
                .into_iter()
                .filter(|item| condition.is_none_or(|condition| holds(condition, item)))
                .map(|item| self.selection.of(item)),
        );
        page.next = output.last_evaluated_key.map(|key| PageStart { range, key: Some(key) });
        add_capacity(&mut page.consumed_capacity, output.consumed_capacity);
    }

    fn scan(&self, exclusive_start_key: Option<Item>) -> Result<QueryOutput> {
        Ok(self.database.scan(Scan {
            table_name: self.select.table.clone(),
            index_name: self.select.index.clone(),
            select: self.attributes,
            limit: self.request.limit,
            exclusive_start_key,
            consistency: self.request.consistency,
            return_consumed_capacity: self.request.return_consumed_capacity,
            ..Scan::default()
        })?)
    }

    fn query(
        &self,
        plan: &Plan,
        range: &Range,
        limit: Option<u32>,
        exclusive_start_key: Option<Item>,
    ) -> Result<QueryOutput> {
        let direction = match plan {
            Plan::Scan => Default::default(),
            Plan::Ranges(_, direction) => *direction,
        };
        Ok(self.database.query(Query {
            table_name: self.select.table.clone(),
            index_name: self.select.index.clone(),
            key_condition: Some(Expression::Tree(self.key_condition(range))),
            select: self.attributes,
            direction,
            limit,
            exclusive_start_key,
            consistency: self.request.consistency,
            return_consumed_capacity: self.request.return_consumed_capacity,
            ..Query::default()
        })?)
    }

    fn key_condition(&self, range: &Range) -> KeyCondition {
        let term = |name: &str, test| KeyTerm { attribute: name.to_owned(), test };
        let mut terms = vec![term(self.keys.partition(), KeyTest::Eq(range.partition.clone()))];
        if let (Some(sort), Some(test)) = (self.keys.sort(), &range.test) {
            terms.push(term(sort, test.clone()));
        }
        KeyCondition { terms }
    }
}
