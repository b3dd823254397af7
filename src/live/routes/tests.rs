use super::*;
use crate::value::read_json;

#[test]
fn paths_are_matched_by_their_templates() {
    let found = |template: &str, path: &'static str| matched(&pieces(template), path);
    let one = |name: &str, value: &'static str| Some(vec![(name.to_owned(), value)]);
    assert_eq!(found("/orders/{id}", "/orders/A-1"), one("id", "A-1"));
    assert_eq!(found("/orders/{id}", "/orders/"), None);
    assert_eq!(found("/orders/{id}", "/orders/a/b"), None);
    assert_eq!(found("/orders/{id}.json", "/orders/a.b.json"), one("id", "a.b"));
    assert_eq!(found("/d/{from}-{to}", "/d/1-2-3"), Some(vec![("from".to_owned(), "1"), ("to".to_owned(), "2-3")]));
    assert_eq!(found("/", "/"), Some(Vec::new()));
    assert_eq!(found("/{a}{b}", "/é"), None);
}

#[test]
fn texts_become_what_the_schema_asks_for() {
    let schema = |text: &str| read_json(text.as_bytes()).unwrap().root;
    let json = |value: &Value| crate::value::canonical::compact(value, false);
    for (text, asked, gives) in [
        ("5", r#"{"type":"integer"}"#, "5"),
        ("5.0", r#"{"type":"number"}"#, "5.0"),
        ("5", r#"{"type":"string"}"#, "\"5\""),
        ("99", r#"{"type":"integer","maximum":9}"#, "99"),
        ("true", r#"{"type":"boolean"}"#, "true"),
        ("yes", r#"{"type":"boolean"}"#, "\"yes\""),
        ("123456789012345678901234567890", r#"{"type":"integer"}"#, "123456789012345678901234567890"),
        ("2", r#"{"enum":[1,2]}"#, "2"),
        ("x", r#"{"type":"integer"}"#, "\"x\""),
    ] {
        assert_eq!(json(&coerced(text, &schema(asked))), gives, "{text} as {asked}");
    }
    let list = schema(r#"{"type":"array","items":{"type":"integer"}}"#);
    assert_eq!(json(&in_path("1,2", "n", StyleForm::Simple, false, &list)), "[1,2]");
    assert_eq!(json(&in_path(";n=1;n=2", "n", StyleForm::Matrix, true, &list)), "[1,2]");
    assert_eq!(json(&in_path(".1.2", "n", StyleForm::Label, true, &list)), "[1,2]");
    let query = |text: &'static str, form, explode, asked: &Value| {
        from_pairs(&pairs(text), "n", form, explode, asked, &mut Vec::new()).map(|v| json(&v))
    };
    assert_eq!(query("n=1&n=2", StyleForm::Form, true, &list).unwrap(), "[1,2]");
    assert_eq!(query("n=1", StyleForm::Form, true, &list).unwrap(), "[1]");
    assert_eq!(query("n=1%7C2", StyleForm::Pipes, false, &list).unwrap(), "[1,2]");
    assert_eq!(query("n=1+2", StyleForm::Spaces, false, &list).unwrap(), "[1,2]");
    let object = schema(r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}"#);
    assert_eq!(query("n%5Ba%5D=1&n[b]=x", StyleForm::DeepObject, true, &object).unwrap(), r#"{"a":1,"b":"x"}"#);
    assert_eq!(query("a=1&b=2", StyleForm::Form, true, &object).unwrap(), r#"{"a":1,"b":"2"}"#);
    assert_eq!(query("n=a,1,b,x", StyleForm::Form, false, &object).unwrap(), r#"{"a":1,"b":"x"}"#);
    assert_eq!(query("m=1", StyleForm::Form, true, &list), None);
}
