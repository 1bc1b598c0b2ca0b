//! `GlobalSecondaryIndexUpdates`: one index comes, goes, or changes its capacity.

use monotable_engine::IndexUpdate;
use monotable_types::Constraints;

use crate::absence::Absence;
use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::table::{Index, NotedIndex, Throughput, invalid, is_structure};

/// `GlobalSecondaryIndexUpdate`, of which one member must be given.
#[derive(Default)]
pub(super) struct IndexAction {
    create: Option<Index>,
    update: Option<IndexSettings>,
    delete: Option<IndexSettings>,
}

/// `UpdateGlobalSecondaryIndexAction`; deleting takes only the name.
#[derive(Default)]
struct IndexSettings {
    index_name: Option<String>,
    throughput: Option<Throughput>,
    absence: Option<Absence>,
}

impl IndexSettings {
    fn read(reader: &mut Reader<'_>, class: &str) -> Result<Option<Self>> {
        let mut settings = Self::default();
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "IndexName" => settings.index_name = reader.text()?,
                "ProvisionedThroughput" => settings.throughput = Throughput::read(reader)?,
                "OnDemandThroughput" if is_structure(reader, name)? => {
                    settings.absence = Some(Absence::OnDemandLimits);
                }
                "WarmThroughput" if is_structure(reader, name)? => {
                    settings.absence = Some(Absence::WarmThroughput);
                }
                "OnDemandThroughput" | "WarmThroughput" => {}
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(settings))
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

    /// Notes what is wrong with whatever is given.
    pub(super) fn noted(self, constraints: &mut Constraints, path: &str) -> NotedAction {
        let mut actions = Vec::new();
        if let Some(update) = self.update {
            let path = format!("{path}.update");
            update.note_name(constraints, &path);
            let path = format!("{path}.provisionedThroughput");
            let provisioned_throughput = match (update.throughput, update.absence) {
                (Some(units), _) => units.checked(constraints, &path).unwrap_or_default(),
                (None, Some(_)) => Default::default(),
                (None, None) => {
                    constraints.null(&path);
                    Default::default()
                }
            };
            actions.push(match update.absence {
                Some(absence) => Action::Absent(absence),
                None => Action::Ready(IndexUpdate::Update {
                    index_name: update.index_name.unwrap_or_default(),
                    provisioned_throughput,
                }),
            });
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

/// What an element asks for, once its constraints are noted.
pub(super) struct NotedAction(Vec<Action>);

enum Action {
    Create(NotedIndex),
    Ready(IndexUpdate),
    Absent(Absence),
}

impl NotedAction {
    /// The one action.
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
            (Some(Action::Absent(absence)), true) => Err(absence.refusal()),
        }
    }
}
