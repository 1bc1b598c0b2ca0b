//! DeleteResourcePolicy: there are none to delete, which AWS takes for success.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::policy::existing_resource;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DeleteResourcePolicy {
    resource_arn: Option<String>,
}

impl Call for DeleteResourcePolicy {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DeleteResourcePolicy", self.resource_arn.as_deref())]
    }

    async fn answer(self, database: &Database, _: &mut Writer<'_>) -> Result<()> {
        existing_resource(database, self.resource_arn)?;
        Ok(())
    }
}
