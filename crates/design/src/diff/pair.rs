//! Which part of the older design has become which part of the newer one.

/// Parts of two designs, sorted out.
pub(super) struct Pairs<'a, T> {
    /// Parts that both designs have, in the order of the newer one.
    pub(super) both: Vec<(&'a T, &'a T)>,
    /// Parts of the newer design alone.
    pub(super) added: Vec<&'a T>,
    /// Parts of the older design alone.
    pub(super) removed: Vec<&'a T>,
}

/// Whether a part of the older design and one of the newer are the same.
pub(super) type IsSame<T> = fn(&T, &T) -> bool;

/// Pairs parts by the first test, the remaining ones by the second, and so on: a part with the same
/// name takes precedence over a similar one.
pub(super) fn pair<'a, T>(older: &'a [T], newer: &'a [T], tests: &[IsSame<T>]) -> Pairs<'a, T> {
    let mut removed: Vec<&T> = older.iter().collect();
    let mut partners: Vec<Option<&T>> = newer.iter().map(|_| None).collect();
    for is_same in tests {
        for (part, partner) in newer.iter().zip(&mut partners) {
            if partner.is_none()
                && let Some(position) = removed.iter().position(|older| is_same(older, part))
            {
                *partner = Some(removed.remove(position));
            }
        }
    }
    let mut pairs = Pairs { both: Vec::new(), added: Vec::new(), removed };
    for (part, partner) in newer.iter().zip(partners) {
        match partner {
            Some(partner) => pairs.both.push((partner, part)),
            None => pairs.added.push(part),
        }
    }
    pairs
}
