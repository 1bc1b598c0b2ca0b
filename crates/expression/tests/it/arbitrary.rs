//! Random values, items and trees, from few names and values so that they collide.

use monotable_expression::{
    Comparator, Condition, KeyCondition, KeyTerm, KeyTest, Operand, Path, Projection, SetOperand,
    SetValue, Step, Update,
};
use monotable_types::{AttributeValue, Item, Number, Set, TypeName};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;

/// Generates attribute names, among them reserved words and names that need a placeholder.
pub(crate) fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "name", "x.y", "#odd", "é"]).prop_map(str::to_owned)
}

pub(crate) fn number() -> impl Strategy<Value = Number> {
    let texts = vec!["0", "1", "-1", "1.50", "2", "3", "1e30", "-7e-20"];
    select(texts).prop_filter_map("all of them are numbers", |text| text.parse().ok())
}

fn scalar() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        select(vec!["", "a", "ab", "abc", "b", "é𝄞"]).prop_map(AttributeValue::from),
        number().prop_map(AttributeValue::N),
        vec(0_u8..3, 0..4).prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
    ]
}

pub(crate) fn set() -> impl Strategy<Value = AttributeValue> {
    let bytes = vec(vec(0_u8..3, 0..3), 1..4);
    prop_oneof![
        string_set(),
        vec(number(), 1..4).prop_map(|elements| AttributeValue::Ns(unique(elements))),
        bytes.prop_map(|elements| AttributeValue::Bs(unique(elements))),
    ]
}

pub(crate) fn string_set() -> impl Strategy<Value = AttributeValue> {
    let texts = vec(select(vec!["a", "b", "c"]).prop_map(str::to_owned), 1..4);
    texts.prop_map(|elements| AttributeValue::Ss(unique(elements)))
}

fn unique<T: Ord + Clone>(elements: Vec<T>) -> Set<T> {
    Set::of(elements[0].clone(), elements[1..].to_vec())
}

pub(crate) fn value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![3 => scalar(), 1 => set()].prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            btree_map(name(), inner, 0..4).prop_map(AttributeValue::M),
        ]
    })
}

pub(crate) fn item() -> impl Strategy<Value = Item> {
    btree_map(name(), value(), 0..6)
}

pub(crate) fn path() -> impl Strategy<Value = Path> {
    let step = prop_oneof![name().prop_map(Step::Key), (0_usize..4).prop_map(Step::Index)];
    (name(), vec(step, 0..3)).prop_map(|(root, steps)| Path { root, steps })
}

/// Paths that neither overlap nor conflict: each has a root of its own.
pub(crate) fn separate_paths(count: usize) -> impl Strategy<Value = Vec<Path>> {
    vec(path(), count).prop_map(|mut paths| {
        for (position, path) in paths.iter_mut().enumerate() {
            path.root = format!("{}{position}", path.root);
        }
        paths
    })
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        path().prop_map(Operand::Path),
        value().prop_map(Operand::Value),
        path().prop_map(Operand::Size),
    ]
}

fn comparator() -> impl Strategy<Value = Comparator> {
    select(vec![
        Comparator::Eq,
        Comparator::Ne,
        Comparator::Lt,
        Comparator::Le,
        Comparator::Gt,
        Comparator::Ge,
    ])
}

fn leaf() -> impl Strategy<Value = Condition> {
    let type_name = select(TypeName::ALL.to_vec());
    prop_oneof![
        (operand(), comparator(), operand()).prop_map(|(left, comparator, right)| {
            Condition::Compare { left, comparator, right }
        }),
        (operand(), operand(), operand()).prop_map(|(operand, low, high)| Condition::Between {
            operand,
            low,
            high
        }),
        (operand(), vec(operand(), 1..4))
            .prop_map(|(operand, list)| Condition::In { operand, list }),
        path().prop_map(Condition::AttributeExists),
        path().prop_map(Condition::AttributeNotExists),
        (operand(), type_name).prop_map(|(operand, name)| Condition::AttributeType(operand, name)),
        (operand(), operand()).prop_map(|(value, part)| Condition::BeginsWith(value, part)),
        (operand(), operand()).prop_map(|(value, part)| Condition::Contains(value, part)),
    ]
}

/// Conditions of any shape that a parser could make, though it would refuse the types of some.
pub(crate) fn condition() -> impl Strategy<Value = Condition> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Condition::And),
            vec(inner.clone(), 2..4).prop_map(Condition::Or),
            inner.prop_map(|inner| !inner),
        ]
    })
}

fn set_operand() -> impl Strategy<Value = SetOperand> {
    let plain =
        || prop_oneof![path().prop_map(SetOperand::Path), value().prop_map(SetOperand::Value),];
    let defaulted = || {
        let nested =
            (path(), plain()).prop_map(|(path, value)| SetOperand::if_not_exists(path, value));
        prop_oneof![2 => plain(), 1 => nested]
    };
    prop_oneof![
        defaulted(),
        (path(), defaulted()).prop_map(|(path, value)| SetOperand::if_not_exists(path, value)),
        (defaulted(), defaulted()).prop_map(|(one, two)| SetOperand::list_append(one, two)),
    ]
}

pub(crate) fn set_value() -> impl Strategy<Value = SetValue> {
    prop_oneof![
        3 => set_operand().prop_map(SetValue::Operand),
        1 => (set_operand(), set_operand()).prop_map(|(left, right)| left.plus(right)),
        1 => (set_operand(), set_operand()).prop_map(|(left, right)| left.minus(right)),
    ]
}

fn swapped<A, B>((first, second): (A, B)) -> (B, A) {
    (second, first)
}

/// Updates whose paths lie apart, of types that `ADD` and `DELETE` take.
pub(crate) fn update() -> impl Strategy<Value = Update> {
    let amount = prop_oneof![number().prop_map(AttributeValue::N), set()];
    (separate_paths(8), vec(set_value(), 0..3), 0_usize..3, vec(amount, 0..2), vec(set(), 0..2))
        .prop_map(|(paths, set, remove, add, delete)| {
            let mut paths = paths.into_iter();
            Update {
                set: set.into_iter().zip(paths.by_ref()).map(swapped).collect(),
                remove: paths.by_ref().take(remove).collect(),
                add: add.into_iter().zip(paths.by_ref()).map(swapped).collect(),
                delete: delete.into_iter().zip(paths).map(swapped).collect(),
            }
        })
        .prop_filter("an update does something", |update| !update.is_empty())
}

pub(crate) fn projection() -> impl Strategy<Value = Projection> {
    (1_usize..5).prop_flat_map(separate_paths).prop_map(|paths| Projection { paths })
}

pub(crate) fn key_condition() -> impl Strategy<Value = KeyCondition> {
    let test = prop_oneof![
        value().prop_map(KeyTest::Eq),
        number().prop_map(|number| KeyTest::Lt(number.into())),
        number().prop_map(|number| KeyTest::Ge(number.into())),
        number().prop_map(|number| KeyTest::Gt(number.into())),
        number().prop_map(|number| KeyTest::Le(number.into())),
        number().prop_map(|number| KeyTest::Between(number.into(), number.into())),
        name().prop_map(|prefix| KeyTest::BeginsWith(prefix.into())),
    ];
    (name(), name(), test.clone(), test).prop_map(|(one, two, first, second)| KeyCondition {
        terms: vec![
            KeyTerm { attribute: format!("{one}1"), test: first },
            KeyTerm { attribute: format!("{two}2"), test: second },
        ],
    })
}
