//! ListTagsOfResource.

use monotable_engine::{Database, ListTagsOfResource as List};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListTagsOfResource {
    resource_arn: Option<String>,
}

impl Call for ListTagsOfResource {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ResourceArn" => self.resource_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("ListTagsOfResource", self.resource_arn.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database
            .list_tags_of_resource(List { resource_arn: self.resource_arn.unwrap_or_default() })?;
        json.objects_member("Tags", &output.tags, |json, (key, value)| {
            json.text_member("Key", key);
            json.text_member("Value", value);
        });
        Ok(())
    }
}
