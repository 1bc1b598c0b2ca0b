//! Ranks in sorted lists: equal rows share one.

/// Returns the rank of each row of a sorted list, from 1. Rows with the same value share a rank, and the next
/// one counts on.
pub(super) fn ranks<T, V: PartialEq>(rows: &[T], value: impl Fn(&T) -> V) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(rows.len());
    for (index, position) in (0..rows.len()).zip(1_u32..) {
        let rank = match index.checked_sub(1) {
            Some(before) if value(&rows[before]) == value(&rows[index]) => ranks[before],
            _ => position,
        };
        ranks.push(rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_share_a_rank() {
        assert_eq!(ranks(&[9, 7, 7, 7, 3], |row| *row), [1, 2, 2, 2, 5]);
        assert!(ranks(&[] as &[u8], |row| *row).is_empty());
    }
}
