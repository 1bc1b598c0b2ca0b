//! Settings of a table: capacity, billing, class, encryption.

use monotable_engine::{
    BillingMode, Encryption, OnDemandThroughput, ProvisionedThroughput, TableClass, WarmThroughput,
};
use monotable_types::Constraints;

use super::invalid;
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

    /// Returns the capacity in the engine's form, and notes errors.
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

/// Reads `OnDemandThroughput`: the limits of a table or index on demand.
pub(crate) fn read_on_demand(reader: &mut Reader<'_>) -> Result<Option<OnDemandThroughput>> {
    let mut limits = OnDemandThroughput::default();
    let found = reader.structure("OnDemandThroughput", Holder::Member, |reader, name| {
        match name {
            "MaxReadRequestUnits" => limits.max_read_request_units = reader.long()?,
            "MaxWriteRequestUnits" => limits.max_write_request_units = reader.long()?,
            _ => reader.ignore()?,
        }
        Ok(())
    })?;
    Ok(found.then_some(limits))
}

/// `WarmThroughput`
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Warm {
    read: Option<i64>,
    write: Option<i64>,
}

impl Warm {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut warm = Self::default();
        let found = reader.structure("WarmThroughput", Holder::Member, |reader, name| {
            match name {
                "ReadUnitsPerSecond" => warm.read = reader.long()?,
                "WriteUnitsPerSecond" => warm.write = reader.long()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(warm))
    }

    /// Returns the throughput in the engine's form, and notes errors.
    pub(crate) fn checked(self, constraints: &mut Constraints, path: &str) -> WarmThroughput {
        let mut units = |units: Option<i64>, member: &str| {
            units.and_then(|units| {
                checked_units(constraints, Some(units), &format!("{path}.{member}"))
            })
        };
        WarmThroughput {
            read_units_per_second: units(self.read, "readUnitsPerSecond"),
            write_units_per_second: units(self.write, "writeUnitsPerSecond"),
        }
    }
}

/// `SSESpecification`
#[derive(Clone, Debug, Default)]
pub(crate) struct SseSpecification {
    enabled: Option<bool>,
    sse_type: Option<String>,
    kms_master_key_id: Option<String>,
}

/// The values of `SSEType`; AWS accepts only the second one in requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SseType {
    Aes256,
    Kms,
}

impl SseSpecification {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut specification = Self::default();
        let found = reader.structure("SSESpecification", Holder::Member, |reader, name| {
            match name {
                "Enabled" => specification.enabled = reader.truth()?,
                "SSEType" => specification.sse_type = reader.text()?,
                "KMSMasterKeyId" => specification.kms_master_key_id = reader.text()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(specification))
    }

    /// Returns the encryption in the engine's form, and notes an unknown type.
    pub(crate) fn checked(self, constraints: &mut Constraints) -> Result<Encryption> {
        const TYPES: &[(&str, SseType)] = &[("AES256", SseType::Aes256), ("KMS", SseType::Kms)];
        let path = "sSESpecification.sSEType";
        let sse_type = choose(constraints, path, self.sse_type.as_deref(), TYPES);
        let enabled = self.enabled.unwrap_or_default();
        if sse_type == Some(SseType::Aes256) {
            return Err(invalid("SSEType AES256 is not supported for SSESpecification, use KMS"));
        }
        match (enabled, self.kms_master_key_id) {
            (true, key_id) => Ok(Encryption::Kms { key_id }),
            (false, None) => Ok(Encryption::AwsOwned),
            (false, Some(_)) => Err(invalid(
                "KMSMasterKeyId can only be specified when SSESpecification is enabled",
            )),
        }
    }
}

/// Parses `BillingMode`.
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

/// Parses `TableClass`, for which AWS has its own message.
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
