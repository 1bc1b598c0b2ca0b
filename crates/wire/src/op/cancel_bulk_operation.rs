//! CancelBulkOperation: there are none.

use monotable_engine::{Database, Error};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::required_arn;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct CancelBulkOperation {
    bulk_operation_arn: Option<String>,
}

impl Call for CancelBulkOperation {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "BulkOperationArn" => self.bulk_operation_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("CancelBulkOperation", self.bulk_operation_arn.as_deref())]
    }

    async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        let arn = required_arn(self.bulk_operation_arn, "bulkOperationArn")?;
        Err(Error::ResourceNotFound(format!(
            "Requested resource not found: Bulk operation: {arn} not found"
        ))
        .into())
    }
}
