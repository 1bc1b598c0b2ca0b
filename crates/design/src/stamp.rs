//! Stamps: what the modelling layer itself keeps with a row, under attribute names that the table gives.

use crate::meta::{Codec, FieldMeta, WireType};

/// One stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The number of changes.
    Version,
    /// The time of creation.
    Created,
    /// The time of the last change.
    Updated,
    /// The expiry.
    Expires,
}

impl Stamp {
    /// Every stamp.
    pub const ALL: [Self; 4] = [Self::Version, Self::Created, Self::Updated, Self::Expires];

    /// Returns its name in Rust: the field of the struct, the name in templates and in conditions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Expires => "expires",
        }
    }

    /// Returns its type in Rust.
    pub const fn rust_type(self) -> &'static str {
        match self {
            Self::Version => "u64",
            Self::Created | Self::Updated => "Timestamp",
            Self::Expires => "Option<EpochSeconds>",
        }
    }

    /// Returns its meaning in one sentence.
    pub const fn doc(self) -> &'static str {
        match self {
            Self::Version => "How often it was changed.",
            Self::Created => "When it was created.",
            Self::Updated => "When it was changed.",
            Self::Expires => "When it expires.",
        }
    }

    /// Returns the field of an entity that the stamp is, in an attribute with this name. A row without the
    /// attribute has the default.
    pub const fn field(
        self,
        attribute: &'static str,
        aliases: &'static [&'static str],
    ) -> FieldMeta {
        FieldMeta {
            name: self.name(),
            attribute,
            aliases,
            rust_type: self.rust_type(),
            wire_type: match self {
                Self::Version | Self::Expires => WireType::N,
                Self::Created | Self::Updated => WireType::S,
            },
            is_required: false,
            is_immutable: false,
            is_counter: false,
            is_top_level: false,
            is_key_only: false,
            is_value: false,
            stamp: Some(self),
            copy_of: None,
            // Documents mark it by its meaning.
            doc: "",
        }
    }
}

/// Returns the fields of an entity, followed by those of its stamps. `N` is the number of both.
pub const fn with_stamps<const N: usize>(
    own: &[FieldMeta],
    stamps: &[FieldMeta],
    codec: Codec,
) -> [FieldMeta; N] {
    let mut fields = [Stamp::Version.field("", &[]); N];
    let mut at = 0;
    while at < N {
        fields[at] = if at < own.len() {
            own[at]
        } else {
            let mut stamp = stamps[at - own.len()];
            stamp.is_top_level = matches!(codec, Codec::Envelope { .. });
            stamp
        };
        at += 1;
    }
    fields
}

/// Returns the position of a stamp among fields.
pub const fn position(fields: &[FieldMeta], stamp: Stamp) -> Option<u16> {
    let mut at = 0;
    while at < fields.len() {
        if let Some(found) = fields[at].stamp
            && found as u8 == stamp as u8
        {
            return Some(at as u16);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: FieldMeta = FieldMeta { stamp: None, name: "id", ..Stamp::Created.field("id", &[]) };
    const STAMPS: &[FieldMeta] =
        &[Stamp::Created.field("createdAt", &[]), Stamp::Version.field("ver", &["version"])];

    #[test]
    fn stamps_follow_the_fields_of_an_entity() {
        let fields: [FieldMeta; 3] = with_stamps(&[OWN], STAMPS, Codec::Plain);
        assert_eq!(fields.map(|field| field.attribute), ["id", "createdAt", "ver"]);
        let positions = Stamp::ALL.map(|stamp| position(&fields, stamp));
        assert_eq!(positions, [Some(2), Some(1), None, None]);
        assert!(!fields[1].is_top_level);
    }

    #[test]
    fn stamps_are_outside_an_envelope() {
        let codec = Codec::Envelope { data: "data" };
        let fields: [FieldMeta; 3] = with_stamps(&[OWN], STAMPS, codec);
        assert_eq!(fields.map(|field| field.is_top_level), [false, true, true]);
    }
}
