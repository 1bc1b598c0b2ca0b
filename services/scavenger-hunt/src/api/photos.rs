//! Photos that prove visits. A photo is stored before the row that names it, and deleted after that row.

pub(crate) mod get;
pub(crate) mod link;
pub(crate) mod of_game;
pub(crate) mod of_team;
pub(crate) mod own;
pub(crate) mod review;
pub(crate) mod upload;
pub(crate) mod zip;

use std::collections::VecDeque;

use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use monotable_kit::blobs::BlobKey;
use monotable_kit::{Pieces, ReplyBody, ZipWriter};

use crate::api::prelude::*;

/// A photo, as organisers and observers see it.
#[derive(Clone, View)]
#[view(list = "photos")]
pub(crate) struct PhotoView {
    pub(crate) id: RowId,
    pub(crate) user_id: UserId,
    pub(crate) team_id: TeamId,
    pub(crate) level_id: LevelId,
    pub(crate) review: Review,
    pub(crate) points: Option<i32>,
    #[view(example = 1600)]
    width: Option<u32>,
    #[view(example = 1200)]
    height: Option<u32>,
    pub(crate) at: Timestamp,
    /// Shows the photo for an hour.
    #[view(example = "/scavenger-hunt/api/photo?link=AAECAw")]
    pub(crate) url: Option<String>,
}

impl PhotoView {
    /// Shows a photo, with a link that opens it.
    pub(crate) fn of(app: &App, photo: &Photo) -> Self {
        Self {
            id: photo.id.clone(),
            user_id: photo.user_id.clone(),
            team_id: photo.team_id.clone(),
            level_id: photo.level_id.clone(),
            review: photo.review.unwrap_or_default(),
            points: photo.points,
            width: photo.width,
            height: photo.height,
            at: photo.stamps.created,
            url: url(app, photo),
        }
    }
}

/// Returns the path that opens a photo for an hour, if it was stored here.
pub(crate) fn url(app: &App, photo: &Photo) -> Option<String> {
    let key: BlobKey = photo.object_key.as_deref()?.parse().ok()?;
    let link = app.blobs.link(&key, app.db.now());
    Some(format!("/scavenger-hunt/api/photo?link={link}"))
}

/// Returns whether a row names a stored photo.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn is_named(db: &Store<ScavengerHunt>, key: &BlobKey) -> Result<bool, Problem> {
    let mut segments = key.segments();
    let (team, file) = (segments.next().unwrap_or_default(), segments.next_back());
    let name = file.and_then(|file| file.rsplit_once('.')).map(|(name, _)| name);
    let Some((ts, id)) = name.and_then(|name| name.split_once('_')) else { return Ok(false) };
    let (Ok(team_id), Ok(id), Ok(ts)) = (TeamId::new(team), RowId::new(id), ts.parse()) else {
        return Ok(false);
    };
    let photo = db.photo_of_team(&team_id, EpochSeconds::new(ts), &id).await?;
    Ok(photo.is_some_and(|photo| photo.object_key.as_deref() == Some(key.as_str())))
}

/// 200 with a ZIP file.
pub(crate) struct Archive {
    name: &'static str,
    pieces: Pieces,
}

impl Response for Archive {
    const MEDIA_TYPES: &'static [&'static str] = &["application/zip"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "A ZIP file.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let body = ReplyBody::Pieces { content_type: "application/zip", pieces: self.pieces };
        let name = format!("attachment; filename=\"{}\"", self.name);
        let name = HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("attachment"));
        Reply::new(200, body).header(CONTENT_DISPOSITION, name)
    }
}

/// A file of an archive that is written.
struct Packing {
    zip: Option<ZipWriter>,
    first: Option<(String, Vec<u8>)>,
    photos: VecDeque<Photo>,
    blobs: monotable_kit::blobs::Blobs,
    now: Timestamp,
}

/// Packs photos into a ZIP file that is made while it is sent, behind one other file.
pub(crate) fn packed(
    app: &App,
    name: &'static str,
    first: Option<(String, Vec<u8>)>,
    photos: Vec<Photo>,
) -> Archive {
    let packing = Packing {
        zip: Some(ZipWriter::default()),
        first,
        photos: photos.into(),
        blobs: app.blobs.clone(),
        now: app.db.now(),
    };
    Archive { name, pieces: Pieces::new(packing, pack) }
}

/// Packs the next file. Photos that were erased meanwhile are left out.
async fn pack(mut packing: Packing) -> Result<Option<(Vec<u8>, Packing)>, Problem> {
    let Some(mut zip) = packing.zip.take() else { return Ok(None) };
    let mut file = packing.first.take().map(|(name, bytes)| (name, bytes, packing.now));
    while file.is_none() {
        let Some(photo) = packing.photos.pop_front() else { break };
        let key: Option<BlobKey> = photo.object_key.as_deref().and_then(|key| key.parse().ok());
        if let Some(key) = key
            && let Some(bytes) = packing.blobs.get(&key).await?
        {
            let name = format!("{}/{}", photo.team_id, photo.file_name());
            file = Some((name, bytes.to_vec(), photo.stamps.created));
        }
    }
    let Some((name, bytes, at)) = file else { return Ok(Some((zip.finish().to_vec(), packing))) };
    let mut piece = zip.file(&name, &bytes, at).map_err(Problem::internal)?.to_vec();
    piece.extend(bytes);
    packing.zip = Some(zip);
    Ok(Some((piece, packing)))
}
