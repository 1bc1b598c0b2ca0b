//! UpdateContributorInsights.

use monotable_engine::{Database, UpdateContributorInsights as Update};
use monotable_types::Constraints;

use crate::error::Result;
use crate::insights::{InsightsSubject, MODES};
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
    mode: Option<String>,
}

impl Call for UpdateContributorInsights {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "IndexName" => self.index_name = reader.text()?,
            "ContributorInsightsAction" => self.action = reader.text()?,
            "ContributorInsightsMode" => self.mode = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateContributorInsights", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        let path = "contributorInsightsAction";
        if self.action.is_none() {
            constraints.null(path);
        }
        let choices = &[("ENABLE", Action::Enable), ("DISABLE", Action::Disable)];
        let action = choose(&mut constraints, path, self.action.as_deref(), choices);
        let path = "contributorInsightsMode";
        let mode = choose(&mut constraints, path, self.mode.as_deref(), MODES);
        finish(constraints)?;
        let subject = InsightsSubject::find(database, self.table_name, self.index_name)?;
        let enabled = action == Some(Action::Enable);
        let request = Update {
            table_name: subject.table_name.clone(),
            index_name: subject.index_name.clone(),
            enabled,
            mode,
        };
        let mode = database.submit(request).await?.mode;
        let status = match (enabled, subject.insights) {
            (true, _) => "ENABLING",
            (false, Some(_)) => "DISABLING",
            (false, None) => "DISABLED",
        };
        subject.write_change(json, status, mode);
        Ok(())
    }
}

/// The values of `ContributorInsightsAction`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Enable,
    Disable,
}
