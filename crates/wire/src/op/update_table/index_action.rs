//! `GlobalSecondaryIndexUpdates`: creates or deletes an index, or changes its capacity.

use monotable_engine::{IndexUpdate, OnDemandThroughput};
use monotable_types::Constraints;

use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::table::{Index, NotedIndex, Throughput, Warm, invalid, read_on_demand};

/// `GlobalSecondaryIndexUpdate`, exactly one of whose members is required.
#[derive(Default)]
pub(super) struct IndexAction {
    create: Option<Index>,
    update: Option<IndexSettings>,
    delete: Option<IndexSettings>,
}

/// `UpdateGlobalSecondaryIndexAction`; a deletion has only the name.
#[derive(Default)]
struct IndexSettings {
    index_name: Option<String>,
    throughput: Option<Throughput>,
    on_demand: Option<OnDemandThroughput>,
    warm: Option<Warm>,
}

impl IndexSettings {
    fn read(reader: &mut Reader<'_>, class: &str) -> Result<Option<Self>> {
        let mut settings = Self::default();
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "IndexName" => settings.index_name = reader.text()?,
                "ProvisionedThroughput" => settings.throughput = Throughput::read(reader)?,
                "OnDemandThroughput" => settings.on_demand = read_on_demand(reader)?,
                "WarmThroughput" => settings.warm = Warm::read(reader)?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(settings))
    }

    fn noted(self, constraints: &mut Constraints, path: &str) -> IndexUpdate {
        let units_path = format!("{path}.provisionedThroughput");
        let changes_nothing =
            self.throughput.is_none() && self.on_demand.is_none() && self.warm.is_none();
        if changes_nothing {
            constraints.null(&units_path);
        }
        let warm_path = format!("{path}.warmThroughput");
        IndexUpdate::Update {
            index_name: self.index_name.unwrap_or_default(),
            provisioned_throughput: self
                .throughput
                .and_then(|units| units.checked(constraints, &units_path)),
            on_demand_throughput: self.on_demand,
            warm_throughput: self.warm.map(|warm| warm.checked(constraints, &warm_path)),
        }
    }

    fn note_name(&self, constraints: &mut Constraints, path: &str) {
        if self.index_name.is_none() {
            constraints.null(&format!("{path}.indexName"));
        }
    }
}

impl IndexAction {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut action = Self::default();
        reader.structure("GlobalSecondaryIndexUpdate", Holder::Collection, |reader, name| {
            match name {
                "Create" => {
                    let class = "CreateGlobalSecondaryIndexAction";
                    action.create = Index::read(reader, class, Holder::Member)?;
                }
                "Update" => {
                    let class = "UpdateGlobalSecondaryIndexAction";
                    action.update = IndexSettings::read(reader, class)?;
                }
                "Delete" => {
                    let class = "DeleteGlobalSecondaryIndexAction";
                    action.delete = IndexSettings::read(reader, class)?;
                }
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(action)
    }

    /// Notes the broken constraints of the members.
    pub(super) fn noted(self, constraints: &mut Constraints, path: &str) -> NotedAction {
        let mut actions = Vec::new();
        if let Some(update) = self.update {
            let path = format!("{path}.update");
            update.note_name(constraints, &path);
            actions.push(Action::Ready(update.noted(constraints, &path)));
        }
        if let Some(create) = self.create {
            actions.push(Action::Create(create.noted(constraints, &format!("{path}.create"))));
        }
        if let Some(delete) = self.delete {
            delete.note_name(constraints, &format!("{path}.delete"));
            let index_name = delete.index_name.unwrap_or_default();
            actions.push(Action::Ready(IndexUpdate::Delete { index_name }));
        }
        NotedAction(actions)
    }
}

/// An element whose broken constraints have been noted.
pub(super) struct NotedAction(Vec<Action>);

enum Action {
    Create(NotedIndex),
    Ready(IndexUpdate),
}

impl NotedAction {
    /// Returns the action, which must be the only one.
    pub(super) fn checked(mut self) -> Result<IndexUpdate> {
        match (self.0.pop(), self.0.is_empty()) {
            (None, _) => Err(invalid(
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, \
                 GlobalSecondaryIndexUpdate.Delete must not be null",
            )),
            (Some(_), false) => Err(invalid(
                "Only one global secondary index action is allowed per \
                 GlobalSecondaryIndexUpdate object",
            )),
            (Some(Action::Create(index)), true) => Ok(IndexUpdate::Create(index.checked()?)),
            (Some(Action::Ready(update)), true) => Ok(update),
        }
    }
}
