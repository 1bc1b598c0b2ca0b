//! PutResourcePolicy.

use monotable_engine::{Database, PutResourcePolicy as Put};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::policy::check_document;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct PutResourcePolicy {
    resource_arn: Option<String>,
    policy: Option<String>,
    expected_revision_id: Option<String>,
}

impl Call for PutResourcePolicy {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            "Policy" => self.policy = reader.text()?,
            "ExpectedRevisionId" => self.expected_revision_id = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("PutResourcePolicy", self.resource_arn.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        if self.resource_arn.is_none() {
            constraints.null("resourceArn");
        }
        if self.policy.is_none() {
            constraints.null("policy");
        }
        finish(constraints)?;
        let policy = self.policy.unwrap_or_default();
        check_document(&policy)?;
        let request = Put {
            resource_arn: self.resource_arn.unwrap_or_default(),
            policy,
            expected_revision_id: self.expected_revision_id,
        };
        let output = database.submit(request).await?;
        json.text_member("RevisionId", &output.revision_id);
        Ok(())
    }
}
