//! DescribeImport: there are none.

use monotable_engine::Database;

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::required_arn;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeImport {
    import_arn: Option<String>,
}

impl Call for DescribeImport {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ImportArn" => self.import_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeImport", self.import_arn.as_deref())]
    }

    async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        let arn = required_arn(self.import_arn, "importArn")?;
        Err(Failure::NotFound(Absent::Import, format!("Import not found: {arn}")))
    }
}
