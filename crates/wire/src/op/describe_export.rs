//! DescribeExport: there are none.

use monotable_engine::Database;

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::required_arn;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeExport {
    export_arn: Option<String>,
}

impl Call for DescribeExport {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ExportArn" => self.export_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeExport", self.export_arn.as_deref())]
    }

    async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        let arn = required_arn(self.export_arn, "exportArn")?;
        Err(Failure::NotFound(Absent::Export, format!("Export not found: {arn}")))
    }
}
