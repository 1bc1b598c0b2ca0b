//! DeleteResourcePolicy. It succeeds for a resource without a policy, as on AWS.

use monotable_engine::{Database, DeleteResourcePolicy as Delete};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DeleteResourcePolicy {
    resource_arn: Option<String>,
    expected_revision_id: Option<String>,
}

impl Call for DeleteResourcePolicy {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            "ExpectedRevisionId" => self.expected_revision_id = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DeleteResourcePolicy", self.resource_arn.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        if self.resource_arn.is_none() {
            constraints.null("resourceArn");
        }
        finish(constraints)?;
        let request = Delete {
            resource_arn: self.resource_arn.unwrap_or_default(),
            expected_revision_id: self.expected_revision_id,
        };
        let output = database.submit(request).await?;
        json.optional_text_member("RevisionId", output.revision_id.as_deref());
        Ok(())
    }
}
