#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W01, because = "the last writer is right"))]
#[key(pk = "SONG#{song_id}", sk = "METADATA")]
pub struct Song {
    #[immutable]
    pub song_id: String,
    pub title: String,
    #[version]
    pub ver: u64,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "no pattern here");
        entities(Team, Player);
    }
}

fn alone(db: &Store<League>, song: &Song) {
    let _ = db.create(song);
    let _ = db.run(create(song.clone()));
    let _ = db.run(Song::update(&song.key()).title("Ode".into()));
}

fn together(db: &Store<League>, song: &Song) {
    let mut tx = db.transact();
    tx.add(edit(song, |song| song.title = "Ode".into()));
    tx.add(delete_by_key(&song.key()));
    tx.add(Song::update(&song.key()).title("Ode".into()));
}

fn main() {}
