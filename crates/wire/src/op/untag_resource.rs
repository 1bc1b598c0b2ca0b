//! UntagResource.

use monotable_engine::{Database, UntagResource as Untag};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct UntagResource {
    resource_arn: Option<String>,
    tag_keys: Option<Vec<String>>,
}

impl Call for UntagResource {
    const HAS_BODY: bool = false;

    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            "TagKeys" => self.tag_keys = reader.texts()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UntagResource", self.resource_arn.as_deref())]
    }

    async fn respond(self, database: &Database, _: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        if self.tag_keys.is_none() {
            constraints.null("tagKeys");
        }
        finish(constraints)?;
        let resource_arn = self.resource_arn.unwrap_or_default();
        let tag_keys = self.tag_keys.unwrap_or_default();
        database.submit(Untag { resource_arn, tag_keys }).await?;
        Ok(())
    }
}
