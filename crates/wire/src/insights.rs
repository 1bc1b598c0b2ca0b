//! Contributor Insights of tables and indexes: whether they are enabled, and the most frequently
//! used keys.

use monotable_engine::{
    ContributorInsights, Database, Error, HotPartition, InsightsMode, TableDescription,
};

use crate::error::Result;
use crate::json::Writer;
use crate::table::NamedTable;

/// The most contributors in a report, for reads and writes each.
const CONTRIBUTORS_MAX: usize = 10;

/// Values of `ContributorInsightsMode`.
pub(crate) const MODES: &[(&str, InsightsMode)] = &[
    ("ACCESSED_AND_THROTTLED_KEYS", InsightsMode::AccessedAndThrottledKeys),
    ("THROTTLED_KEYS", InsightsMode::ThrottledKeys),
];

fn mode_name(mode: InsightsMode) -> &'static str {
    match mode {
        InsightsMode::AccessedAndThrottledKeys => "ACCESSED_AND_THROTTLED_KEYS",
        InsightsMode::ThrottledKeys => "THROTTLED_KEYS",
    }
}

/// The subject of a request: a table or one of its indexes.
pub(crate) struct InsightsSubject {
    pub(crate) table_name: String,
    pub(crate) index_name: Option<String>,
    pub(crate) insights: Option<ContributorInsights>,
    has_sort_key: bool,
}

impl InsightsSubject {
    /// Finds the table and the index.
    ///
    /// # Errors
    ///
    /// One of them does not exist.
    pub(crate) fn find(
        database: &Database,
        table_name: NamedTable,
        index_name: Option<String>,
    ) -> Result<Self> {
        let table = table_name.describe(database)?;
        match Self::of_table(&table).find(|subject| subject.index_name == index_name) {
            Some(subject) => Ok(subject),
            None => Err(Error::ResourceNotFound(format!(
                "Requested resource not found: Index {} for table {}",
                index_name.unwrap_or_default(),
                table.table_name
            ))
            .into()),
        }
    }

    /// Returns the table and each of its indexes.
    pub(crate) fn of_table(table: &TableDescription) -> impl Iterator<Item = Self> {
        let indexes = table.global_secondary_indexes.iter().chain(&table.local_secondary_indexes);
        let itself = Self {
            table_name: table.table_name.clone(),
            index_name: None,
            insights: table.contributor_insights,
            has_sort_key: table.key_schema.len() > 1,
        };
        std::iter::once(itself).chain(indexes.map(|index| Self {
            table_name: table.table_name.clone(),
            index_name: Some(index.index_name.clone()),
            insights: index.contributor_insights,
            has_sort_key: index.key_schema.len() > 1,
        }))
    }

    fn write_name(&self, json: &mut Writer<'_>) {
        json.text_member("TableName", &self.table_name);
        json.optional_text_member("IndexName", self.index_name.as_deref());
    }

    /// Writes the name and a status.
    pub(crate) fn write_change(&self, json: &mut Writer<'_>, status: &str, mode: InsightsMode) {
        self.write_name(json);
        json.text_member("ContributorInsightsStatus", status);
        if status != "DISABLED" {
            json.text_member("ContributorInsightsMode", mode_name(mode));
        }
    }

    /// Writes the name and the current status.
    pub(crate) fn write_summary(&self, json: &mut Writer<'_>) {
        match self.insights {
            None => self.write_change(json, "DISABLED", InsightsMode::default()),
            Some(insights) => self.write_change(json, "ENABLED", insights.mode),
        }
    }

    /// Writes the full description, with the recent contributors.
    pub(crate) fn write_description(&self, database: &Database, json: &mut Writer<'_>) {
        self.write_summary(json);
        let Some(insights) = self.insights else {
            return;
        };
        json.array_member("ContributorInsightsRuleList", self.rules(insights), |json, rule| {
            json.string(&rule);
        });
        json.moment_member("LastUpdateDateTime", insights.updated_ms);
        let statistics = database.statistics();
        let read = self.contributors("READ", statistics.hottest_read);
        let written = self.contributors("WRITE", statistics.hottest_written);
        let accessed = insights.mode == InsightsMode::AccessedAndThrottledKeys;
        let contributors = read.chain(written).filter(|_| accessed);
        json.objects_member("Contributors", contributors, |json, (kind, partition)| {
            json.text_member("Access", kind);
            json.text_member("PartitionKey", &partition.partition_key);
            json.name("Units");
            json.decimal(partition.units);
        });
    }

    /// Returns AWS's names of the rules: for accessed and throttled keys, of partitions and of
    /// items.
    fn rules(&self, insights: ContributorInsights) -> Vec<String> {
        let mut kinds = match insights.mode {
            InsightsMode::AccessedAndThrottledKeys => vec!["PKC", "SKC", "PKT", "SKT"],
            InsightsMode::ThrottledKeys => vec!["PKT", "SKT"],
        };
        kinds.retain(|kind| self.has_sort_key || kind.starts_with('P'));
        let subject = match &self.index_name {
            Some(index) => format!("{}-{index}", self.table_name),
            None => self.table_name.clone(),
        };
        let rule =
            |kind| format!("DynamoDBContributorInsights-{kind}-{subject}-{}", insights.updated_ms);
        kinds.into_iter().map(rule).collect()
    }

    fn contributors(
        &self,
        kind: &'static str,
        hottest: Vec<HotPartition>,
    ) -> impl Iterator<Item = (&'static str, HotPartition)> {
        let is_own = |partition: &HotPartition| {
            partition.table_name == self.table_name && partition.index_name == self.index_name
        };
        let own = hottest.into_iter().filter(is_own).take(CONTRIBUTORS_MAX);
        own.map(move |partition| (kind, partition))
    }
}
