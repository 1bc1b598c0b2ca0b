//! StartBulkPutItems: a job puts the items of a bucket into a table.

use monotable_engine::Database;
use monotable_lifecycle::{BulkRequest, ImportFormat};
use monotable_types::Constraints;

use crate::bucket::{
    Location, bucket, client_token, compression, input_format, owner, prefix, token,
};
use crate::error::Result;
use crate::jobs::write_bulk;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::{choose, finish, table_name};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

const FORMATS: &[(&str, ImportFormat)] =
    &[("DYNAMODB_JSON", ImportFormat::DynamoDbJson), ("ION", ImportFormat::Ion)];
const OUTPUT_TYPES: &[&str] = &["ERROR", "CONDITION_CHECK_FAILURE"];
const TIERS: &[(&str, &str)] = &[("STANDARD", "STANDARD"), ("ACCELERATED", "ACCELERATED")];
/// The lowest rate that a request may set.
const UNITS_MIN: i64 = 1024;

/// The request.
#[derive(Default)]
pub(crate) struct StartBulkPutItems {
    client_token: Option<String>,
    input: Option<Location>,
    output: Option<Location>,
    table_name: Option<String>,
    units_max: Option<i64>,
    tier: Option<String>,
}

impl Call for StartBulkPutItems {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ClientToken" => self.client_token = reader.text()?,
            "InputS3Configuration" => {
                self.input = Location::read(reader, "InputS3Configuration")?;
            }
            "OutputS3Configuration" => {
                self.output = Location::read(reader, "OutputS3Configuration")?;
            }
            "TableName" => self.table_name = reader.text()?,
            "MaxWriteRequestUnits" => self.units_max = reader.long()?,
            "PerformanceTier" => self.tier = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("StartBulkPutItems", self.table_name.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::BulkOperations.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::BulkOperations)?;
        let bulk = lifecycle.start_bulk_put(self.checked()?).await?;
        write_bulk(json, &bulk);
        Ok(())
    }
}

impl StartBulkPutItems {
    fn checked(self) -> Result<BulkRequest> {
        let mut constraints = Constraints::default();
        client_token(&mut constraints, self.client_token.as_deref());
        let absent = || Location { bucket: Some("absent".to_owned()), ..Location::default() };
        let input = self.input.unwrap_or_else(|| {
            constraints.null("inputS3Configuration");
            Location { format: Some("ION".to_owned()), ..absent() }
        });
        let output = self.output.unwrap_or_else(|| {
            constraints.null("outputS3Configuration");
            Location { output_types: Some(Vec::new()), ..absent() }
        });
        bucket(&mut constraints, "inputS3Configuration.s3Bucket", input.bucket.as_deref());
        owner(&mut constraints, "inputS3Configuration.s3BucketOwner", input.owner.as_deref());
        prefix(&mut constraints, "inputS3Configuration.s3KeyPrefix", input.prefix.as_deref());
        let path = "inputS3Configuration.inputFormat";
        let format = input_format(&mut constraints, path, input.format.as_deref(), FORMATS);
        let path = "inputS3Configuration.inputCompressionType";
        let compression = compression(&mut constraints, path, input.compression.as_deref());
        if output.bucket.is_some() {
            bucket(&mut constraints, "outputS3Configuration.s3Bucket", output.bucket.as_deref());
        }
        owner(&mut constraints, "outputS3Configuration.s3BucketOwner", output.owner.as_deref());
        prefix(&mut constraints, "outputS3Configuration.s3KeyPrefix", output.prefix.as_deref());
        match &output.output_types {
            None => constraints.null("outputS3Configuration.outputType"),
            Some(types) => {
                for word in types {
                    constraints.one_of(word, "outputS3Configuration.outputType", OUTPUT_TYPES);
                }
            }
        }
        table_name(&mut constraints, "tableName", self.table_name.as_deref());
        if let Some(units) = self.units_max {
            let least = format!("have value greater than or equal to {UNITS_MIN}");
            constraints.check(units >= UNITS_MIN, units, "maxWriteRequestUnits", &least);
        }
        let tier = choose(&mut constraints, "performanceTier", self.tier.as_deref(), TIERS);
        finish(constraints)?;
        let compared = format!(
            "{:?}",
            (&input.document, &output.document, &self.table_name, self.units_max, tier)
        );
        let lists_errors = output.output_types.iter().flatten().any(|word| word == "ERROR");
        Ok(BulkRequest {
            table_name: self.table_name.unwrap_or_default(),
            token: token(self.client_token, &compared),
            bucket: input.bucket.unwrap_or_default(),
            prefix: input.prefix,
            format,
            compression: compression.unwrap_or_default(),
            error_bucket: output.bucket.filter(|_| lists_errors),
            error_prefix: output.prefix,
            input: input.document,
            output: output.document,
            units_max: self.units_max.and_then(|units| u64::try_from(units).ok()),
            tier: tier.unwrap_or("STANDARD").to_owned(),
        })
    }
}
