//! TagResource.

use monotable_engine::{Database, TagResource as Tag};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::table::Tags;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct TagResource {
    resource_arn: Option<String>,
    tags: Tags,
}

impl Call for TagResource {
    const HAS_BODY: bool = false;

    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            "Tags" => self.tags = Tags::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("TagResource", self.resource_arn.as_deref())]
    }

    async fn respond(self, database: &Database, _: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        if !self.tags.is_given() {
            constraints.null("tags");
        }
        finish(constraints)?;
        let tags = self.tags.checked()?;
        let resource_arn = self.resource_arn.unwrap_or_default();
        database.submit(Tag { resource_arn, tags }).await?;
        Ok(())
    }
}
