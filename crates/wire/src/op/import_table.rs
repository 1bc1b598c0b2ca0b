//! ImportTable: a new table, which a job fills from a bucket.

use monotable_engine::Database;
use monotable_lifecycle::{CsvOptions, ImportFormat, ImportRequest};
use monotable_types::Constraints;

use crate::bucket::{
    Location, bucket, client_token, compression, input_format, owner, prefix, token,
};
use crate::error::Result;
use crate::field::Holder;
use crate::jobs::write_import;
use crate::json::{Reader, Writer};
use crate::op::create_table::CreateTable;
use crate::operation::{Call, Endpoint};
use crate::parameters::finish;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

const FORMATS: &[(&str, ImportFormat)] = &[
    ("DYNAMODB_JSON", ImportFormat::DynamoDbJson),
    ("ION", ImportFormat::Ion),
    ("CSV", ImportFormat::Csv),
];

/// The request.
#[derive(Default)]
pub(crate) struct ImportTable {
    client_token: Option<String>,
    source: Option<Location>,
    format: Option<String>,
    csv: Option<Csv>,
    compression: Option<String>,
    table: Option<CreateTable>,
    table_parameters: String,
}

/// `InputFormatOptions.Csv`
#[derive(Debug, Default)]
struct Csv {
    delimiter: Option<String>,
    headers: Option<Vec<String>>,
}

impl Csv {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut csv = None;
        reader.structure("InputFormatOptions", Holder::Member, |reader, name| {
            if name != "Csv" {
                return reader.ignore();
            }
            let mut options = Self::default();
            let found = reader.structure("CsvOptions", Holder::Member, |reader, name| {
                match name {
                    "Delimiter" => options.delimiter = reader.text()?,
                    "HeaderList" => options.headers = reader.texts()?,
                    _ => reader.ignore()?,
                }
                Ok(())
            })?;
            csv = found.then_some(options);
            Ok(())
        })?;
        Ok(csv)
    }

    fn noted(&self, constraints: &mut Constraints) -> CsvOptions {
        const PATH: &str = "inputFormatOptions.csv";
        let delimiter = self.delimiter.as_deref();
        if let Some(delimiter) = delimiter {
            let is_one = delimiter.len() == 1 && ",;:|\t ".contains(delimiter);
            let rule = r"satisfy regular expression pattern: [,;:|\t ]";
            constraints.check(is_one, delimiter, &format!("{PATH}.delimiter"), rule);
        }
        if let Some(headers) = &self.headers {
            let path = format!("{PATH}.headerList");
            let shown = format!("[{}]", headers.join(", "));
            constraints.length(headers.len(), shown, &path, 1..=255);
        }
        CsvOptions {
            delimiter: delimiter.and_then(|text| text.chars().next()),
            headers: self.headers.clone(),
        }
    }
}

impl Call for ImportTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ClientToken" => self.client_token = reader.text()?,
            "S3BucketSource" => self.source = Location::read(reader, "S3BucketSource")?,
            "InputFormat" => self.format = reader.text()?,
            "InputFormatOptions" => self.csv = Csv::read(reader)?,
            "InputCompressionType" => self.compression = reader.text()?,
            "TableCreationParameters" => {
                self.table_parameters = reader.clone().raw()?.to_owned();
                let mut table = CreateTable::default();
                let class = "TableCreationParameters";
                let found = reader.structure(class, Holder::Member, |reader, name| match name {
                    "LocalSecondaryIndexes" | "StreamSpecification" | "Tags" | "ResourcePolicy" => {
                        reader.ignore()
                    }
                    name => table.member(name, reader),
                })?;
                self.table = found.then_some(table);
            }
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let table = self.table.as_ref().and_then(CreateTable::given_name);
        vec![Touch::table("ImportTable", table)]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Imports.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Imports)?;
        let import = lifecycle.import_table(self.checked()?).await?;
        write_import(json, &import);
        Ok(())
    }
}

impl ImportTable {
    fn checked(self) -> Result<ImportRequest> {
        let mut constraints = Constraints::default();
        client_token(&mut constraints, self.client_token.as_deref());
        let compared = format!(
            "{:?}",
            (
                self.source.as_ref().map(|source| &source.document),
                (&self.format, &self.csv, &self.compression, &self.table_parameters),
            )
        );
        let source = self.source.unwrap_or_else(|| {
            constraints.null("s3BucketSource");
            Location { bucket: Some("absent".to_owned()), ..Location::default() }
        });
        bucket(&mut constraints, "s3BucketSource.s3Bucket", source.bucket.as_deref());
        owner(&mut constraints, "s3BucketSource.s3BucketOwner", source.owner.as_deref());
        prefix(&mut constraints, "s3BucketSource.s3KeyPrefix", source.prefix.as_deref());
        let word = self.format.as_deref();
        let format = input_format(&mut constraints, "inputFormat", word, FORMATS);
        let csv = self.csv.map(|csv| csv.noted(&mut constraints));
        let word = self.compression.as_deref();
        let compression = compression(&mut constraints, "inputCompressionType", word);
        if self.table.is_none() {
            constraints.null("tableCreationParameters");
        }
        finish(constraints)?;
        let table = self.table.unwrap_or_default().validate()?;
        Ok(ImportRequest {
            token: token(self.client_token, &compared),
            bucket: source.bucket.unwrap_or_default(),
            bucket_owner: source.owner,
            prefix: source.prefix,
            format,
            csv,
            compression,
            table,
            table_parameters: self.table_parameters,
        })
    }
}
