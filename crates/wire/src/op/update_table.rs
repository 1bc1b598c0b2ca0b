//! UpdateTable.

mod index_action;

use monotable_engine::{Database, OnDemandThroughput, UpdateTable as Update};
use monotable_types::Constraints;

use self::index_action::{IndexAction, NotedAction};
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::table::{
    AttributeDefinitions, NamedTable, SseSpecification, StreamSpecification, Throughput, Warm,
    billing_mode, invalid, read_on_demand, table_class, write_table,
};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct UpdateTable {
    table_name: NamedTable,
    attribute_definitions: AttributeDefinitions,
    index_updates: Option<Vec<IndexAction>>,
    billing_mode: Option<String>,
    provisioned_throughput: Option<Throughput>,
    on_demand_throughput: Option<OnDemandThroughput>,
    warm_throughput: Option<Warm>,
    sse_specification: Option<SseSpecification>,
    stream_specification: Option<StreamSpecification>,
    deletion_protection_enabled: Option<bool>,
    table_class: Option<String>,
    /// The first unsupported feature that the request needs.
    unsupported: Option<UnsupportedFeature>,
}

impl Call for UpdateTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "AttributeDefinitions" => {
                self.attribute_definitions = AttributeDefinitions::read(reader)?;
            }
            "GlobalSecondaryIndexUpdates" => {
                self.index_updates = reader.list(IndexAction::read)?;
            }
            "BillingMode" => self.billing_mode = reader.text()?,
            "ProvisionedThroughput" => self.provisioned_throughput = Throughput::read(reader)?,
            "OnDemandThroughput" => self.on_demand_throughput = read_on_demand(reader)?,
            "WarmThroughput" => self.warm_throughput = Warm::read(reader)?,
            "SSESpecification" => self.sse_specification = SseSpecification::read(reader)?,
            "StreamSpecification" => {
                self.stream_specification = StreamSpecification::read(reader)?;
            }
            "DeletionProtectionEnabled" => self.deletion_protection_enabled = reader.truth()?,
            "TableClass" => self.table_class = reader.text()?,
            _ => self.unsupported_member(name, reader)?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateTable", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        write_table(json, "TableDescription", &output.table_description);
        Ok(())
    }
}

impl UpdateTable {
    /// Reads members of unsupported features. AWS treats even the current state as a change, so all
    /// of them are refused.
    fn unsupported_member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        let (requested, feature) = match name {
            "ReplicaUpdates" | "GlobalTableWitnessUpdates" => {
                (reader.list(Reader::ignore)?.is_some(), UnsupportedFeature::Replicas)
            }
            "VectorIndexUpdates" => {
                (reader.list(Reader::ignore)?.is_some(), UnsupportedFeature::VectorIndexes)
            }
            "DisassociationProtectionEnabled" => {
                (reader.truth()?.is_some(), UnsupportedFeature::Replicas)
            }
            "MultiRegionConsistency" | "GlobalTableSettingsReplicationMode" => {
                (reader.text()?.is_some(), UnsupportedFeature::Replicas)
            }
            _ => return reader.ignore(),
        };
        if requested {
            self.unsupported.get_or_insert(feature);
        }
        Ok(())
    }

    fn validate(self) -> Result<Update> {
        let table_name = self.table_name.required()?;
        let mut constraints = Constraints::default();
        let billing_mode = billing_mode(&mut constraints, self.billing_mode.as_deref());
        let provisioned_throughput = self
            .provisioned_throughput
            .and_then(|units| units.checked(&mut constraints, "provisionedThroughput"));
        let attribute_definitions = self.attribute_definitions.checked(&mut constraints);
        let mut noted = Vec::new();
        let lists_updates = self.index_updates.is_some();
        for (at, update) in self.index_updates.into_iter().flatten().enumerate() {
            let path = format!("globalSecondaryIndexUpdates.{}.member", at + 1);
            noted.push(update.noted(&mut constraints, &path));
        }
        let stream = self.stream_specification.map(|stream| stream.noted(&mut constraints));
        let warm = self.warm_throughput;
        let warm_throughput = warm.map(|warm| warm.checked(&mut constraints, "warmThroughput"));
        let encryption = self.sse_specification.map(|sse| sse.checked(&mut constraints));
        finish(constraints)?;
        if let Some(feature) = self.unsupported {
            return Err(feature.refusal());
        }
        if lists_updates && noted.is_empty() {
            return Err(invalid("List of GlobalSecondaryIndexUpdates is empty"));
        }
        Ok(Update {
            table_name,
            attribute_definitions,
            index_updates: noted.into_iter().map(NotedAction::checked).collect::<Result<_>>()?,
            billing_mode,
            provisioned_throughput,
            on_demand_throughput: self.on_demand_throughput,
            warm_throughput,
            encryption: encryption.transpose()?,
            table_class: table_class(self.table_class.as_deref())?,
            stream: stream.map(|stream| stream.of_update()).transpose()?,
            deletion_protection: self.deletion_protection_enabled,
        })
    }
}
