//! `ContinuousBackupsDescription`.

use crate::json::Writer;

/// Writes that there are no continuous backups and no recovery from them.
pub(crate) fn write_no_recovery(json: &mut Writer<'_>) {
    json.object_member("ContinuousBackupsDescription", |json| {
        json.text_member("ContinuousBackupsStatus", "DISABLED");
        json.object_member("PointInTimeRecoveryDescription", |json| {
            json.text_member("PointInTimeRecoveryStatus", "DISABLED");
        });
    });
}
