//! DescribeExport: an export, on its way or over.

use monotable_engine::Database;

use crate::error::Result;
use crate::jobs::write_export;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::required_arn;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeExport {
    arn: Option<String>,
}

impl Call for DescribeExport {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ExportArn" => self.arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeExport", self.arn.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Exports.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Exports)?;
        let arn = required_arn(self.arn, "exportArn")?;
        write_export(json, &lifecycle.describe_export(&arn)?);
        Ok(())
    }
}
