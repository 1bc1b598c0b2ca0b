//! The effect of an UpdateTable: the changed table, and the remaining work.

use monotable_types::limits;

use super::validate::no_throughput_on_demand;
use super::{IndexUpdate, StreamUpdate, UpdateTable};
use crate::commit::{Chore, Stage};
use crate::error::{Error, Result};
use crate::op::constraints::invalid;
use crate::op::create_table::IndexDefinition;
use crate::op::create_table::index_rules::{
    check_index_billing, check_on_demand, check_projected_count, check_throughput_bounds,
    check_warm,
};
use crate::table::{
    BillingMode, Index, IndexKind, IndexState, IndexStatus, OnDemandThroughput,
    ProvisionedThroughput, Table, TableDescription, TableStatus, WarmThroughput,
};

/// A change that is computed but not staged.
pub(super) struct Change {
    pub(super) table: Table,
    pub(super) chores: Vec<Chore>,
}

impl Change {
    /// Computes the changed table, or returns why it can't be changed.
    pub(super) fn new(request: &UpdateTable, before: &Table, stage: &Stage<'_>) -> Result<Self> {
        check_state(request, before)?;
        check_types(request, before)?;
        let mut change = Self { table: before.clone(), chores: Vec::new() };
        change.change_billing(request, before)?;
        change.change_capacity(request)?;
        change.change_indexes(request)?;
        change.change_stream(request, stage)?;
        if let Some(protection) = request.deletion_protection {
            change.table.deletion_protection = protection;
        }
        if let Some(class) = request.table_class {
            change.table.table_class = class;
        }
        if let Some(encryption) = &request.encryption {
            change.table.encryption = encryption.clone();
        }
        Ok(change)
    }

    fn change_billing(&mut self, request: &UpdateTable, before: &Table) -> Result<()> {
        let table = &mut self.table;
        if let Some(billing) = request.billing_mode {
            table.billing_mode = billing;
        }
        match (table.billing_mode, request.provisioned_throughput) {
            (BillingMode::PayPerRequest, Some(_)) => return Err(no_throughput_on_demand()),
            (BillingMode::PayPerRequest, None) => {
                table.throughput = ProvisionedThroughput::default();
                for index in &mut table.indexes {
                    index.throughput = ProvisionedThroughput::default();
                }
            }
            (BillingMode::Provisioned, Some(requested)) => {
                if before.throughput == requested {
                    return Err(unchanged("table", "table", requested));
                }
                table.throughput = requested;
            }
            (BillingMode::Provisioned, None) => {}
        }
        if before.billing_mode != table.billing_mode && request.provisioned_throughput.is_some() {
            check_covered(request, before)?;
        }
        Ok(())
    }

    /// Changes limits on demand and warm throughput. A table that gets provisioned capacity has no
    /// limits.
    fn change_capacity(&mut self, request: &UpdateTable) -> Result<()> {
        let Table { billing_mode, throughput, capacity, indexes, .. } = &mut self.table;
        check_on_demand(request.on_demand_throughput, *billing_mode, None)?;
        let current = capacity.warm_units(*billing_mode, *throughput);
        check_warm(request.warm_throughput, current, None)?;
        capacity.change(request.on_demand_throughput, request.warm_throughput);
        if *billing_mode == BillingMode::Provisioned {
            capacity.on_demand = OnDemandThroughput::default();
            for index in indexes {
                index.capacity.on_demand = OnDemandThroughput::default();
            }
        }
        Ok(())
    }

    fn change_indexes(&mut self, request: &UpdateTable) -> Result<()> {
        let moves = request.index_updates.iter().filter(|update| moves_an_index(update)).count();
        if moves > 1 {
            return Err(one_index_at_a_time());
        }
        for update in &request.index_updates {
            match update {
                IndexUpdate::Create(index) => self.create_index(request, index)?,
                IndexUpdate::Update {
                    index_name,
                    provisioned_throughput,
                    on_demand_throughput,
                    warm_throughput,
                } => {
                    if let Some(requested) = provisioned_throughput {
                        self.provision_index(index_name, *requested)?;
                    }
                    self.change_index_capacity(
                        index_name,
                        *on_demand_throughput,
                        *warm_throughput,
                    )?;
                }
                IndexUpdate::Delete { index_name } => self.delete_index(index_name)?,
            }
        }
        Ok(())
    }

    fn create_index(&mut self, request: &UpdateTable, index: &IndexDefinition) -> Result<()> {
        let table = &mut self.table;
        if table.index(&index.index_name).is_some() {
            return Err(Error::validation("Attempting to create an index which already exists"));
        }
        check_index_billing(index, table.billing_mode)?;
        if table.indexes_of(IndexKind::Global).count() >= limits::GSI_MAX {
            return Err(Error::LimitExceeded(
                "Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit \
                 of 20"
                    .to_owned(),
            ));
        }
        let projections = table.indexes.iter().map(|known| &known.projection);
        check_projected_count(projections.chain([&index.projection]))?;
        let area = table.take_area()?;
        let mut definitions = table.definitions.clone();
        definitions.extend_from_slice(&request.attribute_definitions);
        let state = IndexState::Backfilling;
        let index = index.clone().build(IndexKind::Global, area, state, &definitions)?;
        table.indexes.push(index);
        table.merge_definitions(&request.attribute_definitions);
        self.chores.push(Chore::Backfill { table: self.table.id, area });
        Ok(())
    }

    fn change_index_capacity(
        &mut self,
        name: &str,
        on_demand: Option<OnDemandThroughput>,
        warm: Option<WarmThroughput>,
    ) -> Result<()> {
        let billing = self.table.billing_mode;
        let index = self.global_index(name, "update")?;
        check_on_demand(on_demand, billing, Some(name))?;
        check_warm(warm, index.capacity.warm_units(billing, index.throughput), Some(name))?;
        index.capacity.change(on_demand, warm);
        Ok(())
    }

    fn provision_index(&mut self, name: &str, requested: ProvisionedThroughput) -> Result<()> {
        let billing = self.table.billing_mode;
        let index = self.global_index(name, "update")?;
        check_throughput_bounds(requested, Some(name))?;
        if billing == BillingMode::PayPerRequest {
            return Err(invalid(format!(
                "ProvisionedThroughput should not be specified for index: {name} when BillingMode \
                 is PAY_PER_REQUEST"
            )));
        }
        if index.throughput == requested {
            return Err(unchanged(&format!("index {name}"), "index", requested));
        }
        index.throughput = requested;
        Ok(())
    }

    fn delete_index(&mut self, name: &str) -> Result<()> {
        let area = self.global_index(name, "delete")?.area;
        self.table.indexes.retain(|index| index.area != area);
        self.table.merge_definitions(&[]);
        self.chores.push(Chore::Reclaim { table: self.table.id, area: Some(area) });
        Ok(())
    }

    fn global_index(&mut self, name: &str, verb: &str) -> Result<&mut Index> {
        let table_name = &self.table.name;
        match self.table.indexes.iter_mut().find(|index| index.name == name) {
            Some(index) if index.kind == IndexKind::Global => Ok(index),
            Some(_) => Err(Error::validation(format!(
                "Cannot {verb} an index that is not a GlobalSecondaryIndex: {name}"
            ))),
            None => Err(Error::ResourceNotFound(format!(
                "Requested resource not found: Index {name} for table {table_name}"
            ))),
        }
    }

    fn change_stream(&mut self, request: &UpdateTable, stage: &Stage<'_>) -> Result<()> {
        let table = &mut self.table;
        let next_sequence = stage.next_sequence(table);
        let enabled = table.streams.last_mut().filter(|stream| stream.disabled_ms.is_none());
        let problem = match (request.stream, enabled) {
            (None, _) => return Ok(()),
            (Some(StreamUpdate::Enable(view_type)), None) => {
                return table.start_stream(view_type, stage.now_ms, next_sequence);
            }
            (Some(StreamUpdate::Disable), Some(stream)) => {
                stream.disabled_ms = Some(stage.now_ms);
                stream.end_sequence = Some(next_sequence);
                return Ok(());
            }
            (Some(StreamUpdate::Enable(_)), Some(_)) => "Table already has an enabled stream",
            (Some(StreamUpdate::Disable), None) => "Table has no stream to disable",
        };
        Err(Error::validation(format!("{problem}: TableName: {}", table.name)))
    }

    /// Returns the table while the change takes effect: it still has the old capacity, and a
    /// removed index.
    pub(super) fn describe(&self, request: &UpdateTable, before: &Table) -> TableDescription {
        // Protection changes at once.
        let status = match request.deletion_protection {
            Some(_) => self.table.status(),
            None => TableStatus::Updating,
        };
        let mut description = self.table.describe(status);
        let old = before.describe(status);
        description.provisioned_throughput = old.provisioned_throughput;
        description.warm_throughput = old.warm_throughput;
        for index in &mut description.global_secondary_indexes {
            index.backfilling = false;
            let mut known = old.global_secondary_indexes.iter();
            if let Some(known) = known.find(|known| known.index_name == index.index_name) {
                index.warm_throughput = known.warm_throughput;
                if known.provisioned_throughput != index.provisioned_throughput {
                    index.provisioned_throughput = known.provisioned_throughput;
                    index.index_status = IndexStatus::Updating;
                }
            }
        }
        let going = old.global_secondary_indexes.into_iter();
        for mut index in going.filter(|index| self.table.index(&index.index_name).is_none()) {
            index.index_status = IndexStatus::Deleting;
            description.global_secondary_indexes.push(index);
        }
        description
    }
}

fn moves_an_index(update: &IndexUpdate) -> bool {
    !matches!(update, IndexUpdate::Update { .. })
}

/// Checks that no index is being filled; until then only that index can be removed.
fn check_state(request: &UpdateTable, table: &Table) -> Result<()> {
    let filling = |index: &&Index| index.state == IndexState::Backfilling;
    let Some(index) = table.indexes.iter().find(filling) else {
        return Ok(());
    };
    match request.index_updates.as_slice() {
        [IndexUpdate::Delete { index_name }] if *index_name == index.name => Ok(()),
        updates if updates.iter().any(moves_an_index) => Err(one_index_at_a_time()),
        _ => Err(Error::ResourceInUse(format!(
            "Attempt to change a resource which is still in use: Table is being updated: {}",
            table.name
        ))),
    }
}

/// Checks that a key attribute keeps its type as long as the key of the table or an index contains
/// it.
fn check_types(request: &UpdateTable, table: &Table) -> Result<()> {
    for definition in &request.attribute_definitions {
        let known = table.definitions.iter().find(|known| known.name == definition.name);
        if let Some(known) = known.filter(|known| known.scalar_type != definition.scalar_type) {
            return Err(invalid(format!(
                "AttributeDefinitions cannot change the type of an existing key attribute. \
                 Attribute: {}, Existing type: {}, Requested type: {}",
                known.name, known.scalar_type, definition.scalar_type
            )));
        }
    }
    Ok(())
}

fn one_index_at_a_time() -> Error {
    Error::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously \
         per table"
            .to_owned(),
    )
}

/// Checks that a table which gets capacity gets it for all its global indexes.
fn check_covered(request: &UpdateTable, table: &Table) -> Result<()> {
    let covered = |index: &Index| {
        request.index_updates.iter().any(|update| update.index_name() == index.name)
    };
    match table.indexes_of(IndexKind::Global).find(|index| !covered(index)) {
        Some(index) => Err(invalid(format!(
            "ProvisionedThroughput must be specified for index: {}",
            index.name
        ))),
        None => Ok(()),
    }
}

/// Returns the error for unchanged capacity; `whose` names the table or index, `kind` is which of
/// them it is.
fn unchanged(whose: &str, kind: &str, throughput: ProvisionedThroughput) -> Error {
    let ProvisionedThroughput { read_capacity_units: read, write_capacity_units: write } =
        throughput;
    Error::validation(format!(
        "The provisioned throughput for the {whose} will not change. The requested value equals \
         the current value. Current ReadCapacityUnits provisioned for the {kind}: {read}. \
         Requested ReadCapacityUnits: {read}. Current WriteCapacityUnits provisioned for the \
         {kind}: {write}. Requested WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB \
         Developer Guide for current limits and how to request higher limits."
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use monotable_types::{AttributeDefinition, KeySchemaElement, ScalarType};

    use super::*;
    use crate::table::{Arn, KeySpec, TableClass};

    /// A table whose index `by-a` is being filled.
    fn filling() -> Table {
        let definitions = vec![AttributeDefinition::new("a", ScalarType::S)];
        let keys = KeySpec::resolve(&[KeySchemaElement::hash("a")], &definitions).unwrap();
        let index = IndexDefinition::new("by-a", &["a"], &[]);
        let state = IndexState::Backfilling;
        let index = index.build(IndexKind::Global, 1, state, &definitions).unwrap();
        Table {
            id: 1,
            name: "teams".to_owned(),
            unique_id: String::new(),
            arn: Arn { region: String::new(), account: String::new() },
            creation_ms: 0,
            definitions,
            keys,
            indexes: vec![index],
            ttl: None,
            streams: Vec::new(),
            billing_mode: BillingMode::PayPerRequest,
            throughput: ProvisionedThroughput::default(),
            capacity: Default::default(),
            encryption: Default::default(),
            deletion_protection: false,
            table_class: TableClass::Standard,
            tags: Default::default(),
            insights: None,
            recovery: None,
            policy: None,
            policy_revision: 0,
            load: None,
            next_area: 2,
            counts: Arc::default(),
            usage: Arc::default(),
        }
    }

    fn check(request: UpdateTable, code: &str) {
        let outcome = check_state(&request, &filling());
        assert_eq!(outcome.unwrap_err().code(), code);
    }

    #[test]
    fn an_index_that_is_being_filled_can_be_removed_and_nothing_else_changes() {
        let request = || UpdateTable::new("teams");
        assert_eq!(check_state(&request().delete_index("by-a"), &filling()), Ok(()));
        check(request().delete_index("by-b"), "LimitExceededException");
        let another = IndexDefinition::new("by-b", &["b"], &[]);
        check(request().create_index(another), "LimitExceededException");
        check(request().stream(StreamUpdate::Disable), "ResourceInUseException");
        check(request().deletion_protection(true), "ResourceInUseException");
    }

    #[test]
    fn areas_run_out_with_an_error() {
        let mut table = filling();
        table.next_area = u16::MAX - 1;
        assert_eq!(table.take_area(), Ok(u16::MAX - 1));
        assert_eq!(table.take_area().unwrap_err().code(), "LimitExceededException");
        assert_eq!(table.take_area().unwrap_err().code(), "LimitExceededException");
    }
}
