//! Small designs for the tests, built from texts as the macros build them from declarations.

use crate::meta::{
    Allow, ArgumentMeta, Codec, CopyMeta, EntityIndexMeta, EntityMeta, FieldMeta, IndexKind,
    IndexMeta, KeyMeta, Location, MirrorMeta, Operation, PatternMeta, PatternSetMeta, PresenceTest,
    Projection, RuleAttributes, RuleKind, RuleMeta, Segment, Shape, SortTest, TableMeta, Target,
    Template, TypeAttribute, UniqueMeta, UniqueValue, WireType,
};
use crate::part::{Charset, Form, PartKind};
use crate::stamp::Stamp;
use crate::template::{Piece, parse};

pub(crate) const ID: PartKind = PartKind::IDENTITY;
pub(crate) const TEXT: PartKind = PartKind::TEXT;
pub(crate) const WORD: PartKind = PartKind::WORD;
pub(crate) const U32: PartKind = PartKind::unsigned(10);
pub(crate) const SIGNED: PartKind =
    PartKind { form: Form::Signed, charset: Charset::Any, may_be_empty: false, ..TEXT };
pub(crate) const DAY: PartKind = PartKind {
    form: Form::Date,
    charset: Charset::Date,
    may_be_empty: false,
    width: 10,
    is_identity: false,
};
pub(crate) const LOCAL_TIME: PartKind =
    PartKind { form: Form::UnsortableTime, may_be_empty: false, ..TEXT };

pub(crate) const HERE: Location = Location { file: "src/league.rs", line: 7 };

fn keep<T>(list: Vec<T>) -> &'static [T] {
    Vec::leak(list)
}

/// Returns a template whose fields are looked up by name.
pub(crate) fn template(
    text: &'static str,
    field: impl Fn(&str) -> (u16, PartKind, bool),
) -> Template {
    let pieces = parse(text).expect(text).into_iter();
    let segments = pieces.map(|piece| match piece {
        Piece::Literal(literal) => Segment::Literal(String::leak(literal)),
        Piece::Shard => Segment::Shard,
        Piece::Field { name, pad } => {
            let (position, kind, is_optional) = field(&name);
            Segment::Field { name: String::leak(name), position, pad, kind, is_optional }
        }
    });
    Template { text, segments: keep(segments.collect()) }
}

/// An entity under construction.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) meta: EntityMeta,
    fields: Vec<(FieldMeta, PartKind, bool)>,
}

/// Returns an entity whose fields have these kinds, with an empty key.
pub(crate) fn entity(name: &'static str, fields: &[(&'static str, PartKind)]) -> Draft {
    let fields = fields.iter().map(|&(name, kind)| {
        let wire_type = match kind.form {
            Form::Unsigned { .. } | Form::Signed => WireType::N,
            _ => WireType::S,
        };
        let field = FieldMeta {
            name,
            attribute: name,
            aliases: &[],
            rust_type: if wire_type == WireType::N { "u32" } else { "String" },
            wire_type,
            is_required: true,
            is_immutable: false,
            is_counter: false,
            is_top_level: false,
            is_key_only: false,
            is_value: false,
            stamp: None,
            copy_of: None,
            doc: "",
        };
        (field, kind, false)
    });
    let nothing = Template { text: "", segments: &[] };
    let meta = EntityMeta {
        name,
        doc: "",
        type_name: name,
        codec: Codec::Plain,
        fields: &[],
        key: KeyMeta { partition: nothing, sort: None, shards: None },
        indexes: &[],
        unique: &[],
        mirrors: &[],
        version: None,
        ttl: None,
        created: None,
        updated: None,
        rule: None,
        allows: &[],
        location: HERE,
    };
    Draft { meta, fields: fields.collect() }
}

impl Draft {
    fn template(&self, text: &'static str) -> Template {
        template(text, |name| {
            let position = self.position(name);
            let (_, kind, is_optional) = self.fields[usize::from(position)];
            (position, kind, is_optional)
        })
    }

    pub(crate) fn position(&self, name: &str) -> u16 {
        let position = self.fields.iter().position(|(field, ..)| field.name == name);
        position.expect(name) as u16
    }

    fn key_of(&self, partition: &'static str, sort: &'static str) -> KeyMeta {
        let sort = (!sort.is_empty()).then(|| self.template(sort));
        KeyMeta { partition: self.template(partition), sort, shards: None }
    }

    /// Changes a field; before the templates that use it.
    pub(crate) fn field(mut self, name: &str, change: impl Fn(&mut FieldMeta)) -> Self {
        let position = usize::from(self.position(name));
        change(&mut self.fields[position].0);
        self
    }

    pub(crate) fn optional(mut self, name: &str) -> Self {
        let position = usize::from(self.position(name));
        self.fields[position].2 = true;
        self.field(name, |field| field.is_required = false)
    }

    /// Adds a stamp after the fields.
    pub(crate) fn stamp(mut self, stamp: Stamp, attribute: &'static str) -> Self {
        let position = Some(self.fields.len() as u16);
        match stamp {
            Stamp::Version => self.meta.version = position,
            Stamp::Created => self.meta.created = position,
            Stamp::Updated => self.meta.updated = position,
            Stamp::Expires => self.meta.ttl = position,
        }
        self.fields.push((stamp.field(attribute, &[]), TEXT, false));
        self
    }

    pub(crate) fn copy(self, name: &str, entity: &'static str, field: &'static str) -> Self {
        self.field(name, |copied| copied.copy_of = Some(CopyMeta { entity, field }))
    }

    pub(crate) fn key(mut self, partition: &'static str, sort: &'static str) -> Self {
        self.meta.key = self.key_of(partition, sort);
        self
    }

    pub(crate) fn index(
        self,
        name: &'static str,
        partition: &[&'static str],
        sort: &[&'static str],
    ) -> Self {
        self.index_with(name, partition, sort, false)
    }

    pub(crate) fn index_with(
        mut self,
        index: &'static str,
        partition: &[&'static str],
        sort: &[&'static str],
        is_sparse: bool,
    ) -> Self {
        let texts =
            |texts: &[&'static str]| keep(texts.iter().map(|text| self.template(text)).collect());
        let (partition, sort) = (texts(partition), texts(sort));
        let written = EntityIndexMeta { index, partition, sort, is_sparse, shards: None };
        self.meta.indexes = keep([self.meta.indexes, &[written]].concat());
        self
    }

    pub(crate) fn unique(mut self, field: &'static str, key: [&'static str; 2]) -> Self {
        let constraint = UniqueMeta {
            name: field,
            fields: keep(vec![self.position(field)]),
            is_sparse: false,
            partition: self.template(key[0]),
            sort: self.template(key[1]),
            is_released: true,
        };
        self.meta.unique = keep([self.meta.unique, &[constraint]].concat());
        self
    }

    pub(crate) fn mirror(mut self, entity: &'static str, key: Option<[&'static str; 2]>) -> Self {
        let key = key.map(|[partition, sort]| self.key_of(partition, sort));
        self.meta.mirrors = keep([self.meta.mirrors, &[MirrorMeta { entity, key }]].concat());
        self
    }

    pub(crate) fn allow(mut self, rule: &'static str) -> Self {
        self.meta.allows = allow(rule);
        self
    }

    pub(crate) fn build(self) -> &'static EntityMeta {
        let fields = keep(self.fields.iter().map(|(field, ..)| *field).collect());
        Box::leak(Box::new(EntityMeta { fields, ..self.meta }))
    }
}

/// Returns a rule key of one kind, with the fields and the key of a draft.
pub(crate) fn rule(kind: RuleKind, draft: Draft) -> &'static RuleMeta {
    let row = EntityMeta { type_name: "", ..*draft.build() };
    let attributes = RuleAttributes::DEFAULT;
    Box::leak(Box::new(RuleMeta { kinds: keep(vec![kind]), row, attributes }))
}

/// Returns a permission for one rule.
pub(crate) fn allow(rule: &'static str) -> &'static [Allow] {
    keep(vec![Allow { rule, because: "the test wants it" }])
}

/// Returns a global index with the usual attribute names: `GSI1PK`, `GSI1SK`.
pub(crate) fn index(name: &'static str) -> IndexMeta {
    let attribute = |end: &str| &*String::leak(format!("{name}{end}"));
    IndexMeta {
        name,
        kind: IndexKind::Global,
        partition: keep(vec![attribute("PK")]),
        sort: keep(vec![attribute("SK")]),
        projection: Projection::All,
        allows: &[],
    }
}

/// A condition on a sort key without its template.
pub(crate) type Test = fn(Template) -> SortTest;

/// Returns a pattern over the table: arguments are typed ids, but for `day`, `from` and `to`, which are days,
/// the numbers `shirt` and `number`, and `text`.
pub(crate) fn pattern(
    name: &'static str,
    partition: &'static str,
    sort: Option<(Test, &'static str)>,
    returns: &[&'static EntityMeta],
) -> PatternMeta {
    let partition: Vec<_> = (!partition.is_empty()).then(|| key(partition)).into_iter().collect();
    PatternMeta {
        name,
        doc: "",
        operation: Operation::Query,
        index: None,
        arguments: &[],
        partition: keep(partition),
        sort: keep(sort.map(|(test, text)| test(key(text))).into_iter().collect()),
        unique: None,
        presence: &[],
        returns: keep(returns.to_vec()),
        shape: Shape::Rows,
        is_descending: false,
        is_consistent: false,
        shards: None,
        limit: None,
        items_max: None,
        requests_per_second: None,
        is_admin: false,
        allows: &[],
        location: HERE,
    }
}

/// Returns a template of a pattern.
pub(crate) fn key(text: &'static str) -> Template {
    template(text, |name| match name {
        "day" | "from" | "to" => (1, DAY, false),
        "text" => (1, TEXT, false),
        "shirt" | "number" => (1, U32, false),
        _ => (0, ID, false),
    })
}

/// Returns an argument that filters.
pub(crate) fn filter(name: &'static str) -> &'static [ArgumentMeta] {
    keep(vec![ArgumentMeta { name, rust_type: "u32", filter: Some(name) }])
}

/// Returns a table with these entities, indexes and patterns.
pub(crate) fn table(
    entities: &[&'static EntityMeta],
    indexes: &[IndexMeta],
    patterns: &[PatternMeta],
) -> TableMeta {
    let set = PatternSetMeta { name: "LeagueReads", doc: "", patterns: keep(patterns.to_vec()) };
    TableMeta {
        name: "League",
        doc: "",
        table_name: "league-{environment}",
        partition_key: "PK",
        sort_key: Some("SK"),
        type_attribute: TypeAttribute::Named("ItemType"),
        ttl_attribute: Some("ttl"),
        codec: None,
        indexes: keep(indexes.to_vec()),
        entities: keep(entities.to_vec()),
        shared_keys: &[],
        rules: &[],
        pattern_sets: keep(vec![Box::leak(Box::new(set))]),
        targets: &[],
        allows: &[],
        location: HERE,
    }
}

/// Returns the running example: a club and its roster.
pub(crate) fn team() -> Draft {
    entity("Team", &[("team_id", ID), ("name", TEXT)]).key("TEAM#{team_id}", "METADATA")
}

pub(crate) fn player() -> Draft {
    entity("Player", &[("team_id", ID), ("player_id", ID), ("user_id", ID), ("shirt", U32)])
        .key("TEAM#{team_id}", "PLAYER#{player_id}")
}

pub(crate) fn game() -> Draft {
    entity("Game", &[("team_id", ID), ("start", DAY), ("game_id", ID)])
        .field("start", |field| field.is_immutable = true)
        .key("TEAM#{team_id}", "GAME#{start}#{game_id}")
}

/// Returns a table with something of everything, for the JSON form and the document.
pub(crate) fn example() -> TableMeta {
    let entities = example_entities();
    let [team, player, game, ..] = entities;
    let mut by_size = index("BySize");
    by_size.kind = IndexKind::Local;
    (by_size.partition, by_size.sort) = (&["PK"], &["shirt"]);
    by_size.projection = Projection::Include(&["ItemType", "name"]);
    by_size.allows = allow("I03");
    let mut players_of =
        pattern("players_of", "USER#{user_id}", Some((SortTest::BeginsWith, "PLAYER#")), &[player]);
    players_of.doc = "Every roster slot linked to a user, across teams.";
    players_of.index = Some("GSI4");
    players_of.arguments = filter("shirt");
    players_of.presence = &[PresenceTest::Exists("user_id"), PresenceTest::Absent("shirt")];
    let mut season = pattern("season", "TEAM#{team_id}", None, &[game]);
    season.doc = "The games of a season,\nthe latest first.\n\nPage by page.";
    let between = SortTest::Between(key("GAME#{from}"), key("GAME#{to}"));
    season.sort = keep(vec![between]);
    season.arguments = keep(vec![
        ArgumentMeta { name: "team_id", rust_type: "&TeamId", filter: None },
        ArgumentMeta { name: "from", rust_type: "Date", filter: None },
    ]);
    (season.is_descending, season.is_consistent) = (true, true);
    (season.limit, season.requests_per_second) = (Some(50), Some(20));
    let mut get = pattern("team", "TEAM#{team_id}", Some((SortTest::Equals, "METADATA")), &[team]);
    (get.doc, get.operation, get.shape) = ("One team.", Operation::Get, Shape::One);
    let mut page = pattern("team_page", "TEAM#{team_id}", None, &[team, player, game]);
    page.doc = "The team page: team, roster and games in one query.";
    (page.shape, page.allows) = (Shape::All, allow("P05"));
    let mut everything = pattern("everything", "", None, &[team, player, game]);
    (everything.operation, everything.is_admin) = (Operation::Scan, true);
    let mut named = pattern("team_named", "", None, &[team]);
    (named.doc, named.operation, named.shape) = ("The team of a name.", Operation::Get, Shape::One);
    named.unique = Some(UniqueValue { constraint: "name", fields: keep(vec![key("{text}")]) });
    named.is_consistent = true;
    let patterns = [get, page, season, players_of, everything, named];
    TableMeta {
        doc: "One table, as the design document names it.",
        targets: &[Target::Embedded, Target::DynamoDb],
        rules: example_rules(),
        codec: Some(Codec::Plain),
        ..table(&entities, &[index("GSI4"), by_size], &patterns)
    }
}

fn example_rules() -> &'static [&'static RuleMeta] {
    let team = || entity("ActiveGame", &[("team_id", ID)]);
    let mut active = *rule(RuleKind::Guard, team().key("TEAM#{team_id}", "ACTIVE_GAME"));
    active.row.doc = "The game that a team plays now.\n\nAt most one.";
    active.attributes.value = "gameId";
    active.attributes.type_name = Some("ActiveGame");
    let log = entity("Plays", &[("game_id", ID), ("seq", PartKind::unsigned(6))])
        .key("PLAYS#{game_id}", "LOG#{seq:06}")
        .mirror("Plays", Some(["PLAYS#{game_id}", "STATE"]))
        .allow("K05");
    keep(vec![Box::leak(Box::new(active)), rule(RuleKind::Log, log)])
}

fn example_entities() -> [&'static EntityMeta; 4] {
    let mut team = team()
        .unique("name", ["UNIQUE#Team#name#{name}", "UNIQUE"])
        .mirror("TeamName", None)
        .field("name", |field| field.doc = "As on the shirts.");
    team.meta.doc = "A club: first row of its own item collection.";
    team.meta.type_name = "TEAM";
    let keys = (["USER#{user_id}"], ["PLAYER#{player_id}"]);
    let mut player = player()
        .optional("user_id")
        .index_with("GSI4", &keys.0, &keys.1, true)
        .index("BySize", &[], &["{shirt}"])
        .copy("user_id", "Team", "name");
    player.meta.version = Some(player.position("shirt"));
    let game = game().mirror("Game", Some(["GAME#{game_id}", "METADATA"])).allow("K05");
    let name = entity("TeamName", &[("name", TEXT)])
        .field("name", |field| field.is_key_only = true)
        .key("NAMES", "NAME#{name}");
    [team.build(), player.build(), game.build(), name.build()]
}

/// Returns some texts of a template: each field as one, two or three characters of its charset, or
/// `#`.
pub(crate) fn samples(template: &Template) -> Vec<String> {
    let mut texts = vec![String::new()];
    for segment in template.segments {
        let choices: Vec<String> = match segment {
            Segment::Literal(literal) => vec![(*literal).to_owned()],
            Segment::Shard => vec!["0".into(), "7".into(), "12".into()],
            Segment::Field { pad, kind, .. } if *pad > 0 || kind.width > 0 => {
                let width = usize::from(if *pad > 0 { *pad } else { kind.width });
                ["0", "7", "1"].iter().map(|digit| digit.repeat(width)).collect()
            }
            Segment::Field { kind, .. } => {
                let all = [
                    "0", "7", "12", "077", "A", "B", "0B", "#", "0#B", "0#B#0", "A#B", "A#0",
                    "A#0#B",
                ];
                let fits = |text: &&&str| text.bytes().all(|byte| kind.charset.contains(byte));
                all.iter().filter(fits).map(|text| (*text).to_owned()).collect()
            }
        };
        let longer =
            texts.iter().flat_map(|text| choices.iter().map(move |more| format!("{text}{more}")));
        texts = longer.collect();
    }
    texts
}
