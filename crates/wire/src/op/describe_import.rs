//! DescribeImport: an import, on its way or over.

use monotable_engine::Database;

use crate::error::Result;
use crate::jobs::write_import;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::required_arn;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeImport {
    arn: Option<String>,
}

impl Call for DescribeImport {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ImportArn" => self.arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeImport", self.arn.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Imports.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Imports)?;
        let arn = required_arn(self.arn, "importArn")?;
        write_import(json, &lifecycle.describe_import(&arn)?);
        Ok(())
    }
}
