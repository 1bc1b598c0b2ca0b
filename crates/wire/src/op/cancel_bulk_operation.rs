//! CancelBulkOperation: what was put stays.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::required_arn;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct CancelBulkOperation {
    arn: Option<String>,
}

impl Call for CancelBulkOperation {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "BulkOperationArn" => self.arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("CancelBulkOperation", self.arn.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::BulkOperations.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::BulkOperations)?;
        let arn = required_arn(self.arn, "bulkOperationArn")?;
        let status = lifecycle.cancel_bulk_operation(&arn)?;
        json.text_member("BulkOperationArn", &arn);
        json.text_member("BulkOperationStatus", status.as_str());
        Ok(())
    }
}
