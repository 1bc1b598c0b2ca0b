//! CreateTable.

use monotable_engine::{CreateTable as Create, Database, OnDemandThroughput};
use monotable_types::{Constraints, TableName};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::policy::check_document;
use crate::table::{
    AttributeDefinitions, Indexes, KeySchema, NamedTable, SseSpecification, StreamSpecification,
    Tags, Throughput, Warm, bare_indexes, billing_mode, checked_indexes, read_on_demand,
    table_class, write_table,
};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct CreateTable {
    table_name: NamedTable,
    attribute_definitions: AttributeDefinitions,
    key_schema: KeySchema,
    global_secondary_indexes: Indexes,
    local_secondary_indexes: Indexes,
    billing_mode: Option<String>,
    provisioned_throughput: Option<Throughput>,
    on_demand_throughput: Option<OnDemandThroughput>,
    warm_throughput: Option<Warm>,
    sse_specification: Option<SseSpecification>,
    stream_specification: Option<StreamSpecification>,
    deletion_protection_enabled: Option<bool>,
    table_class: Option<String>,
    tags: Tags,
    resource_policy: Option<String>,
    /// The first unsupported feature that the request needs.
    unsupported: Option<UnsupportedFeature>,
}

impl Call for CreateTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "AttributeDefinitions" => {
                self.attribute_definitions = AttributeDefinitions::read(reader)?;
            }
            "KeySchema" => self.key_schema = KeySchema::read(reader)?,
            "GlobalSecondaryIndexes" => {
                self.global_secondary_indexes = Indexes::read(reader, "GlobalSecondaryIndex")?;
            }
            "LocalSecondaryIndexes" => {
                self.local_secondary_indexes = Indexes::read(reader, "LocalSecondaryIndex")?;
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
            "Tags" => self.tags = Tags::read(reader)?,
            "VectorIndexes" => {
                let indexes = reader.list(Reader::ignore)?;
                self.note_unsupported(indexes.is_some(), UnsupportedFeature::VectorIndexes);
            }
            "GlobalTableSourceArn" | "GlobalTableSettingsReplicationMode" => {
                self.note_unsupported(reader.text()?.is_some(), UnsupportedFeature::Replicas);
            }
            "ResourcePolicy" => self.resource_policy = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        // A part of the request that has its own operation also needs the permission for that
        // operation.
        let parts = [
            ("CreateTable", true),
            ("PutResourcePolicy", self.resource_policy.is_some()),
            ("TagResource", self.tags.is_given()),
        ];
        let needed = parts.into_iter().filter(|(_, needed)| *needed);
        needed.map(|(action, _)| Touch::table(action, self.table_name.given())).collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        write_table(json, "TableDescription", &output.table_description);
        Ok(())
    }
}

impl CreateTable {
    fn note_unsupported(&mut self, requested: bool, feature: UnsupportedFeature) {
        if requested {
            self.unsupported.get_or_insert(feature);
        }
    }

    /// Returns the name as it was sent.
    pub(crate) fn given_name(&self) -> Option<&str> {
        self.table_name.given()
    }

    pub(crate) fn validate(self) -> Result<Create> {
        let table_name = self.table_name.required()?;
        // A new table has no ARN yet.
        let mut constraints = Constraints::default();
        constraints.name(TableName::try_from(table_name.as_str()), "tableName");
        finish(constraints)?;
        let mut constraints = Constraints::default();
        let billing_mode = billing_mode(&mut constraints, self.billing_mode.as_deref());
        let provisioned_throughput = self
            .provisioned_throughput
            .and_then(|units| units.checked(&mut constraints, "provisionedThroughput"));
        let key_schema = self.key_schema.checked(&mut constraints, "keySchema");
        self.attribute_definitions.require(&mut constraints);
        let attribute_definitions = self.attribute_definitions.checked(&mut constraints);
        let global = self.global_secondary_indexes;
        let global = global.noted(&mut constraints, "globalSecondaryIndexes");
        let local = self.local_secondary_indexes;
        let local = local.noted(&mut constraints, "localSecondaryIndexes");
        let stream = self.stream_specification.map(|stream| stream.noted(&mut constraints));
        let warm = self.warm_throughput;
        let warm_throughput = warm.map(|warm| warm.checked(&mut constraints, "warmThroughput"));
        let encryption = self.sse_specification.map(|sse| sse.checked(&mut constraints));
        finish(constraints)?;
        if let Some(feature) = self.unsupported {
            return Err(feature.refusal());
        }
        if let Some(document) = &self.resource_policy {
            check_document(document)?;
        }
        let create = Create {
            table_name,
            attribute_definitions,
            key_schema,
            local_secondary_indexes: bare_indexes(local.as_ref()),
            global_secondary_indexes: bare_indexes(global.as_ref()),
            billing_mode,
            provisioned_throughput,
            on_demand_throughput: self.on_demand_throughput,
            warm_throughput,
            encryption: encryption.transpose()?.unwrap_or_default(),
            ..Create::default()
        };
        let (local, global) = match (checked_indexes(local), checked_indexes(global)) {
            (Ok(local), Ok(global)) => (local, global),
            (Err(failure), _) | (_, Err(failure)) => {
                // Errors of the keys come first.
                create.validate()?;
                return Err(failure);
            }
        };
        Ok(Create {
            local_secondary_indexes: local,
            global_secondary_indexes: global,
            table_class: table_class(self.table_class.as_deref())?,
            stream: match stream {
                Some(stream) => stream.of_new_table()?,
                None => None,
            },
            deletion_protection: self.deletion_protection_enabled.unwrap_or_default(),
            tags: self.tags.checked()?,
            resource_policy: self.resource_policy,
            ..create
        })
    }
}
