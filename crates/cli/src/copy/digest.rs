//! A digest of the rows of a table that does not depend on their order.

use monotable_types::{AttributeValue, Item};
use sha2::{Digest as _, Sha256};

/// The number of rows, and the sum of their hashes. Tables with the same rows have the same digest,
/// whichever order they are read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableDigest {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) sum: u128,
}

impl TableDigest {
    /// Adds a row.
    pub(crate) fn add(&mut self, item: &Item) {
        let mut hash = Sha256::new();
        map(&mut hash, item);
        let mut half = [0; 16];
        half.copy_from_slice(&hash.finalize()[..16]);
        self.rows += 1;
        self.bytes += monotable_types::item_size_bytes(item) as u64;
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(half));
    }
}

/// Hashes a text or bytes with their length, so that no two sequences of values are the same bytes.
fn bytes(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}

fn map(hash: &mut Sha256, entries: &Item) {
    hash.update((entries.len() as u64).to_be_bytes());
    for (name, entry) in entries {
        bytes(hash, name.as_bytes());
        value(hash, entry);
    }
}

fn value(hash: &mut Sha256, of: &AttributeValue) {
    bytes(hash, of.type_name().as_str().as_bytes());
    match of {
        AttributeValue::S(text) => bytes(hash, text.as_bytes()),
        AttributeValue::N(number) => bytes(hash, number.to_string().as_bytes()),
        AttributeValue::B(binary) => bytes(hash, binary),
        AttributeValue::Bool(is_true) => hash.update([u8::from(*is_true)]),
        AttributeValue::Null => {}
        AttributeValue::M(entries) => map(hash, entries),
        AttributeValue::L(values) => {
            hash.update((values.len() as u64).to_be_bytes());
            values.iter().for_each(|one| value(hash, one));
        }
        AttributeValue::Ss(texts) => {
            texts.as_slice().iter().for_each(|one| bytes(hash, one.as_bytes()))
        }
        AttributeValue::Ns(numbers) => {
            numbers.as_slice().iter().for_each(|one| bytes(hash, one.to_string().as_bytes()));
        }
        AttributeValue::Bs(binaries) => binaries.as_slice().iter().for_each(|one| bytes(hash, one)),
    }
}

#[cfg(test)]
mod tests {
    use monotable_engine::item;

    use super::*;

    fn digest(items: &[Item]) -> TableDigest {
        let mut digest = TableDigest::default();
        items.iter().for_each(|item| digest.add(item));
        digest
    }

    #[test]
    fn a_digest_depends_on_every_value_and_on_no_order() {
        let items = [
            item! { "PK" => "a", "n" => 1 },
            item! { "PK" => "b", "n" => "1" },
            item! { "PK" => "c", "list" => AttributeValue::L(vec![1.into(), 23.into()]) },
            item! { "PK" => "c", "list" => AttributeValue::L(vec![12.into(), 3.into()]) },
        ];
        let all = digest(&items);
        let mut reversed = items.clone();
        reversed.reverse();
        assert_eq!(digest(&reversed), all);
        let sums: std::collections::BTreeSet<u128> =
            items.iter().map(|item| digest(std::slice::from_ref(item)).sum).collect();
        assert_eq!(sums.len(), items.len());
        assert_ne!(digest(&items[..3]), all);
        assert_eq!((all.rows, digest(&[]).sum), (4, 0));
    }
}
