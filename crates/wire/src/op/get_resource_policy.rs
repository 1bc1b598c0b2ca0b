//! GetResourcePolicy.

use monotable_engine::{Database, GetResourcePolicy as Get};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
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

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        if self.resource_arn.is_none() {
            constraints.null("resourceArn");
        }
        finish(constraints)?;
        let resource_arn = self.resource_arn.unwrap_or_default();
        let policy = database.get_resource_policy(Get { resource_arn })?.policy;
        json.text_member("Policy", &policy.document);
        json.text_member("RevisionId", &policy.revision_id);
        Ok(())
    }
}
