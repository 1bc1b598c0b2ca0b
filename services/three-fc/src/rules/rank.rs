//! Ranks in sorted lists: equal rows share one.

/// Sets the rank of each row of a sorted list, from 1. Rows with the same value share a rank, and the next one
/// counts on.
pub(super) fn rank<T, V: PartialEq>(
    rows: &mut [T],
    value: impl Fn(&T) -> V,
    set: impl Fn(&mut T, u32),
) {
    let mut before: Option<(V, u32)> = None;
    for (row, position) in rows.iter_mut().zip(1..) {
        let value = value(row);
        let rank = before.filter(|(known, _)| *known == value).map_or(position, |(_, rank)| rank);
        set(row, rank);
        before = Some((value, rank));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_share_a_rank() {
        let mut rows = [(9, 0), (7, 0), (7, 0), (7, 0), (3, 0)];
        rank(&mut rows, |row| row.0, |row, rank| row.1 = rank);
        assert_eq!(rows.map(|row| row.1), [1, 2, 2, 2, 5]);
    }
}
