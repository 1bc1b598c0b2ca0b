//! UpdateContinuousBackups: point-in-time recovery stays disabled.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::backup::write_no_recovery;
use crate::error::Result;
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::table::NamedTable;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct UpdateContinuousBackups {
    table_name: NamedTable,
    specification: Option<Specification>,
}

impl Call for UpdateContinuousBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "PointInTimeRecoverySpecification" => self.specification = Specification::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateContinuousBackups", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        match &self.specification {
            None => constraints.null("pointInTimeRecoverySpecification"),
            Some(Specification { enabled: None }) => {
                constraints.null("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled");
            }
            Some(Specification { enabled: Some(_) }) => {}
        }
        finish(constraints)?;
        self.table_name.describe_for_backups(database)?;
        if self.specification.and_then(|specification| specification.enabled) == Some(true) {
            return Err(UnsupportedFeature::PointInTimeRecovery.refusal());
        }
        write_no_recovery(json);
        Ok(())
    }
}

/// `PointInTimeRecoverySpecification`
#[derive(Default)]
struct Specification {
    enabled: Option<bool>,
}

impl Specification {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut specification = Self::default();
        let class = "PointInTimeRecoverySpecification";
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "PointInTimeRecoveryEnabled" => specification.enabled = reader.truth()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(specification))
    }
}
