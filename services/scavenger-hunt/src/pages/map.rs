//! The map of a game as SVG: its places, the tracks of its teams, and where players are. There are no tiles: nothing is loaded
//! from elsewhere, and no map server learns where players are.

use askama::Template;

use crate::rules::geo::Position;

/// The size of the map, in its own units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 450.0;
const MARGIN: f64 = 30.0;
/// The smallest distance that fills the map.
const SPAN_METRES_MIN: f64 = 100.0;
/// Positions of a track that are drawn.
const TRACK_POINTS_MAX: usize = 300;
/// The radius of the Earth at the equator, as the Mercator projection of maps has it.
const EARTH_RADIUS_M: f64 = 6_378_137.0;
/// The projection has no poles.
const LATITUDE_MAX: f64 = 85.0;

/// The track of a player.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) color: String,
    /// Whose it is.
    pub(crate) label: String,
    /// The earliest first.
    pub(crate) positions: Vec<Position>,
}

/// A map that is drawn.
#[derive(Debug, Template)]
#[template(path = "map.html")]
pub(crate) struct Map {
    places: Vec<Point>,
    lines: Vec<Line>,
    players: Vec<Point>,
    scale: Option<Scale>,
}

#[derive(Debug)]
struct Point {
    x: f64,
    y: f64,
    color: String,
    label: String,
}

#[derive(Debug)]
struct Line {
    color: String,
    points: String,
}

/// The line that shows a distance.
#[derive(Debug)]
struct Scale {
    length: f64,
    text: String,
}

/// Where a position is on a flat map, in metres at the equator.
#[derive(Clone, Copy, Debug)]
struct Flat {
    x: f64,
    y: f64,
}

impl Flat {
    fn of(position: Position) -> Self {
        let latitude = position.latitude.clamp(-LATITUDE_MAX, LATITUDE_MAX).to_radians();
        let y = (std::f64::consts::FRAC_PI_4 + latitude / 2.0).tan().ln();
        Self { x: EARTH_RADIUS_M * position.longitude.to_radians(), y: EARTH_RADIUS_M * y }
    }
}

/// The part of the flat map that is drawn.
struct Frame {
    left: f64,
    top: f64,
    /// Units for a metre at the equator.
    units: f64,
}

impl Frame {
    /// Returns the frame around all positions; `None` without any.
    fn around(positions: impl Iterator<Item = Position> + Clone) -> Option<Self> {
        let flat = || positions.clone().map(Flat::of);
        let latitude = positions.clone().next()?.latitude.clamp(-LATITUDE_MAX, LATITUDE_MAX);
        // Metres of the map are longer than those on the ground, away from the equator.
        let span_min = SPAN_METRES_MIN / latitude.to_radians().cos();
        let bounds = |of: fn(Flat) -> f64| {
            let (low, high) = flat()
                .map(of)
                .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
            let missing = (span_min - (high - low)).max(0.0) / 2.0;
            (low - missing, high + missing)
        };
        let ((west, east), (south, north)) = (bounds(|flat| flat.x), bounds(|flat| flat.y));
        let (width, height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
        let units = (width / (east - west)).min(height / (north - south));
        Some(Self {
            left: (west + east) / 2.0 - WIDTH / 2.0 / units,
            top: (south + north) / 2.0 + HEIGHT / 2.0 / units,
            units,
        })
    }

    fn point(&self, position: Position) -> (f64, f64) {
        let flat = Flat::of(position);
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        (rounded((flat.x - self.left) * self.units), rounded((self.top - flat.y) * self.units))
    }

    /// Returns a round distance that is at most a third of the map wide.
    fn scale(&self, latitude: f64) -> Option<Scale> {
        let units_per_metre =
            self.units / latitude.clamp(-LATITUDE_MAX, LATITUDE_MAX).to_radians().cos();
        let longest = WIDTH / 3.0 / units_per_metre;
        let power = 10_f64.powf(longest.log10().floor());
        let metres = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power);
        let metres = metres.clone().find(|metres| *metres <= longest)?;
        let text = if metres >= 1_000.0 {
            format!("{} km", metres / 1_000.0)
        } else {
            format!("{metres} m")
        };
        Some(Scale { length: (metres * units_per_metre).round(), text })
    }
}

impl Map {
    /// Draws places with their names, and tracks. Returns `None` if there is nothing to draw.
    pub(crate) fn of(places: &[(String, Position)], tracks: &[Track]) -> Option<Self> {
        let walked = tracks.iter().flat_map(|track| track.positions.iter().copied());
        let all = places.iter().map(|(_, position)| *position).chain(walked);
        let frame = Frame::around(all.clone())?;
        let point = |position: Position, color: &str, label: &str| {
            let (x, y) = frame.point(position);
            Point { x, y, color: color.to_owned(), label: label.to_owned() }
        };
        let line = |track: &Track| {
            let every = track.positions.len().div_ceil(TRACK_POINTS_MAX).max(1);
            // The last one is where the player is.
            let shown = track.positions.iter().rev().step_by(every).rev();
            let points = shown.map(|position| {
                let (x, y) = frame.point(*position);
                format!("{x},{y}")
            });
            let points = points.collect::<Vec<_>>().join(" ");
            Line { color: track.color.clone(), points }
        };
        let last = |track: &Track| {
            let position = track.positions.last()?;
            Some(point(*position, &track.color, &track.label))
        };
        Some(Self {
            places: places.iter().map(|(name, position)| point(*position, "", name)).collect(),
            lines: tracks.iter().filter(|track| track.positions.len() > 1).map(line).collect(),
            players: tracks.iter().filter_map(last).collect(),
            scale: frame.scale(all.clone().next().map_or(0.0, |position| position.latitude)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(latitude: f64, longitude: f64) -> Position {
        Position { latitude, longitude }
    }

    fn place(position: Position) -> (String, Position) {
        ("Place".to_owned(), position)
    }

    #[test]
    fn everything_is_within_the_map_and_north_is_up() {
        assert!(Map::of(&[], &[]).is_none());
        for (one, other) in [
            (at(48.0, 16.0), at(48.001, 16.001)),
            (at(-90.0, -180.0), at(90.0, 180.0)),
            (at(0.0, 0.0), at(0.0, 0.0)),
        ] {
            let map = Map::of(&[place(one), place(other)], &[]).unwrap();
            for point in &map.places {
                assert!((0.0..=WIDTH).contains(&point.x), "{point:?}");
                assert!((0.0..=HEIGHT).contains(&point.y), "{point:?}");
            }
            assert!(map.places[0].x <= map.places[1].x);
            assert!(map.places[0].y >= map.places[1].y);
        }
    }

    #[test]
    fn the_scale_is_as_long_as_the_distance() {
        let (west, east) = (at(60.0, 10.0), at(60.0, 10.02));
        let map = Map::of(&[place(west), place(east)], &[]).unwrap();
        let scale = map.scale.unwrap();
        assert_eq!(scale.text, "200 m");
        let drawn = (map.places[1].x - map.places[0].x) / scale.length * 200.0;
        let metres = west.distance_m(east);
        assert!((drawn - metres).abs() < metres * 0.02, "{drawn} {metres}");
    }

    #[test]
    fn long_tracks_end_where_the_player_is() {
        let positions = (0..5_000).map(|step| at(48.0, 16.0 + f64::from(step) / 1e5)).collect();
        let track = Track { color: "red".into(), label: "Ada".into(), positions };
        let map = Map::of(&[], &[track]).unwrap();
        let points: Vec<&str> = map.lines[0].points.split(' ').collect();
        assert!(points.len() <= TRACK_POINTS_MAX, "{}", points.len());
        let player = &map.players[0];
        assert_eq!(points.last(), Some(&format!("{},{}", player.x, player.y).as_str()));
    }
}
