//! Literals as JSON text, for the defaults and examples in a schema.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Token, UnOp};

/// `expr` as JSON text, where it is a literal or an array of literals.
pub(crate) fn json(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Group(group) => json(&group.expr),
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => Some(json_string(&text.value())),
            Lit::Bool(lit) => Some(lit.value.to_string()),
            Lit::Int(lit) => Some(lit.base10_digits().to_owned()),
            Lit::Float(lit) => lit
                .base10_parse()
                .ok()
                .filter(|float: &f64| float.is_finite())
                .map(|float| format!("{float:?}")),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => json(&unary.expr)
            .filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))
            .map(|text| format!("-{text}")),
        Expr::Array(array) => json_array(&array.elems),
        _ => None,
    }
}

fn json_array(elements: &Punctuated<Expr, Token![,]>) -> Option<String> {
    let elements: Option<Vec<String>> = elements.iter().map(json).collect();
    elements.map(|elements| format!("[{}]", elements.join(",")))
}

fn json_string(text: &str) -> String {
    let mut json = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c < ' ' => json.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::json;

    #[test]
    fn literals_become_json() {
        assert_eq!(
            json(&parse_quote!("a\"b\\\n")).as_deref(),
            Some(r#""a\"b\\\u000a""#)
        );
        assert_eq!(json(&parse_quote!(1_000u32)).as_deref(), Some("1000"));
        assert_eq!(json(&parse_quote!(-2.50)).as_deref(), Some("-2.5"));
        assert_eq!(
            json(&parse_quote!(["a", -1, true])).as_deref(),
            Some(r#"["a",-1,true]"#)
        );
    }

    #[test]
    fn what_only_rustc_knows_has_no_json() {
        assert_eq!(json(&parse_quote!(Mode::Fast)), None);
        assert_eq!(json(&parse_quote!(-"a")), None);
        assert_eq!(json(&parse_quote!(['a'])), None);
    }
}
