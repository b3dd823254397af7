//! Reading OpenAPI documents, clause by clause (rules 1.6).

use crate::toolfile::{auto, error, refusals, schema, summary};
use rehearsal::toolfile::{Place, Reading, Style, StyleForm};
use rehearsal::value::canonical::compact;

/// A document of these paths (YAML flow text) and a schema component or two.
fn document(paths: &str) -> Reading {
    auto(&format!(
        "openapi: 3.1.0\npaths: {paths}\ncomponents:\n  schemas:\n    Id: {{type: integer, minimum: 1}}\n    Self: {{properties: {{me: {{$ref: '#/components/schemas/Self'}}}}}}\n"
    ))
}

const OK: &str = "responses: {200: {description: ok}}";

#[test]
fn openapi_operations_and_their_names() {
    let reading = document(
        "{'/a/{id}': {summary: x, parameters: [], get: {operationId: one}, GET: {operationId: no}, head: {operationId: ''}, \
         post: {operationId: 7, summary: '', description: D}, put: {summary: S, description: D}, patch: 5, delete: {description: 2026-01-02}, \
         options: {}, trace: {}, query: {}, connect: {}, x-get: {}}, /b: 5, /c: null, 404: {get: {}}}",
    );
    let (usable, refused) = summary(&reading);
    assert_eq!(
        usable,
        [
            ("one", "read"),
            ("head__a__id_", "read"),
            ("post__a__id_", "write"),
            ("put__a__id_", "write"),
            ("delete__a__id_", "write"),
            ("options__a__id_", "unknown"),
            ("trace__a__id_", "unknown"),
            ("get_404", "read")
        ]
    );
    assert_eq!(refused, []);
    let descriptions: Vec<&str> = reading.tools.iter().map(|tool| &*tool.description).collect();
    assert_eq!(descriptions, ["", "", "D", "S", "", "", "", ""], "a date is no text");
    assert_eq!(reading.tools[1].title.as_deref(), Some("head_/a/{id}"));
    assert_eq!(reading.tools[1].at, "/paths/~1a~1{id}/head");
    assert_eq!(reading.tools[7].at, "/paths/404/get");
    assert_eq!(error(&reading), Some("no_target"));
}

#[test]
fn openapi_paths_that_are_no_mapping_give_no_tools() {
    for paths in ["[]", "5", "null", "text"] {
        assert_eq!(error(&document(paths)), Some("too_few"), "{paths}");
    }
    assert_eq!(error(&auto(r#"{"openapi":"3.0.0"}"#)), Some("too_few"));
}

#[test]
fn openapi_path_items_are_followed() {
    let reading = auto(
        "openapi: 3.1.0\npaths:\n  /a: {$ref: '#/items/x', post: {operationId: beside}}\n  /b: {$ref: '#/paths/~1b'}\n  /c: {$ref: 'other.yaml'}\n  /d: {$ref: '#/items/list'}\n  /e: {$ref: '#/paths/~1a'}\n\
         items:\n  x: {get: {operationId: there, parameters: [{name: n, in: query, schema: {type: integer}}]}, post: {operationId: hidden}}\n  list: []\n",
    );
    let (usable, refused) = summary(&reading);
    assert_eq!(usable, [("there", "read"), ("beside", "write")]);
    assert_eq!(refused, [("/b", "schema"), ("/c", "schema"), ("there", "duplicate"), ("beside", "duplicate")]);
    let places: Vec<&str> = reading.tools.iter().map(|tool| tool.at.as_str()).collect();
    assert_eq!(places, ["/items/x/get", "/paths/~1a/post"]);
    assert_eq!(reading.refused[0].at, "/paths/~1b");
    assert_eq!(reading.refused[2].at, "/items/x/get");
    assert!(reading.refused[2].reason.contains("/items/x/get"), "{}", reading.refused[2].reason);
}

#[test]
fn openapi_parameters_are_merged_in_position() {
    let reading = document(&format!(
        "{{/a: {{parameters: [{{name: p, in: query, schema: {{type: string}}}}, {{name: q, in: query, required: true, schema: {{type: string}}}}], \
         get: {{operationId: a, parameters: [{{name: r, in: header, required: 1, schema: {{$ref: '#/components/schemas/Id'}}, description: R}}, \
           {{name: p, in: query, required: true, description: P, schema: {{description: own}}}}, {{name: id, in: path, required: false}}, \
           {{name: c, in: cookie, schema: {{$ref: '#/nowhere'}}}}, {{name: ACCEPT, in: header}}, {{name: content-Type, in: header}}, {{name: Authorization, in: header}}, \
           {{name: accept, in: query, content: {{text/plain: {{schema: {{type: boolean}}}}, application/json: {{schema: {{type: object}}}}}}}}, \
           {{name: none, in: query, schema: null, content: {{}}, description: ''}}, {{name: form, in: formData}}], {OK}}}, post: {{operationId: b, parameters: 5}}}}}}"
    ));
    assert_eq!(refusals(&reading), []);
    let tool = &reading.tools[0];
    assert_eq!(
        schema(tool),
        r#"{"type":"object","properties":{"p":{"description":"own"},"q":{"type":"string"},"r":{"type":"integer","minimum":1,"description":"R"},"id":{},"accept":{"type":"boolean"},"none":{"description":""}},"required":["p","q","id"]}"#
    );
    let http = tool.http.as_ref().unwrap();
    assert_eq!((&*http.method, &*http.path), ("GET", "/a"));
    let places: Vec<(&str, Place)> = http.places.iter().map(|(name, place, _)| (&**name, *place)).collect();
    assert_eq!(
        places,
        [
            ("p", Place::Query),
            ("q", Place::Query),
            ("r", Place::Header),
            ("id", Place::Path),
            ("accept", Place::Query),
            ("none", Place::Query)
        ]
    );
    assert_eq!(
        schema(&reading.tools[1]),
        r#"{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"string"}},"required":["q"]}"#
    );
}

#[test]
fn openapi_parameters_are_written_as_they_say() {
    let reading = document(&format!(
        "{{'/a/{{id}}': {{servers: [{{url: 'https://{{region}}.example/v1', variables: {{region: {{default: eu}}}}}}], \
         get: {{operationId: a, parameters: [{{$ref: '#/paths/~1b/parameters/0'}}, \
           {{name: tags, in: query, style: pipeDelimited, schema: {{type: array}}}}, \
           {{name: where, in: query, style: deepObject, explode: true, schema: {{type: object}}}}, \
           {{name: list, in: query, explode: false, schema: {{type: array}}}}, \
           {{name: odd, in: query, style: matrix, schema: {{type: array}}}}, \
           {{name: json, in: query, content: {{application/json: {{schema: {{type: object}}}}}}}}, \
           {{name: text, in: query, content: {{text/plain: {{schema: {{type: string}}}}}}}}], {OK}}}}}, \
         /b: {{parameters: [{{name: id, in: path, style: matrix, schema: {{type: array}}}}]}}}}"
    ));
    assert_eq!(refusals(&reading), []);
    let http = reading.tools[0].http.as_ref().unwrap();
    let styles: Vec<(&str, StyleForm, bool)> =
        http.places.iter().map(|(name, _, style)| (&**name, style.form, style.explode)).collect();
    assert_eq!(
        styles,
        [
            ("id", StyleForm::Matrix, false),
            ("tags", StyleForm::Pipes, false),
            ("where", StyleForm::DeepObject, true),
            ("list", StyleForm::Form, false),
            ("odd", StyleForm::Form, true),
            ("json", StyleForm::Json, false),
            ("text", StyleForm::Form, true),
        ]
    );
    assert_eq!(http.places[0].1, Place::Path);
    assert_eq!(Style::of(Place::Header), Style { form: StyleForm::Simple, explode: false });
    assert_eq!(http.server.as_deref(), Some("https://eu.example/v1"));
}

#[test]
fn openapi_parameters_that_cannot_be_merged() {
    for (parameters, kind) in [
        ("[5]", "merge"),
        ("[{in: query}]", "merge"),
        ("[{name: 5, in: query}]", "merge"),
        ("[{name: a}]", "merge"),
        ("[{name: a, in: query}, {name: a, in: header}]", "merge"),
        ("[{name: a, in: query}, {name: a, in: cookie}]", ""),
        ("[{$ref: '#/nowhere'}]", "schema"),
        ("[{$ref: '#/paths/~1a/get/parameters/0'}]", "schema"),
        ("[{$ref: '#/components/schemas/Id'}]", "merge"),
        ("[{name: a, in: query, schema: {$ref: '#/components/schemas/Self'}}]", "schema"),
        ("[{name: a, in: query, schema: {type: string, format: binary}}]", "binary"),
        ("[{name: a, in: query, schema: {oneOf: []}}]", "schema"),
    ] {
        let reading = document(&format!("{{/a: {{get: {{operationId: a, parameters: {parameters}}}}}}}"));
        let expected: &[(&str, &str)] = if kind.is_empty() { &[] } else { &[("a", kind)] };
        assert_eq!(refusals(&reading), expected, "{parameters}");
    }
}

#[test]
fn openapi_bodies_and_their_media_types() {
    let object = "schema: {properties: {n: {type: integer}}}";
    for (body, kind, media) in [
        (format!("{{content: {{application/json: {{{object}}}}}}}"), "", "application/json"),
        (format!("{{content: {{' Application/Vnd.X+JSON ; charset=utf-8': {{{object}}}}}}}"), "", " Application/Vnd.X+JSON ; charset=utf-8"),
        (format!("{{content: {{text/xml: {{{object}}}, text/json: {{{object}}}}}}}"), "", "text/json"),
        (format!("{{content: {{multipart/form-data: {{{object}}}, text/xml: {{schema: {{}}}}, application/x-www-form-urlencoded: {{{object}}}}}}}"), "", "application/x-www-form-urlencoded"),
        (format!("{{content: {{application/json: {{schema: {{type: array}}}}, text/xml: {{{object}}}}}}}"), "not_object", ""),
        (format!("{{content: {{application/json: {{}}, x/json: {{{object}}}}}}}"), "not_object", ""),
        ("{content: {application/json: 5}}".to_owned(), "not_object", ""),
        (format!("{{content: {{multipart/form-data: {{{object}}}}}}}"), "binary", ""),
        (format!("{{content: {{application/octet-stream: {{{object}}}, text/plain: {{schema: {{type: string}}}}}}}}"), "binary", ""),
        (format!("{{content: {{text/event-stream;x=y: {{{object}}}}}}}"), "binary", ""),
        ("{content: {text/plain: {schema: {type: string}}, 200: {}}}".to_owned(), "not_object", ""),
        ("{content: {application/json: {schema: {$ref: '#/components/schemas/Self'}}}}".to_owned(), "schema", ""),
        ("{content: {text/plain: {schema: {$ref: '#/no'}}}}".to_owned(), "schema", ""),
        ("{content: {application/json: {schema: {type: object, properties: {f: {type: string, contentEncoding: null}}}}}}".to_owned(), "binary", ""),
        ("{$ref: '#/paths/~1a/post/requestBody'}".to_owned(), "schema", ""),
    ] {
        let reading = document(&format!("{{/a: {{post: {{operationId: a, requestBody: {body}}}}}}}"));
        let expected: &[(&str, &str)] = if kind.is_empty() { &[] } else { &[("a", kind)] };
        assert_eq!(refusals(&reading), expected, "{body}");
        if kind.is_empty() {
            let tool = &reading.tools[0];
            assert_eq!(schema(tool), r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#, "{body}");
            assert_eq!(tool.http.as_ref().unwrap().media.as_deref(), Some(media), "{body}");
        }
    }
    for none in ["5", "null", "{}", "{content: 5}", "{content: {}}", "[]"] {
        let reading = document(&format!("{{/a: {{post: {{operationId: a, requestBody: {none}}}}}}}"));
        assert_eq!(schema(&reading.tools[0]), r#"{"type":"object","properties":{}}"#, "{none}");
        assert_eq!(reading.tools[0].http.as_ref().unwrap().media, None);
    }
}

#[test]
fn openapi_parameters_and_body_become_one_object() {
    let body = "{content: {application/json: {schema: {type: object, properties: {on: {type: boolean}, n: {type: integer}, 2: {}}, required: [n, on, 2, null, p], additionalProperties: false, minLength: 3}}}}";
    let reading = document(&format!(
        "{{/a: {{post: {{operationId: a, parameters: [{{name: p, in: query, required: true}}], requestBody: {body}}}, \
         put: {{operationId: b, parameters: [{{name: n, in: query}}], requestBody: {body}}}, \
         patch: {{operationId: c, requestBody: {{content: {{application/json: {{schema: {{type: object, required: [], additionalProperties: true}}}}}}}}}}, \
         delete: {{operationId: d, requestBody: {{content: {{application/json: {{schema: {{type: object, additionalProperties: {{type: string}}}}}}}}}}}}}}}}"
    ));
    assert_eq!(
        schema(&reading.tools[0]),
        r#"{"type":"object","properties":{"p":{},"true":{"type":"boolean"},"n":{"type":"integer"},"2":{}},"required":["p","n","True","2","None","p"],"additionalProperties":false}"#
    );
    assert_eq!(refusals(&reading), [("b", "merge"), ("d", "schema")]);
    assert!(reading.refused[0].reason.contains("query") && reading.refused[0].reason.contains("body"));
    assert_eq!(schema(&reading.tools[1]), r#"{"type":"object","properties":{},"additionalProperties":true}"#);
    let places = &reading.tools[0].http.as_ref().unwrap().places;
    assert_eq!(places.iter().filter(|(_, place, _)| *place == Place::Body).count(), 3);
}

#[test]
fn openapi_the_first_success_with_a_json_schema_is_the_output() {
    let json = |schema: &str| format!("{{content: {{application/json: {{schema: {schema}}}}}}}");
    let (one, two) = (json("{type: integer}"), json("{type: string}"));
    for (responses, output) in [
        (format!("{{200: {one}}}"), Some(r#"{"type":"integer"}"#)),
        (format!("{{default: {one}, '404': {one}, 2xX: {two}}}"), Some(r#"{"type":"string"}"#)),
        (format!("{{204: {{}}, 201: {two}, 200: {one}}}"), Some(r#"{"type":"string"}"#)),
        (
            format!("{{200: {{content: {{text/plain: {{schema: {{}}}}, x/y+json: {{schema: true}}}}}}, 201: {one}}}"),
            Some("true"),
        ),
        (
            format!("{{200: {{content: {{application/json: {{}}, text/json: 5}}}}, 201: {one}}}"),
            Some(r#"{"type":"integer"}"#),
        ),
        (format!("{{200: 5, 201: {one}}}"), Some(r#"{"type":"integer"}"#)),
        (format!("{{200: {}, 201: {one}}}", json("null")), None),
        (format!("{{2000: {one}, 20: {one}, 300: {one}}}"), None),
        ("[]".to_owned(), None),
        ("{200: {$ref: '#/r'}}".to_owned(), Some(r#"{"type":"integer","minimum":1}"#)),
        ("{404: {$ref: '#/no'}}".to_owned(), None),
    ] {
        let reading = auto(&format!(
            "openapi: 3.0.1\npaths: {{/a: {{get: {{operationId: a, responses: {responses}}}}}}}\nr: {}\ncomponents: {{schemas: {{Id: {{type: integer, minimum: 1}}}}}}\n",
            json("{$ref: '#/components/schemas/Id'}")
        ));
        assert_eq!(refusals(&reading), [], "{responses}");
        let found = reading.tools[0].output_schema.as_ref().map(|output| compact(output, false));
        assert_eq!(found.as_deref(), output, "{responses}");
    }
    for broken in [
        "{200: {$ref: '#/no'}}",
        "{200: {$ref: '#/paths/~1a/get/responses/200'}}",
        "{'200': {$ref: '#/paths/~1a/get/responses/200'}}",
    ] {
        let reading = document(&format!("{{/a: {{get: {{operationId: a, responses: {broken}}}}}}}"));
        assert_eq!(refusals(&reading), [("a", "schema")], "{broken}");
    }
    let cycle = document(&format!(
        "{{/a: {{get: {{operationId: a, responses: {{200: {}}}}}}}}}",
        json("{$ref: '#/components/schemas/Self'}")
    ));
    assert_eq!(refusals(&cycle), [("a", "schema")]);
}
