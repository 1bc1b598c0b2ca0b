//! Settings of a table: capacity, billing, class, encryption.

use monotable_engine::{BillingMode, ProvisionedThroughput, TableClass};
use monotable_types::Constraints;

use crate::absence::Absence;
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;

/// `ProvisionedThroughput`
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Throughput {
    read: Option<i64>,
    write: Option<i64>,
}

impl Throughput {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut throughput = Self::default();
        let found = reader.structure("ProvisionedThroughput", Holder::Member, |reader, name| {
            match name {
                "ReadCapacityUnits" => throughput.read = reader.long()?,
                "WriteCapacityUnits" => throughput.write = reader.long()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(throughput))
    }

    /// The engine's form; what is wrong is noted.
    pub(crate) fn checked(
        self,
        constraints: &mut Constraints,
        path: &str,
    ) -> Option<ProvisionedThroughput> {
        let write = checked_units(constraints, self.write, &format!("{path}.writeCapacityUnits"));
        let read = checked_units(constraints, self.read, &format!("{path}.readCapacityUnits"));
        Some(ProvisionedThroughput { read_capacity_units: read?, write_capacity_units: write? })
    }
}

fn checked_units(constraints: &mut Constraints, units: Option<i64>, path: &str) -> Option<u64> {
    let Some(units) = units else {
        constraints.null(path);
        return None;
    };
    constraints.check(units >= 1, units, path, "have value greater than or equal to 1");
    u64::try_from(units).ok()
}

/// `OnDemandThroughput`: limits of a table on demand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OnDemandThroughput {
    given: bool,
    limits: bool,
}

impl OnDemandThroughput {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        /// How a request says that there is no limit.
        const UNLIMITED: i64 = -1;
        let mut limits = false;
        let given = reader.structure("OnDemandThroughput", Holder::Member, |reader, name| {
            match name {
                "MaxReadRequestUnits" | "MaxWriteRequestUnits" => {
                    limits |= reader.long()?.is_some_and(|units| units != UNLIMITED);
                }
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(Self { given, limits })
    }

    /// Whether the request has the member at all.
    pub(crate) fn is_given(self) -> bool {
        self.given
    }

    /// No limit is what every table has.
    pub(crate) fn refuse_limits(self) -> Result<()> {
        match self.limits {
            true => Err(Absence::OnDemandLimits.refusal()),
            false => Ok(()),
        }
    }
}

/// Whether a structure that this server has no use for is there.
pub(crate) fn is_structure(reader: &mut Reader<'_>, class: &str) -> Result<bool> {
    reader.structure(class, Holder::Member, |reader, _| reader.ignore())
}

/// Whether `SSESpecification` asks for encryption with a key.
pub(crate) fn asks_for_encryption(reader: &mut Reader<'_>) -> Result<bool> {
    let mut enabled = false;
    reader.structure("SSESpecification", Holder::Member, |reader, name| {
        match name {
            "Enabled" => enabled = reader.truth()? == Some(true),
            _ => reader.ignore()?,
        }
        Ok(())
    })?;
    Ok(enabled)
}

/// `BillingMode`
pub(crate) fn billing_mode(
    constraints: &mut Constraints,
    word: Option<&str>,
) -> Option<BillingMode> {
    const CHOICES: &[(&str, BillingMode)] = &[
        ("PROVISIONED", BillingMode::Provisioned),
        ("PAY_PER_REQUEST", BillingMode::PayPerRequest),
    ];
    choose(constraints, "billingMode", word, CHOICES)
}

/// `TableClass`, for which AWS has words of its own.
pub(crate) fn table_class(word: Option<&str>) -> Result<Option<TableClass>> {
    match word {
        None => Ok(None),
        Some("STANDARD") => Ok(Some(TableClass::Standard)),
        Some("STANDARD_INFREQUENT_ACCESS") => Ok(Some(TableClass::StandardInfrequentAccess)),
        Some(_) => Err(Failure::validation(
            "Invalid table-class parameter provided. Please try again with a valid table-class \
             value: [STANDARD, STANDARD_INFREQUENT_ACCESS].",
        )),
    }
}
