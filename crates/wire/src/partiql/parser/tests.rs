//! The grammar by example: statements and their syntax trees.

use expect_test::{Expect, expect};

use super::*;
use crate::partiql::syntax::{Expression, Sign};

fn show(expression: &Expression) -> String {
    let list = |parts: &[Expression]| parts.iter().map(show).collect::<Vec<_>>().join(" ");
    match &expression.node {
        Node::Path(path) => path.to_string(),
        Node::Text(text) => format!("'{text}'"),
        Node::Number(digits) => digits.clone(),
        Node::Bool(value) => value.to_string(),
        Node::Null => "null".to_owned(),
        Node::Missing => "missing".to_owned(),
        Node::Parameter(number) => format!("?{number}"),
        Node::Star => "*".to_owned(),
        Node::Like => "(like)".to_owned(),
        Node::List(parts) => format!("[{}]", list(parts)),
        Node::Bag(parts) => format!("<<{}>>", list(parts)),
        Node::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(name, value)| format!("{}:{}", show(name), show(value)))
                .collect();
            format!("{{{}}}", entries.join(" "))
        }
        Node::Call(name, arguments) => format!("{name}({})", list(arguments)),
        Node::Signed(Sign::Minus, operand) => format!("(- {})", show(operand)),
        Node::Signed(Sign::Plus, operand) => format!("(+ {})", show(operand)),
        Node::Arithmetic(operator, left, right) => {
            format!("({operator} {} {})", show(left), show(right))
        }
        Node::Compare(comparator, left, right) => {
            format!("({comparator} {} {})", show(left), show(right))
        }
        Node::Between(operands) => format!("(between {})", list(operands.as_slice())),
        Node::In(operand, within) => format!("(in {} {})", show(operand), show(within)),
        Node::Is(operand, type_name) => format!("(is {} {type_name})", show(operand)),
        Node::And(parts) => format!("(and {})", list(parts)),
        Node::Or(parts) => format!("(or {})", list(parts)),
        Node::Not(operand) => format!("(not {})", show(operand)),
    }
}

fn show_source(source: &Source) -> String {
    let alias = if source.is_aliased { " (aliased)" } else { "" };
    format!("{} at {}{alias}", source.components.join(" / "), source.position)
}

fn show_condition(condition: Option<&Expression>) -> String {
    condition.map_or_else(String::new, |condition| format!("\nwhere {}", show(condition)))
}

fn show_returning(returning: Option<Returning>) -> String {
    returning.map_or_else(String::new, |returning| format!("\nreturning {}", returning.as_str()))
}

fn show_select(select: &Select) -> String {
    let columns = match &select.columns {
        Columns::All => "*".to_owned(),
        Columns::Some(columns) => {
            columns.iter().map(|column| show(&column.expression)).collect::<Vec<_>>().join(", ")
        }
    };
    let order: Vec<String> = select
        .order
        .iter()
        .map(|term| format!("\nby {} {}", show(&term.expression), term.descending))
        .collect();
    format!(
        "select {columns}\nfrom {}{}{}",
        show_source(&select.source),
        show_condition(select.condition.as_ref()),
        order.concat()
    )
}

fn show_body(body: &Body) -> String {
    match body {
        Body::Select(select) => show_select(select),
        Body::Exists(select) => format!("exists\n{}", show_select(select)),
        Body::Insert(insert) => {
            format!("insert {}\n{}", show_source(&insert.source), show(&insert.item))
        }
        Body::Update(update) => {
            let actions: Vec<String> = update
                .actions
                .iter()
                .map(|action| match action {
                    Action::Set(path, value) => format!("\nset {path} = {}", show(value)),
                    Action::Remove(path) => format!("\nremove {path}"),
                })
                .collect();
            format!(
                "update {}{}{}{}",
                show_source(&update.source),
                actions.concat(),
                show_condition(update.condition.as_ref()),
                show_returning(update.returning)
            )
        }
        Body::Delete(delete) => format!(
            "delete {}{}{}",
            show_source(&delete.source),
            show_condition(delete.condition.as_ref()),
            show_returning(delete.returning)
        ),
    }
}

fn check(statement: &str, expected: Expect) {
    let shown = match parse(statement) {
        Ok(statement) => show_body(&statement.body),
        Err(failure) => failure.message().unwrap_or_default(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn a_select_with_everything() {
    check(
        r#"SELECT a, "b c".d[0]['e'] FROM "t"."i" WHERE pk = ? ORDER BY pk DESC, sk ASC, x;"#,
        expect![[r#"
            select a, b c.d[0].e
            from t / i at 1:32:3
            where (= pk ?0)
            by pk true
            by sk false
            by x false"#]],
    );
    check(
        "select * from t as x",
        expect![[r#"
        select *
        from t at 1:15:1 (aliased)"#]],
    );
}

#[test]
fn operators_bind_as_in_sql() {
    check(
        "SELECT * FROM t WHERE a = 1 OR b < 2 AND NOT c <> d + 1 - 2 * 3",
        expect![[r#"
        select *
        from t at 1:15:1
        where (or (= a 1) (and (< b 2) (not (<> c (- (+ d 1) (* 2 3))))))"#]],
    );
    check(
        "SELECT * FROM t WHERE (a = 1 OR b = 2) AND c NOT IN (1, 2) OR d IS NOT MISSING",
        expect![[r#"
        select *
        from t at 1:15:1
        where (or (and (or (= a 1) (= b 2)) (not (in c [1 2]))) (not (is d missing)))"#]],
    );
    check(
        "SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN - 1 AND + 2",
        expect![[r#"
        select *
        from t at 1:15:1
        where (and (between a 1 2) (not (between b (- 1) (+ 2))))"#]],
    );
    check(
        "SELECT * FROM t WHERE f(a, 'x') = true AND NOT NOT size(b) > 1",
        expect![[r#"
        select *
        from t at 1:15:1
        where (and (= f(a 'x') true) (not (not (> size(b) 1))))"#]],
    );
}

#[test]
fn literals_of_every_kind() {
    check(
        "INSERT INTO t VALUE {'a': [1, -2.5e3, 'x'], 'b': {'c': <<1>>}, 'd': NULL, 'e': False, 'f': ?}",
        expect![[r#"
            insert t at 1:13:1
            {'a':[1 (- 2.5e3) 'x'] 'b':{'c':<<1>>} 'd':null 'e':false 'f':?0}"#]],
    );
}

#[test]
fn updates_in_both_orders() {
    check(
        "UPDATE t SET a.b[1] = a.c + 1, d = list_append(d, [?]) REMOVE e, f WHERE pk = 1 RETURNING all new *",
        expect![[r#"
            update t at 1:8:1
            set a.b[1] = (+ a.c 1)
            set d = list_append(d [?0])
            remove e
            remove f
            where (= pk 1)
            returning ALL NEW"#]],
    );
    check(
        "FROM t WHERE pk = 1 REMOVE a SET b = ?",
        expect![[r#"
        update t at 1:6:1
        remove a
        set b = ?0
        where (= pk 1)"#]],
    );
}

#[test]
fn deletes_and_exists() {
    check(
        "DELETE FROM \"t\" WHERE pk = 'a' RETURNING ALL OLD *",
        expect![[r#"
        delete t at 1:13:3
        where (= pk 'a')
        returning ALL OLD"#]],
    );
    check(
        "EXISTS(SELECT * FROM t WHERE pk = 'a' AND b = 1)",
        expect![[r#"
        exists
        select *
        from t at 1:22:1
        where (and (= pk 'a') (= b 1))"#]],
    );
}

#[test]
fn parameters_are_counted_in_their_order() {
    let statement = parse("UPDATE t SET a = ?, b = '?' WHERE pk = ? AND c IN [?, ?]").unwrap();
    assert_eq!(statement.parameters, 4);
    assert!(show_body(&statement.body).contains("(in c [?2 ?3])"));
}
