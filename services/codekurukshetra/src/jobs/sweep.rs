//! Removes rows that have expired. Reads treat them as absent before, whether they are removed or not.

use monotable::model::{Entity as _, Error, Store, delete_by_key};
use monotable_kit::Problem;

use crate::table::{
    CodeKurukshetra, CodeKurukshetraReads as _, ExpiringRow, auth_row, call_count, invite,
    request_record, seen_event,
};

/// Deletes expired events of the gateway, invitations, recorded responses, counts of calls, and links and sessions
/// of sign-in. Returns how many. A row that was written again meanwhile stays.
///
/// # Errors
/// What the table reports.
pub(crate) async fn expired(db: &Store<CodeKurukshetra>) -> Result<usize, Problem> {
    let now = db.now().epoch_seconds();
    let mut deleted = 0;
    let mut rows = db.expiring_rows().including_expired().skip_unreadable().stream();
    while let Some(row) = rows.next().await {
        let row = row?;
        let expires = match &row {
            ExpiringRow::SeenEvent(row) => row.ttl,
            ExpiringRow::Invite(row) => row.ttl,
            ExpiringRow::RequestRecord(row) => row.ttl,
            ExpiringRow::CallCount(row) => row.ttl,
            ExpiringRow::AuthRow(row) => row.ttl,
        };
        if expires.is_none_or(|end| end > now) {
            continue;
        }
        let removed = match row {
            ExpiringRow::SeenEvent(row) => {
                db.run(delete_by_key(&row.key()).when(seen_event::ttl().le(now))).await
            }
            ExpiringRow::Invite(row) => {
                db.run(delete_by_key(&row.key()).when(invite::ttl().le(now))).await
            }
            ExpiringRow::RequestRecord(row) => {
                db.run(delete_by_key(&row.key()).when(request_record::ttl().le(now))).await
            }
            ExpiringRow::CallCount(row) => {
                db.run(delete_by_key(&row.key()).when(call_count::ttl().le(now))).await
            }
            ExpiringRow::AuthRow(row) => {
                db.run(delete_by_key(&row.key()).when(auth_row::ttl().le(now))).await
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
