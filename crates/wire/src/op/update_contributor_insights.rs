//! UpdateContributorInsights: they stay disabled.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::absence::Absence;
use crate::error::Result;
use crate::insights::InsightsSubject;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{choose, finish};
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct UpdateContributorInsights {
    table_name: NamedTable,
    index_name: Option<String>,
    action: Option<String>,
}

impl Call for UpdateContributorInsights {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "IndexName" => self.index_name = reader.text()?,
            "ContributorInsightsAction" => self.action = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateContributorInsights", self.table_name.given())]
    }

    async fn answer(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        let path = "contributorInsightsAction";
        if self.action.is_none() {
            constraints.null(path);
        }
        let choices = &[("ENABLE", Action::Enable), ("DISABLE", Action::Disable)];
        let action = choose(&mut constraints, path, self.action.as_deref(), choices);
        finish(constraints)?;
        let subject = InsightsSubject::find(database, self.table_name, self.index_name)?;
        match action {
            Some(Action::Enable) => return Err(Absence::ContributorInsights.refusal()),
            Some(Action::Disable) | None => subject.write_disabled(json),
        }
        Ok(())
    }
}

/// What `ContributorInsightsAction` can be.
#[derive(Clone, Copy)]
enum Action {
    Enable,
    Disable,
}
