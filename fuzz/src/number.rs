//! Numbers: what parses prints, and prints what parses; sums are exact and numbers have one order.

use std::cmp::Ordering;

use monotable_types::Number;

/// Checks the bytes as one number, and as two with a space between.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    survives(text);
    if let Some((left, right)) = text.split_once(' ')
        && let (Some(left), Some(right)) = (survives(left), survives(right))
    {
        adds_up(left, right);
    }
}

/// The number that the text is, if it is one.
fn survives(text: &str) -> Option<Number> {
    let number: Number = match text.parse() {
        Ok(number) => number,
        Err(error) => {
            assert!(!ToString::to_string(&error).is_empty());
            return None;
        }
    };
    let printed = number.to_string();
    assert_eq!(printed.parse(), Ok(number), "{text} prints {printed}");
    assert_eq!(Number::from_parts(number.parts()), Ok(number), "{text}");
    assert_eq!(-(-number), number, "{text}");
    assert!((1..=21).contains(&number.size_bytes()), "{text}");
    assert!((1..=38).contains(&number.significant_digits()), "{text}");
    if let Some(integer) = number.to_i64() {
        assert_eq!(Number::from(integer), number, "{text}");
    }
    if let Some(integer) = number.to_u64() {
        assert_eq!(Number::from(integer), number, "{text}");
    }
    Some(number)
}

fn adds_up(left: Number, right: Number) {
    assert_eq!(left.cmp(&right), right.cmp(&left).reverse(), "{left} and {right}");
    assert_eq!(left.cmp(&right), (-right).cmp(&-left), "{left} and {right}");
    let sum = left.checked_add(right);
    assert_eq!(sum, right.checked_add(left), "{left} + {right}");
    assert_eq!(left.checked_sub(-right), sum, "{left} + {right}");
    assert_eq!((-left).checked_sub(right), sum.clone().map(|sum| -sum), "{left} + {right}");
    if let Ok(sum) = sum {
        assert_eq!(sum.to_string().parse(), Ok(sum), "{left} + {right}");
        // Exact means that it can be undone.
        assert_eq!(sum.checked_sub(right), Ok(left), "{left} + {right} - {right}");
        assert_eq!(sum.cmp(&left), right.cmp(&Number::ZERO), "{left} + {right} beside {left}");
    }
    if let Ok(difference) = left.checked_sub(right) {
        assert_eq!(left.cmp(&right), difference.cmp(&Number::ZERO), "{left} - {right}");
        assert_eq!(difference.is_zero(), left.cmp(&right) == Ordering::Equal);
    }
    agrees_with_integers(left, right);
}

/// Where both fit 128 bits at a shared exponent, the sum must be that of the integers.
fn agrees_with_integers(left: Number, right: Number) {
    let exponent = left.parts().exponent.min(right.parts().exponent);
    let scaled = |number: Number| {
        let parts = number.parts();
        let scale = 10_i128.checked_pow(u32::from(parts.exponent.abs_diff(exponent)))?;
        let magnitude = i128::try_from(parts.coefficient).ok()?.checked_mul(scale)?;
        Some(if parts.negative { -magnitude } else { magnitude })
    };
    if let (Some(left_integer), Some(right_integer)) = (scaled(left), scaled(right)) {
        assert_eq!(left.cmp(&right), left_integer.cmp(&right_integer), "{left} and {right}");
        if let Some(sum) = left_integer.checked_add(right_integer) {
            // AWS refuses a zero with an exponent out of range; the text of a sum has none.
            let text = if sum == 0 { "0".to_owned() } else { format!("{sum}E{exponent}") };
            let expected: Result<Number, _> = text.parse();
            assert_eq!(left.checked_add(right).ok(), expected.ok(), "{left} + {right}");
        }
    }
}

/// Numbers of every form, and pairs that carry, cancel and overflow.
pub fn seeds() -> Vec<Vec<u8>> {
    [
        "0",
        "-0.0",
        "+5",
        ".5",
        "5.",
        "0012.500",
        "1e+5",
        "-1.5E-130",
        "9.9999999999999999999999999999999999999E+125",
        "1e999999999999999999999",
        "99999999999999999999999999999999999999 1",
        "99999999999999999999999999999999999999 0.1",
        "1e38 -1",
        "1e-130 -1.1e-130",
        "9223372036854775807 1",
        "-0.1 0.1",
        "340282366920938463463374607431768211456 1",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}
