//! The keywords of one schema node, found in one walk of its entries.

use crate::value::{Map, Value};

/// Every keyword the draw or conformance reads; `None` when the node does not have it.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Keywords<'a> {
    pub(super) constant: Option<&'a Value>,
    pub(super) choices: Option<&'a Value>,
    pub(super) kind: Option<&'a Value>,
    pub(super) nullable: Option<&'a Value>,
    pub(super) any_of: Option<&'a Value>,
    pub(super) one_of: Option<&'a Value>,
    pub(super) all_of: Option<&'a Value>,
    pub(super) not: Option<&'a Value>,
    pub(super) minimum: Option<&'a Value>,
    pub(super) maximum: Option<&'a Value>,
    pub(super) exclusive_minimum: Option<&'a Value>,
    pub(super) exclusive_maximum: Option<&'a Value>,
    pub(super) min_length: Option<&'a Value>,
    pub(super) max_length: Option<&'a Value>,
    pub(super) pattern: Option<&'a Value>,
    pub(super) format: Option<&'a Value>,
    pub(super) min_items: Option<&'a Value>,
    pub(super) max_items: Option<&'a Value>,
    pub(super) prefix_items: Option<&'a Value>,
    pub(super) items: Option<&'a Value>,
    pub(super) required: Option<&'a Value>,
    pub(super) properties: Option<&'a Value>,
    pub(super) additional: Option<&'a Value>,
}

impl<'a> Keywords<'a> {
    /// Reads a node.
    pub(super) fn of(node: &'a Map) -> Self {
        let mut found = Self::default();
        for (name, value) in node.named() {
            let place = match &**name {
                "const" => &mut found.constant,
                "enum" => &mut found.choices,
                "type" => &mut found.kind,
                "nullable" => &mut found.nullable,
                "anyOf" => &mut found.any_of,
                "oneOf" => &mut found.one_of,
                "allOf" => &mut found.all_of,
                "not" => &mut found.not,
                "minimum" => &mut found.minimum,
                "maximum" => &mut found.maximum,
                "exclusiveMinimum" => &mut found.exclusive_minimum,
                "exclusiveMaximum" => &mut found.exclusive_maximum,
                "minLength" => &mut found.min_length,
                "maxLength" => &mut found.max_length,
                "pattern" => &mut found.pattern,
                "format" => &mut found.format,
                "minItems" => &mut found.min_items,
                "maxItems" => &mut found.max_items,
                "prefixItems" => &mut found.prefix_items,
                "items" => &mut found.items,
                "required" => &mut found.required,
                "properties" => &mut found.properties,
                "additionalProperties" => &mut found.additional,
                _ => continue,
            };
            *place = Some(value);
        }
        found
    }
}

/// The list under a keyword, when it is one.
pub(super) fn list(value: Option<&Value>) -> Option<&[Value]> {
    value.and_then(Value::as_array)
}
