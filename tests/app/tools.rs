//! The Tools screen on files with trouble in them: refused tools, too many of them, long and foreign names.

use crate::driver::{Driver, bytes, example, file};
use rehearsal::tui::Start;
use rehearsal::tui::live::Ask;

fn driver(start: Start, size: (u16, u16)) -> Driver {
    Driver::new(start, size, "mono")
}

fn line<'a>(text: &'a str, part: &str) -> &'a str {
    text.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part} in\n{text}"))
}

const REFUSED: &str = r#"[
 {"type": "function", "name": "fine", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}},
 {"type": "function", "name": "one", "parameters": {"type": "object", "properties": {
   "shade": {"oneOf": []}}}},
 {"type": "web_search"},
 {"type": "function", "name": "two", "parameters": {"type": "object", "properties": {
   "size": {"type": "string", "format": "binary"}}}},
 {"type": "function", "name": "three", "parameters": {"type": "object", "properties": {"x": {"allOf": []}}}}]"#;

#[test]
fn refused_tools_are_a_work_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tools.json");
    std::fs::write(&path, REFUSED).unwrap();
    let mut d = driver(file(path.to_str().unwrap()), (120, 40));
    let text = d.text();
    assert!(line(&text, "! schema").contains("2 refused") && line(&text, "! builtin").contains("1 refused"), "{text}");
    let at = |part| text.lines().position(|row| row.contains(part)).unwrap();
    assert!(at("! schema") < at("! one") && at("! one") < at("! three") && at("! three") < at("! builtin"), "{text}");
    d.keys("j j j");
    let text = d.text();
    assert!(line(&text, "instead").contains("Write one schema"), "{text}");
    assert!(text.contains("line       4, column 4  f4 opens"), "{text}");
    assert!(text.contains("!       \"shade\""), "{text}");
    d.keys("f4");
    assert!(
        matches!(d.live.last(), Some(Ask::EditFile { path: open, line: 4, .. }) if *open == path),
        "{:?}",
        d.live.last()
    );
    // Reasons and argument names are found.
    for (typed, found, gone) in [("binary", "! two", "! one"), ("shade", "! one", "! two")] {
        let mut d = driver(file(path.to_str().unwrap()), (120, 40));
        d.keys("&").type_text(typed).keys("enter");
        let list: String =
            d.text().lines().map(|l| l.split('│').next().unwrap_or_default().to_owned() + "\n").collect();
        assert!(list.contains(found) && !list.contains(gone), "{typed}\n{list}");
    }
}

#[test]
fn long_names_are_cut_in_the_middle_and_foreign_ones_are_kept() {
    let tool = |name: &str| {
        format!(
            r#"{{"type": "function", "name": "{name}", "parameters": {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}}}}"#
        )
    };
    let names = ["mcp_pylance_mcp_s_pylanceDocuments", "mcp_pylance_mcp_s_pylanceSettings", "出荷する"];
    let tools = format!("[{}]", names.map(tool).join(",\n"));
    let mut d = driver(bytes("long.json", tools.as_bytes()), (80, 24));
    let text = d.text();
    assert!(text.contains("Documents") && text.contains("Settings") && text.contains("出荷する"), "{text}");
    d.keys("j j j");
    assert!(d.text().contains("sent as: ____"), "{}", d.text());
}

#[test]
fn the_effect_of_all_marked_tools_is_declared_at_once() {
    let mut d =
        driver(bytes("orders.openai.json", include_bytes!("../../examples/orders/orders.openai.json")), (120, 40));
    d.keys("j space space e");
    assert!(d.text().contains("2 marked tools: declared reads"), "{}", d.text());
    assert_eq!(d.model.request.read.read.len(), 2);
    d.keys("e");
    assert_eq!((d.model.request.read.read.len(), d.model.request.read.write.len()), (0, 2));
    d.keys("e");
    assert_eq!(d.model.request.read.write.len(), 0);
}

#[test]
fn a_missing_flow_is_a_key_to_press_and_only_one_dial_has_a_level() {
    let mut d =
        driver(bytes("orders.openai.json", include_bytes!("../../examples/orders/orders.openai.json")), (120, 40));
    let text = d.text();
    assert!(text.contains("needs a flow: press f") && !text.contains("--flow"), "{text}");
    d.keys("2");
    let mut d = driver(example(), (120, 40));
    d.keys("2");
    let text = d.text();
    let marked = text.lines().filter(|l| l.split('│').next().is_some_and(|l| l.contains('['))).count();
    assert_eq!(marked, 1, "{text}");
}

const LINKED: &[u8] = br#"{"tools": [
  {"name": "list_orders", "inputSchema": {"type": "object", "properties": {"page": {"type": "integer"}}},
   "outputSchema": {"type": "object", "properties": {"order_id": {"type": "string"}, "total": {"type": "number"}}}},
  {"name": "pay_order", "inputSchema": {"type": "object", "properties": {"order_id": {"type": "string"},
    "amount": {"type": "integer"}}}}]}"#;

#[test]
fn flows_and_effects_are_suggested_and_accepted_at_once() {
    let mut d = driver(bytes("linked.json", LINKED), (120, 40));
    d.keys("a");
    let text = d.text();
    assert!(text.contains("1 likely flow, 1 likely read by name: enter accepts, space leaves one out"), "{text}");
    assert!(text.contains("[x] list_orders.order_id to pay_order.order_id"), "{text}");
    d.keys("down space");
    assert!(d.text().contains("[ ] list_orders"), "{}", d.text());
    d.keys("enter");
    assert!(d.text().contains("declared 1 flow and 0 reads"), "{}", d.text());
    assert_eq!((d.model.request.plan.flows.len(), d.model.request.read.read.len()), (1, 0));
    d.keys("a enter");
    assert_eq!(d.model.request.read.read, ["list_orders"]);
    d.keys("a");
    assert!(d.text().contains("suggest nothing more"), "{}", d.text());
}

#[test]
fn the_flow_picker_warns_of_values_that_never_fit() {
    let mut d = driver(bytes("linked.json", LINKED), (120, 40));
    d.keys("j f").type_text("order_id").keys("enter");
    let text = d.text();
    assert!(line(&text, "pay_order.amount").contains("! values never fit"), "{text}");
    assert!(!line(&text, "pay_order.order_id").contains("never fit"), "{text}");
}
