//! Attribute values and items from bytes, always valid ones.

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, Item, Number, NumberParts, Set, limits};

/// Reads values off the front of bytes; where the bytes end, zeros follow.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn item(&mut self) -> Item {
        let mut item = Item::new();
        while !self.0.is_empty() {
            item.insert(self.text(), self.value(1));
        }
        item
    }

    fn value(&mut self, depth: usize) -> AttributeValue {
        let is_leaf = depth >= limits::NESTING_DEPTH_MAX;
        match self.byte() % 10 {
            0 => AttributeValue::S(self.text()),
            1 => AttributeValue::N(self.number()),
            2 => AttributeValue::B(self.bytes()),
            3 => AttributeValue::Bool(self.byte() & 1 == 1),
            4 => AttributeValue::Ss(self.set(Self::text)),
            5 => AttributeValue::Ns(self.set(Self::number)),
            6 => AttributeValue::Bs(self.set(Self::bytes)),
            7 if !is_leaf => {
                let entries = self.byte() % 4;
                let entries = (0..entries).map(|_| (self.text(), self.value(depth + 1)));
                AttributeValue::M(entries.collect::<BTreeMap<_, _>>())
            }
            8 if !is_leaf => {
                let elements = self.byte() % 4;
                AttributeValue::L((0..elements).map(|_| self.value(depth + 1)).collect())
            }
            _ => AttributeValue::Null,
        }
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes.to_vec()
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn number(&mut self) -> Number {
        let digits = self.bytes().into_iter().take(16);
        let parts = NumberParts {
            negative: self.byte() & 1 == 1,
            coefficient: digits.fold(0, |sum, byte| sum << 8 | u128::from(byte)),
            exponent: i16::from(self.byte()) - 130,
        };
        Number::from_parts(parts).unwrap_or(Number::ZERO)
    }

    fn set<T: Ord>(&mut self, element: fn(&mut Self) -> T) -> Set<T> {
        let first = element(self);
        let rest = self.byte() % 4;
        let rest: Vec<T> = (0..rest).map(|_| element(self)).collect();
        Set::of(first, rest)
    }
}
