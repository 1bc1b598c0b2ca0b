//! Creates and describes tables through the SDK.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::update_continuous_backups::UpdateContinuousBackupsError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition as SdkDefinition, BillingMode, ContinuousBackupsStatus,
    GlobalSecondaryIndex, IndexStatus, KeySchemaElement as SdkElement, KeyType as SdkKeyType,
    LocalSecondaryIndex, PointInTimeRecoverySpecification, Projection as SdkProjection,
    ProjectionType, ScalarAttributeType, TableDescription, TableStatus, TimeToLiveSpecification,
    TimeToLiveStatus,
};
use monotable_types::{AttributeDefinition, KeySchemaElement, KeyType, Projection, ScalarType};

use super::error::{failure, unbuildable};
use super::value::malformed;
use crate::backend::BackendError;
use crate::backend::request::{IndexShape, RECOVERY_DAYS, TableShape};

type Result<T> = std::result::Result<T, BackendError>;

/// How long to wait between two checks of a table that is being created: at first, and at most.
const CHECK_DELAY_FIRST: Duration = Duration::from_millis(50);
const CHECK_DELAY_MAX: Duration = Duration::from_secs(2);

/// The number of checks before giving up after about ten minutes.
const CHECKS_MAX: u32 = 300;

pub(super) async fn create(client: Client, shape: TableShape) -> Result<()> {
    let table = shape.table.clone();
    let (expiry, is_protected) = (shape.ttl_attribute.clone(), shape.is_protected);
    let mut creation = client
        .create_table()
        .table_name(&table)
        .set_deletion_protection_enabled(is_protected.then_some(true))
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(key_to_sdk(shape.key)?))
        .set_attribute_definitions(Some(attributes_to_sdk(shape.attributes)?));
    for index in shape.indexes {
        let (key, projection) = (key_to_sdk(index.key)?, projection_to_sdk(index.projection));
        creation = if index.is_local {
            let local = LocalSecondaryIndex::builder().index_name(index.name);
            let local = local.set_key_schema(Some(key)).projection(projection);
            creation.local_secondary_indexes(local.build().map_err(unbuildable)?)
        } else {
            let global = GlobalSecondaryIndex::builder().index_name(index.name);
            let global = global.set_key_schema(Some(key)).projection(projection);
            creation.global_secondary_indexes(global.build().map_err(unbuildable)?)
        };
    }
    creation.send().await.map_err(|error| failure(error, &table))?;
    wait_until_active(&client, &table).await?;
    if is_protected {
        enable_recovery(&client, &table).await?;
    }
    match expiry {
        Some(attribute) => expire_by(client, table, attribute).await,
        None => Ok(()),
    }
}

async fn wait_until_active(client: &Client, table: &str) -> Result<()> {
    let mut pause = CHECK_DELAY_FIRST;
    for _ in 0..CHECKS_MAX {
        // A new table may be unknown to the first server that receives the request.
        if let Some(description) = look_at(client, table).await?
            && is_active(&description)
        {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(CHECK_DELAY_MAX);
    }
    Err(BackendError::Failed(format!("table `{table}` is still being created")))
}

/// Enables point-in-time recovery, unless the store has no continuous backups. AWS has them for every table, soon after its
/// creation.
async fn enable_recovery(client: &Client, table: &str) -> Result<()> {
    let described = client.describe_continuous_backups().table_name(table).send().await;
    let described = described.map_err(|error| failure(error, table))?;
    let backups = described.continuous_backups_description;
    let status = backups.map(|backups| backups.continuous_backups_status);
    if status != Some(ContinuousBackupsStatus::Enabled) {
        return Ok(());
    }
    let recovery = PointInTimeRecoverySpecification::builder()
        .point_in_time_recovery_enabled(true)
        .recovery_period_in_days(RECOVERY_DAYS.into())
        .build()
        .map_err(unbuildable)?;
    let mut pause = CHECK_DELAY_FIRST;
    for _ in 0..CHECKS_MAX {
        let update = client.update_continuous_backups().table_name(table);
        let update = update.point_in_time_recovery_specification(recovery.clone());
        match update.send().await {
            Err(error)
                if error.as_service_error().is_some_and(
                    UpdateContinuousBackupsError::is_continuous_backups_unavailable_exception,
                ) =>
            {
                tokio::time::sleep(pause).await;
            }
            result => return result.map(drop).map_err(|error| failure(error, table)),
        }
        pause = (pause * 2).min(CHECK_DELAY_MAX);
    }
    Err(BackendError::Failed(format!("recovery of table `{table}` can't be enabled yet")))
}

fn is_active(table: &TableDescription) -> bool {
    table.table_status() == Some(&TableStatus::Active)
        && table
            .global_secondary_indexes()
            .iter()
            .all(|index| index.index_status() == Some(&IndexStatus::Active))
}

pub(super) async fn expire_by(client: Client, table: String, attribute: String) -> Result<()> {
    let expiry = TimeToLiveSpecification::builder().enabled(true).attribute_name(attribute);
    client
        .update_time_to_live()
        .table_name(&table)
        .time_to_live_specification(expiry.build().map_err(unbuildable)?)
        .send()
        .await
        .map(drop)
        .map_err(|error| failure(error, &table))
}

pub(super) async fn describe(client: Client, table: String) -> Result<Option<TableShape>> {
    let Some(description) = look_at(&client, &table).await? else {
        return Ok(None);
    };
    let output = client
        .describe_time_to_live()
        .table_name(&table)
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let expiry = output.time_to_live_description.filter(|expiry| {
        matches!(
            expiry.time_to_live_status,
            Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling)
        )
    });
    shape(description, expiry.and_then(|expiry| expiry.attribute_name)).map(Some)
}

async fn look_at(client: &Client, table: &str) -> Result<Option<TableDescription>> {
    match client.describe_table().table_name(table).send().await {
        Ok(output) => Ok(output.table),
        Err(error) => match failure(error, table) {
            BackendError::NoTable(_) => Ok(None),
            failure => Err(failure),
        },
    }
}

fn shape(table: TableDescription, ttl_attribute: Option<String>) -> Result<TableShape> {
    let mut indexes = Vec::new();
    for index in table.global_secondary_indexes.unwrap_or_default() {
        indexes.push(IndexShape {
            name: index.index_name.unwrap_or_default(),
            is_local: false,
            key: key_from_sdk(index.key_schema)?,
            projection: projection_from_sdk(index.projection)?,
        });
    }
    for index in table.local_secondary_indexes.unwrap_or_default() {
        indexes.push(IndexShape {
            name: index.index_name.unwrap_or_default(),
            is_local: true,
            key: key_from_sdk(index.key_schema)?,
            projection: projection_from_sdk(index.projection)?,
        });
    }
    let attributes = table.attribute_definitions.unwrap_or_default();
    Ok(TableShape {
        table: table.table_name.unwrap_or_default(),
        key: key_from_sdk(table.key_schema)?,
        indexes,
        attributes: attributes.into_iter().map(attribute_from_sdk).collect::<Result<_>>()?,
        ttl_attribute,
        is_protected: false,
    }
    .sorted())
}

fn attributes_to_sdk(attributes: Vec<AttributeDefinition>) -> Result<Vec<SdkDefinition>> {
    let definitions = attributes.into_iter().map(|attribute| {
        let scalar_type = match attribute.scalar_type {
            ScalarType::S => ScalarAttributeType::S,
            ScalarType::N => ScalarAttributeType::N,
            ScalarType::B => ScalarAttributeType::B,
        };
        let definition = SdkDefinition::builder().attribute_name(attribute.name);
        definition.attribute_type(scalar_type).build().map_err(unbuildable)
    });
    definitions.collect()
}

fn attribute_from_sdk(attribute: SdkDefinition) -> Result<AttributeDefinition> {
    let scalar_type = attribute.attribute_type.as_str().parse().map_err(malformed)?;
    Ok(AttributeDefinition::new(attribute.attribute_name, scalar_type))
}

fn key_to_sdk(key: Vec<KeySchemaElement>) -> Result<Vec<SdkElement>> {
    let elements = key.into_iter().map(|element| {
        let key_type = match element.key_type {
            KeyType::Hash => SdkKeyType::Hash,
            KeyType::Range => SdkKeyType::Range,
        };
        let built = SdkElement::builder().attribute_name(element.attribute_name);
        built.key_type(key_type).build().map_err(unbuildable)
    });
    elements.collect()
}

fn key_from_sdk(key: Option<Vec<SdkElement>>) -> Result<Vec<KeySchemaElement>> {
    let elements = key.unwrap_or_default().into_iter().map(|element| match element.key_type {
        SdkKeyType::Hash => Ok(KeySchemaElement::hash(element.attribute_name)),
        SdkKeyType::Range => Ok(KeySchemaElement::range(element.attribute_name)),
        unknown => Err(malformed(format!("a key of the type {unknown}"))),
    });
    elements.collect()
}

fn projection_to_sdk(projection: Projection) -> SdkProjection {
    let projected = SdkProjection::builder();
    match projection {
        Projection::All => projected.projection_type(ProjectionType::All),
        Projection::KeysOnly => projected.projection_type(ProjectionType::KeysOnly),
        Projection::Include(names) => {
            projected.projection_type(ProjectionType::Include).set_non_key_attributes(Some(names))
        }
    }
    .build()
}

fn projection_from_sdk(projection: Option<SdkProjection>) -> Result<Projection> {
    let projection = projection.ok_or_else(|| malformed("an index without a projection"))?;
    match projection.projection_type {
        Some(ProjectionType::All) => Ok(Projection::All),
        Some(ProjectionType::KeysOnly) => Ok(Projection::KeysOnly),
        Some(ProjectionType::Include) => {
            Ok(Projection::Include(projection.non_key_attributes.unwrap_or_default()))
        }
        unknown => Err(malformed(format!("an index with the projection {unknown:?}"))),
    }
}
