//! UpdateTimeToLive.

use monotable_engine::{Database, UpdateTimeToLive as Update};
use monotable_types::Constraints;

use crate::error::Result;
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct UpdateTimeToLive {
    table_name: NamedTable,
    specification: Option<Specification>,
}

/// `TimeToLiveSpecification`
#[derive(Default)]
struct Specification {
    enabled: Option<bool>,
    attribute_name: Option<String>,
}

impl Call for UpdateTimeToLive {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "TimeToLiveSpecification" => self.specification = Specification::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateTimeToLive", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        json.object_member("TimeToLiveSpecification", |json| {
            json.boolean_member("Enabled", output.enabled);
            json.text_member("AttributeName", &output.attribute_name);
        });
        Ok(())
    }
}

impl UpdateTimeToLive {
    fn validate(self) -> Result<Update> {
        let table_name = self.table_name.required()?;
        let mut constraints = Constraints::default();
        if self.specification.is_none() {
            constraints.null("timeToLiveSpecification");
        }
        let (enabled, attribute_name) = match self.specification {
            Some(specification) => (specification.enabled, specification.attribute_name),
            None => (Some(false), Some(String::new())),
        };
        if attribute_name.is_none() {
            constraints.null("timeToLiveSpecification.attributeName");
        }
        if enabled.is_none() {
            constraints.null("timeToLiveSpecification.enabled");
        }
        finish(constraints)?;
        let (enabled, attribute_name) =
            (enabled.unwrap_or_default(), attribute_name.unwrap_or_default());
        Ok(Update { table_name, attribute_name, enabled })
    }
}

impl Specification {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut specification = Self::default();
        let found =
            reader.structure("TimeToLiveSpecification", Holder::Member, |reader, name| {
                match name {
                    "Enabled" => specification.enabled = reader.truth()?,
                    "AttributeName" => specification.attribute_name = reader.text()?,
                    _ => reader.ignore()?,
                }
                Ok(())
            })?;
        Ok(found.then_some(specification))
    }
}
