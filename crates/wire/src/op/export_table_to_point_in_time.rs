//! ExportTableToPointInTime: a job writes the files.

use monotable_engine::{Database, Expression, ItemFilterExpressions};
use monotable_lifecycle::{ExportFilter, ExportFormat, ExportRequest, ExportTime, ExportView};
use monotable_types::Constraints;

use crate::backup_arguments::read_moment;
use crate::bucket::{bucket, client_token, owner, prefix, token};
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::jobs::write_export;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::{Call, Endpoint};
use crate::parameters::{choose, finish};
use crate::placeholders::Placeholders;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

const FORMATS: &[(&str, ExportFormat)] =
    &[("DYNAMODB_JSON", ExportFormat::DynamoDbJson), ("ION", ExportFormat::Ion)];
const SSE_ALGORITHMS: &[(&str, ())] = &[("AES256", ()), ("KMS", ())];
/// Whether an export is incremental.
const TYPES: &[(&str, bool)] = &[("FULL_EXPORT", false), ("INCREMENTAL_EXPORT", true)];
const VIEWS: &[(&str, ExportView)] =
    &[("NEW_IMAGE", ExportView::NewImage), ("NEW_AND_OLD_IMAGES", ExportView::NewAndOldImages)];

/// The request.
#[derive(Default)]
pub(crate) struct ExportTableToPointInTime {
    table_arn: Option<String>,
    export_ms: Option<u64>,
    client_token: Option<String>,
    bucket: Option<String>,
    owner: Option<String>,
    prefix: Option<String>,
    sse_algorithm: Option<String>,
    sse_key: Option<String>,
    format: Option<String>,
    export_type: Option<String>,
    incremental: Option<Window>,
    filter: Option<Filter>,
}

/// `IncrementalExportSpecification`
#[derive(Debug, Default)]
struct Window {
    from_ms: Option<u64>,
    to_ms: Option<u64>,
    view: Option<String>,
}

impl Window {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut window = Self::default();
        let class = "IncrementalExportSpecification";
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "ExportFromTime" => window.from_ms = read_moment(reader)?,
                "ExportToTime" => window.to_ms = read_moment(reader)?,
                "ExportViewType" => window.view = reader.text()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(window))
    }
}

/// `FilterSpecification`
#[derive(Default)]
struct Filter {
    key_condition: Option<String>,
    filter: Option<String>,
    projection: Option<String>,
    placeholders: Placeholders,
    document: String,
}

impl Filter {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut filter = Self::default();
        let document = reader.clone().raw()?;
        let found = reader.structure("FilterSpecification", Holder::Member, |reader, name| {
            match name {
                "KeyConditionExpression" => filter.key_condition = reader.text()?,
                "FilterExpression" => filter.filter = reader.text()?,
                "ProjectionExpression" => filter.projection = reader.text()?,
                name if filter.placeholders.member(name, reader)? => {}
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        filter.document = document.to_owned();
        Ok(found.then_some(filter))
    }

    fn checked(self, database: &Database, table: &str) -> Result<ExportFilter> {
        let expressions = ItemFilterExpressions {
            key_condition: self.key_condition.map(Expression::Text),
            filter: self.filter.map(Expression::Text),
            projection: self.projection.map(Expression::Text),
            substitutions: self.placeholders.checked(Layer::Older)?,
        };
        let filter = database.item_filter(table, &expressions)?;
        Ok(ExportFilter { filter, specification: self.document })
    }
}

impl Call for ExportTableToPointInTime {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableArn" => self.table_arn = reader.text()?,
            "ExportTime" => self.export_ms = read_moment(reader)?,
            "ClientToken" => self.client_token = reader.text()?,
            "S3Bucket" => self.bucket = reader.text()?,
            "S3BucketOwner" => self.owner = reader.text()?,
            "S3Prefix" => self.prefix = reader.text()?,
            "S3SseAlgorithm" => self.sse_algorithm = reader.text()?,
            "S3SseKmsKeyId" => self.sse_key = reader.text()?,
            "ExportFormat" => self.format = reader.text()?,
            "ExportType" => self.export_type = reader.text()?,
            "IncrementalExportSpecification" => self.incremental = Window::read(reader)?,
            "FilterSpecification" => self.filter = Filter::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("ExportTableToPointInTime", self.table_arn.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Exports.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Exports)?;
        let request = self.checked(endpoint.database())?;
        write_export(json, &lifecycle.export_table(request).await?);
        Ok(())
    }
}

impl ExportTableToPointInTime {
    /// Returns the parts of the request that a repeated request must share with the first.
    fn compared(&self) -> String {
        format!(
            "{:?}",
            (
                (&self.table_arn, self.export_ms, &self.bucket, &self.owner, &self.prefix),
                (&self.sse_algorithm, &self.sse_key, &self.format, &self.export_type),
                (&self.incremental, self.filter.as_ref().map(|filter| &filter.document)),
            )
        )
    }

    /// Returns which time is exported: the type and the specification of a window must fit.
    fn time(&self, is_incremental: Option<bool>, view: ExportView) -> Result<ExportTime> {
        let refuse = |what: &str| Err(Failure::validation(format!("Invalid Request: {what}")));
        match (is_incremental, &self.incremental) {
            (Some(true), None) => refuse(
                "Incremental Export Specification expected when export type is set as Incremental Export",
            ),
            (None, Some(_)) => refuse(
                "Export Type expected to be Incremental Export when incremental export specification is provided",
            ),
            (Some(false), Some(_)) => refuse(
                "When Export Type is Full Export , Incremental Export Specification should not be provided",
            ),
            (Some(true), Some(Window { from_ms: None, .. })) => {
                refuse("ExportFromTime must be provided in IncrementalExportSpecification")
            }
            (Some(true), Some(Window { from_ms: Some(from_ms), to_ms, .. })) => {
                Ok(ExportTime::Window { from_ms: *from_ms, to_ms: *to_ms, view })
            }
            (None | Some(false), None) => {
                Ok(self.export_ms.map_or(ExportTime::Now, ExportTime::At))
            }
        }
    }

    fn checked(self, database: &Database) -> Result<ExportRequest> {
        let mut constraints = Constraints::default();
        match &self.table_arn {
            None => constraints.null("tableArn"),
            Some(arn) => constraints.text(arn, "tableArn", 1..=1024),
        }
        bucket(&mut constraints, "s3Bucket", self.bucket.as_deref());
        owner(&mut constraints, "s3BucketOwner", self.owner.as_deref());
        prefix(&mut constraints, "s3Prefix", self.prefix.as_deref());
        client_token(&mut constraints, self.client_token.as_deref());
        choose(&mut constraints, "s3SseAlgorithm", self.sse_algorithm.as_deref(), SSE_ALGORITHMS);
        let format = choose(&mut constraints, "exportFormat", self.format.as_deref(), FORMATS);
        let incremental =
            choose(&mut constraints, "exportType", self.export_type.as_deref(), TYPES);
        let view = self.incremental.as_ref().and_then(|window| window.view.as_deref());
        let path = "incrementalExportSpecification.exportViewType";
        let view = choose(&mut constraints, path, view, VIEWS).unwrap_or_default();
        finish(constraints)?;
        let time = self.time(incremental, view)?;
        let compared = self.compared();
        let table_arn = self.table_arn.unwrap_or_default();
        let filter = self.filter.map(|filter| filter.checked(database, &table_arn)).transpose()?;
        Ok(ExportRequest {
            table_arn,
            token: token(self.client_token, &compared),
            bucket: self.bucket.unwrap_or_default(),
            bucket_owner: self.owner,
            prefix: self.prefix,
            sse_algorithm: self.sse_algorithm,
            sse_key: self.sse_key,
            format: format.unwrap_or(ExportFormat::DynamoDbJson),
            time,
            filter,
        })
    }
}
