//! Settings of a table that have an effect on AWS. Here they are stored and shown.

use super::description::{BillingMode, ProvisionedThroughput};
use super::schema::Arn;
use super::unique_id::derived_id;

/// The alias of the key that encrypts a table if the request names none.
const DEFAULT_KEY_ALIAS: &str = "alias/aws/dynamodb";
/// AWS's initial value for a new table on demand.
const ON_DEMAND_WARM_UNITS: ProvisionedThroughput =
    ProvisionedThroughput { read_capacity_units: 12_000, write_capacity_units: 4_000 };
/// The value in a request for no limit on demand.
pub(crate) const UNLIMITED: i64 = -1;

/// The key that encrypts a table (`SSESpecification`); stored and shown, nothing is encrypted here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Encryption {
    /// A key that AWS owns, which is never shown.
    #[default]
    AwsOwned,
    /// A key in KMS.
    Kms {
        /// Its id, ARN or alias; `None` for the key that AWS manages for DynamoDB.
        key_id: Option<String>,
    },
}

impl Encryption {
    /// Returns the ARN of the key in KMS. Keys given by an alias get a generated id, always the
    /// same.
    pub(crate) fn key_arn(&self, arn: &Arn) -> Option<String> {
        let Self::Kms { key_id } = self else {
            return None;
        };
        let id = key_id.as_deref().unwrap_or(DEFAULT_KEY_ALIAS);
        if id.starts_with("arn:") && !id.contains(":alias/") {
            return Some(id.to_owned());
        }
        let key = if id.contains("alias/") { derived_id(id) } else { id.to_owned() };
        Some(format!("arn:aws:kms:{}:{}:key/{key}", arn.region, arn.account))
    }
}

/// Limits of a table or index on demand (`OnDemandThroughput`); stored and shown, not enforced.
///
/// In a request, a missing member leaves the limit unchanged, and -1 removes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnDemandThroughput {
    /// The maximum of read units per second.
    pub max_read_request_units: Option<i64>,
    /// The maximum of write units per second.
    pub max_write_request_units: Option<i64>,
}

impl OnDemandThroughput {
    /// Returns the limits after a request.
    pub(crate) fn changed_by(self, requested: Self) -> Self {
        let change =
            |old: Option<i64>, new: Option<i64>| new.or(old).filter(|units| *units != UNLIMITED);
        Self {
            max_read_request_units: change(
                self.max_read_request_units,
                requested.max_read_request_units,
            ),
            max_write_request_units: change(
                self.max_write_request_units,
                requested.max_write_request_units,
            ),
        }
    }
}

/// The throughput that a table or index supports at once (`WarmThroughput`); stored and shown.
///
/// In a request, a missing member leaves the figure unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarmThroughput {
    /// Read units per second.
    pub read_units_per_second: Option<u64>,
    /// Write units per second.
    pub write_units_per_second: Option<u64>,
}

/// Which keys Contributor Insights report; stored and shown, all figures come from the same counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InsightsMode {
    /// `ACCESSED_AND_THROTTLED_KEYS`.
    #[default]
    AccessedAndThrottledKeys,
    /// `THROTTLED_KEYS`.
    ThrottledKeys,
}

/// Contributor Insights of a table or index that has them enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContributorInsights {
    /// Which keys they report.
    pub mode: InsightsMode,
    /// When they were enabled or changed, in milliseconds since the epoch.
    pub updated_ms: u64,
}

/// The settings of point-in-time recovery, if it is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointInTimeRecovery {
    /// How many days back a table can be restored.
    pub period_days: u64,
    /// When it was enabled, in milliseconds since the epoch.
    pub enabled_ms: u64,
}

/// A resource-based policy of a table or stream: a document that the engine stores unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourcePolicy {
    /// The document, JSON in AWS's policy language.
    pub document: String,
    /// The id of this version; every change creates another one.
    pub revision_id: String,
}

/// The capacity settings of a table and of each of its global indexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CapacitySettings {
    pub(crate) on_demand: OnDemandThroughput,
    /// The requested throughput; it is shown if it is higher than that of the billing mode.
    pub(crate) warm: WarmThroughput,
}

impl CapacitySettings {
    /// Applies the settings of a request.
    pub(crate) fn change(
        &mut self,
        on_demand: Option<OnDemandThroughput>,
        warm: Option<WarmThroughput>,
    ) {
        if let Some(requested) = on_demand {
            self.on_demand = self.on_demand.changed_by(requested);
        }
        if let Some(WarmThroughput { read_units_per_second: read, write_units_per_second: write }) =
            warm
        {
            self.warm.read_units_per_second = read.or(self.warm.read_units_per_second);
            self.warm.write_units_per_second = write.or(self.warm.write_units_per_second);
        }
    }

    /// Returns the warm throughput of a table or index that is billed like this.
    pub(crate) fn warm_units(
        self,
        billing_mode: BillingMode,
        provisioned: ProvisionedThroughput,
    ) -> ProvisionedThroughput {
        let least = match billing_mode {
            BillingMode::PayPerRequest => ON_DEMAND_WARM_UNITS,
            BillingMode::Provisioned => provisioned,
        };
        let more = |least: u64, asked: Option<u64>| asked.map_or(least, |asked| asked.max(least));
        ProvisionedThroughput {
            read_capacity_units: more(least.read_capacity_units, self.warm.read_units_per_second),
            write_capacity_units: more(
                least.write_capacity_units,
                self.warm.write_units_per_second,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_arn(key_id: Option<&str>) -> String {
        let arn = Arn { region: "us-east-1".to_owned(), account: "123456789012".to_owned() };
        Encryption::Kms { key_id: key_id.map(str::to_owned) }.key_arn(&arn).unwrap()
    }

    #[test]
    fn a_key_is_shown_by_its_arn() {
        let prefix = "arn:aws:kms:us-east-1:123456789012:key/";
        assert_eq!(key_arn(Some("1234abcd")), format!("{prefix}1234abcd"));
        let arn = "arn:aws:kms:eu-west-1:999999999999:key/1234abcd";
        assert_eq!(key_arn(Some(arn)), arn);
        for alias in [None, Some("alias/mine"), Some("arn:aws:kms:us-east-1:1:alias/mine")] {
            let shown = key_arn(alias);
            assert_eq!(shown.len(), prefix.len() + 36, "{shown}");
            assert_eq!(shown, key_arn(alias), "the same key every time");
        }
        assert_ne!(key_arn(None), key_arn(Some("alias/mine")));
    }

    #[test]
    fn limits_change_one_by_one_and_go_away() {
        let limits = |read, write| OnDemandThroughput {
            max_read_request_units: read,
            max_write_request_units: write,
        };
        let both = limits(None, None).changed_by(limits(Some(10), Some(5)));
        assert_eq!(both, limits(Some(10), Some(5)));
        assert_eq!(both.changed_by(limits(Some(20), None)), limits(Some(20), Some(5)));
        assert_eq!(both.changed_by(limits(None, Some(UNLIMITED))), limits(Some(10), None));
    }

    #[test]
    fn warm_throughput_is_at_least_what_the_billing_mode_gives() {
        let warm =
            WarmThroughput { read_units_per_second: Some(20_000), write_units_per_second: None };
        let settings = CapacitySettings { warm, ..CapacitySettings::default() };
        let units = |read_capacity_units, write_capacity_units| ProvisionedThroughput {
            read_capacity_units,
            write_capacity_units,
        };
        let on_demand = settings.warm_units(BillingMode::PayPerRequest, units(0, 0));
        assert_eq!(on_demand, units(20_000, 4_000));
        let provisioned = settings.warm_units(BillingMode::Provisioned, units(30_000, 7));
        assert_eq!(provisioned, units(30_000, 7));
    }
}
