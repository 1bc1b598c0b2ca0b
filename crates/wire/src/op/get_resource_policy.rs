//! GetResourcePolicy: there are none.

use monotable_engine::Database;

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::policy::existing_resource;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct GetResourcePolicy {
    resource_arn: Option<String>,
}

impl Call for GetResourcePolicy {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("GetResourcePolicy", self.resource_arn.as_deref())]
    }

    async fn answer(self, database: &Database, _: &mut Writer<'_>) -> Result<()> {
        let arn = existing_resource(database, self.resource_arn)?;
        let text = format!("Resource-based policy not found for the provided ResourceArn: {arn}");
        Err(Failure::NotFound(Absent::Policy, text))
    }
}
