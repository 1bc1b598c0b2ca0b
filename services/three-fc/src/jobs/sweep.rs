//! Removes rows that have expired. Reads treat them as absent before, whether they are removed or not.

use monotable::model::{Entity as _, Error, Store, delete_by_key};
use monotable_kit::Problem;

use crate::table::{
    ExpiringRow, ThreeFc, ThreeFcReads as _, auth_row, join, request_record as record,
};

/// Deletes expired join codes, recorded responses, and links and sessions of sign-in. Returns how many. A row
/// that was written again meanwhile stays.
///
/// # Errors
/// What the table reports.
pub(crate) async fn expired(db: &Store<ThreeFc>) -> Result<usize, Problem> {
    let now = db.now().epoch_seconds();
    let mut deleted = 0;
    let mut rows = db.expiring_rows().including_expired().skip_unreadable().stream();
    while let Some(row) = rows.next().await {
        let row = row?;
        let expires = match &row {
            ExpiringRow::Join(row) => row.ttl_epoch,
            ExpiringRow::RequestRecord(row) => row.ttl_epoch,
            ExpiringRow::AuthRow(row) => row.ttl_epoch,
        };
        if expires.is_none_or(|end| end > now) {
            continue;
        }
        let removed = match row {
            ExpiringRow::Join(row) => {
                db.run(delete_by_key(&row.key()).when(join::ttl_epoch().le(now))).await
            }
            ExpiringRow::RequestRecord(row) => {
                db.run(delete_by_key(&row.key()).when(record::ttl_epoch().le(now))).await
            }
            ExpiringRow::AuthRow(row) => {
                db.run(delete_by_key(&row.key()).when(auth_row::ttl_epoch().le(now))).await
            }
        };
        match removed {
            Ok(_) => deleted += 1,
            Err(Error::ConditionFailed { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(deleted)
}
