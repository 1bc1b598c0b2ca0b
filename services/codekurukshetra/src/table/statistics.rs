//! Counters: of each day, of the event, and of the tracks.

use monotable::prelude::*;

use crate::rules::statistics::{Figures, each_figure};
use crate::table::Track;

/// Declares an entity of counters.
macro_rules! counters {
    ($(#[$attribute:meta])* pub struct $name:ident { $($keys:tt)* } $($counter:ident),+ $(,)?) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        #[allow(missing_docs, reason = "fields are the attributes of the design document")]
        pub struct $name {
            $($keys)*
            $(#[counter] #[serde(default)] pub $counter: u64,)+
        }
    };
}

macro_rules! rows_of_figures {
    ($($(#[$about:meta])* $figure:ident $add:ident,)+) => {
        counters! {
            /// The counters of a day of the event's time zone.
            #[entity(
                type = "daily_stats",
                allow(W02, because = "the first event of a day makes its row")
            )]
            #[key(pk = "STATS", sk = "DAILY#{day}")]
            pub struct DailyStats {
                #[immutable]
                pub day: Date,
            }
            $($figure,)+
        }

        counters! {
            /// The counters of the event.
            #[derive(Default)]
            #[entity(
                type = "total_stats",
                allow(W02, because = "the first registration makes the row")
            )]
            #[key(pk = "STATS", sk = "TOTALS")]
            pub struct TotalStats {}
            $($figure,)+ slots_used, teams_confirmed,
        }

        impl DailyStats {
            /// Returns the counters as figures, without those of tracks.
            pub fn figures(&self) -> Figures {
                Figures { $($figure: self.$figure,)+ ..Figures::default() }
            }
        }

        impl TotalStats {
            /// Returns the counters as figures, without those of tracks.
            pub fn figures(&self) -> Figures {
                Figures { $($figure: self.$figure,)+ ..Figures::default() }
            }
        }
    };
}
each_figure!(rows_of_figures);

counters! {
    /// The teams of a track that registered on a day. A team that changes its track is counted there.
    #[entity(
        type = "track_stats",
        allow(W02, because = "the first team of a track makes its row")
    )]
    #[key(pk = "STATS", sk = "TRACK#{track}#{day}")]
    pub struct TrackStats {
        pub track: Track,
        #[immutable]
        pub day: Date,
    }
    teams,
}

counters! {
    /// The participants who have arrived.
    #[entity(
        type = "arrival_stats",
        allow(W02, because = "the first arrival makes the row")
    )]
    #[key(pk = "STATS", sk = "ARRIVALS")]
    pub struct ArrivalStats {}
    arrived,
}
