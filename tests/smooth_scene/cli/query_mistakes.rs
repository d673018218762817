//! `query`: every mistake in a line has its message, and the other lines are answered.

use super::{SPHERE, lines, of_pose, of_shape, pair, query};

#[test]
fn malformed_lines_are_answered_with_their_mistake() {
    let nested = format!(r#"{{"id":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let many =
        format!("{{{}}}", (0..65).map(|k| format!("\"k{k}\":0")).collect::<Vec<_>>().join(","));
    let pose = |text: &str| of_pose(text);
    let cases: Vec<(String, &str)> = vec![
        (r#"{"a":"#.into(), "not valid JSON: EOF while parsing a value at column 5"),
        ("hello".into(), "not valid JSON: expected value at column 1"),
        (r#"{"a":1}}"#.into(), "not valid JSON: trailing characters at column 8"),
        (pose(r#"{"xyz":[NaN,0,0]}"#), "not valid JSON: expected value at column 111"),
        (pose(r#"{"xyz":[1e999,0,0]}"#), "not valid JSON: number out of range at column 115"),
        (nested, "not valid JSON: recursion limit exceeded at column 133"),
        ("[1,2]".into(), "the line is a list, must be an object"),
        ("null".into(), "the line is empty, must be an object"),
        (many, "has 65 fields, at most 64"),
        (format!(r#"{{"b":{SPHERE}}}"#), "field `a` is missing"),
        (format!(r#"{{"a":{SPHERE}}}"#), "field `b` is missing"),
        (format!(r#"{{"a":{SPHERE},"b":3}}"#), "b: is a number, must be a map"),
        (format!(r#"{{"a":{SPHERE},"a":{SPHERE},"b":{SPHERE}}}"#), "`a` appears twice"),
        (
            format!(r#"{{"a":{SPHERE},"b":{SPHERE},"c":{SPHERE}}}"#),
            "unknown field `c`, must be one of: id, a, b",
        ),
        (
            format!(r#"{{"id":[1],"a":{SPHERE},"b":{SPHERE}}}"#),
            "id: is a list, must be a string or a number",
        ),
        (pair(r#"{"pose":{}}"#, SPHERE), "a: field `shape` is missing"),
        (pair(r#"{"shape":"sphere"}"#, SPHERE), "a.shape: is a string, must be a map"),
        (of_shape(r#"{"radius":1}"#), "a.shape: field `type` is missing"),
        (
            of_shape(r#"{"tpye":"sphere","radius":1}"#),
            "a.shape: unknown field `tpye`, must be one of: type, strict, padding, scale, map, radius, radii, exponent_xy, \
             exponent_z, taper, size, length, normal, offset, vertices, parts",
        ),
        (
            of_shape(r#"{"type":"sphere","radis":1}"#),
            "a.shape: unknown field `radis`, must be one of: type, radius, strict, padding, scale, map",
        ),
        (
            pair(r#"{"shpe":{"type":"sphere","radius":1}}"#, SPHERE),
            "a: unknown field `shpe`, must be one of: shape, pose, to, map_to",
        ),
        (
            format!(r#"{{"a":{SPHERE},"bb":{SPHERE}}}"#),
            "unknown field `bb`, must be one of: id, a, b",
        ),
        (of_shape(r#"{"type":7}"#), "a.shape.type: is a number, must be a string"),
        (
            of_shape(r#"{"type":"torus"}"#),
            "a.shape.type: is `torus`, must be one of: sphere, ellipsoid, superellipsoid, superovoid, poly_ellipsoid, \
             box, cylinder, capsule, cone, half_space, convex_mesh, compound",
        ),
        (of_shape(r#"{"type":"sphere"}"#), "a.shape: field `radius` is missing"),
        (
            of_shape(r#"{"type":"sphere","radius":"1"}"#),
            "a.shape.radius: is a string, must be a number",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":-1}"#),
            "a.shape: sphere: radius is -1, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":2e9}"#),
            "a.shape: sphere: radius is 2e9, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"raduis":2}"#),
            "a.shape: unknown field `raduis`, must be one of: type, radius, strict, padding, scale, map",
        ),
        (
            of_shape(r#"{"type":"ellipsoid","radii":[1,2]}"#),
            "a.shape.radii: has 2 entries, must have 3",
        ),
        (
            of_shape(r#"{"type":"ellipsoid","radii":[1,null,3]}"#),
            "a.shape.radii[1]: is empty, must be a number",
        ),
        (
            of_shape(r#"{"type":"superellipsoid","radii":[1,1,1],"exponent_xy":2,"exponent_z":1}"#),
            "a.shape: superellipsoid: exponent_xy is 2, must be in [0.001, 1.999]",
        ),
        (
            of_shape(r#"{"type":"superellipsoid","radii":[1,1,1],"exponent_xy":1}"#),
            "a.shape: field `exponent_z` is missing",
        ),
        (
            of_shape(
                r#"{"type":"superovoid","radii":[1,1,1],"exponent_xy":1,"exponent_z":1,"taper":[0,-1]}"#,
            ),
            "a.shape: superovoid: taper[1] is -1, must be in the open interval (-1, 1)",
        ),
        (
            of_shape(
                r#"{"type":"superovoid","radii":[1,1,1],"exponent_xy":0.5,"exponent_z":0.5,"taper":[0.5,-0.5],"strict":true}"#,
            ),
            "a.shape: superovoid with exponent_xy 0.5, exponent_z 0.5, taper [0.5, -0.5] is not convex",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"strict":1}"#),
            "a.shape.strict: is a number, must be true or false",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"padding":-0.1}"#),
            "a.shape.padding: is -0.1, must be in [0, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[[0,0,0],[1,0]]}"#),
            "a.shape.vertices[1]: has 2 entries, must have 3",
        ),
        (
            of_shape(r#"{"type":"compound","parts":[{"pose":{}}]}"#),
            "a.shape.parts[0]: field `shape` is missing",
        ),
        (
            of_shape(r#"{"type":"compound","parts":[]}"#),
            "a.shape: compound: 0 parts, must be 1 to 100000",
        ),
        (
            of_shape(
                r#"{"type":"compound","parts":[{"shape":{"type":"half_space","normal":[0,0,1],"offset":0}}]}"#,
            ),
            "a.shape: compound: part 0 is a half_space, must be bounded and simple",
        ),
        (
            of_shape(
                r#"{"type":"compound","parts":[{"shape":{"type":"cone","radius":0,"length":1}}]}"#,
            ),
            "a.shape.parts[0].shape: cone: radius is 0, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[]}"#),
            "a.shape: convex_mesh: 0 vertices, must be 1 to 1000000",
        ),
        (
            of_shape(r#"{"type":"convex_mesh","vertices":[[0,0,0],[1e-10,0,0],[0,0,0],[0,0,0]]}"#),
            "a.shape: convex_mesh: vertices are within 1.0e-10 m, must be one point or span 1e-9 m",
        ),
        (
            of_shape(r#"{"type":"poly_ellipsoid","radii":[1,2,3]}"#),
            "a.shape.radii: has 3 entries, must have 6",
        ),
        (
            of_shape(r#"{"type":"box","size":[1,-1,1]}"#),
            "a.shape.size[1]: is -1, must be in [2e-9, 2e6] m",
        ),
        (
            of_shape(r#"{"type":"box","half_extents":[1,1,1]}"#),
            "a.shape: unknown field `half_extents`, must be one of: type, size, strict, padding, scale, map",
        ),
        (
            of_shape(r#"{"type":"cylinder","radius":1,"length":0}"#),
            "a.shape.length: is 0, must be in [2e-9, 2e6] m",
        ),
        (
            of_shape(r#"{"type":"capsule","radius":-1,"length":1}"#),
            "a.shape: capsule: radius is -1, must be in [1e-9, 1e6] m",
        ),
        (
            of_shape(r#"{"type":"half_space","normal":[0,0,0],"offset":1}"#),
            "a.shape: half_space: normal [0.0, 0.0, 0.0] has no direction",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"scale":[1,0,1]}"#),
            "a.shape.scale: mapped: condition number of the matrix is inf, must be at most 1e6",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"map":[[1,0,0],[0,1,0]]}"#),
            "a.shape.map: has 2 rows, must have 3",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"map":[[1,0,0],[0,1],[0,0,1]]}"#),
            "a.shape.map[1]: has 2 entries, must have 3",
        ),
        (
            of_shape(r#"{"type":"sphere","radius":1,"scale":[1,1,1],"map":[]}"#),
            "a.shape: has both scale and map, must have at most one",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0}}"#,
                r#"{"shape":{"type":"half_space","normal":[0,1,0],"offset":0}}"#,
            ),
            "two half_spaces that do not face each other exactly overlap without end, their distance is minus infinity",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"quat":[1,0,0,1]}}"#,
                SPHERE,
            ),
            "a.to turns a half_space, which continuous queries cannot answer; it may only be shifted",
        ),
        (
            pair(
                r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"xyz":[0,0,1]}}"#,
                r#"{"shape":{"type":"half_space","normal":[0,0,-1],"offset":-2}}"#,
            ),
            "continuous queries (`to`) need at least one body that is not a half_space",
        ),
        (
            pair(SPHERE, r#"{"shape":{"type":"sphere","radius":1},"to":{"quat":[0,0,0,0]}}"#),
            "b.to.quat: is [0, 0, 0, 0], must be finite and not zero",
        ),
        (pose(r#"[0,0,0]"#), "b.pose: is a list, must be a map"),
        (pose(r#"{"xyz":[0,0]}"#), "b.pose.xyz: has 2 entries, must have 3"),
        (pose(r#"{"xyz":[0,0,2e9]}"#), "b.pose.xyz[2]: is 2000000000, must be in [-1e6, 1e6] m"),
        (
            pose(r#"{"quat":[0,0,0,0]}"#),
            "b.pose.quat: is [0, 0, 0, 0], must be finite and not zero",
        ),
        (
            pose(r#"{"quat":[0,0,0,1],"rpy":[0,0,0]}"#),
            "b.pose: has both quat and rpy, must have at most one",
        ),
        (pose(r#"{"rpy":[0,0,1e7]}"#), "b.pose.rpy[2]: is 10000000, must be in [-1e6, 1e6] rad"),
        (pose(r#"{"quat":[1,0,0]}"#), "b.pose.quat: has 3 entries, must have 4"),
        (
            pose(r#"{"position":[0,0,0]}"#),
            "b.pose: unknown field `position`, must be one of: xyz, quat, rpy",
        ),
    ];
    // Good lines around every bad one: each must be answered.
    let good = pair(SPHERE, SPHERE);
    let input: String = cases.iter().map(|(line, _)| format!("{line}\n{good}\n")).collect();
    let output = query(input, &[]);
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output);
    assert_eq!(answers.len(), 2 * cases.len());
    for (index, (line, expected)) in cases.iter().enumerate() {
        let number = 2 * index + 1;
        let error = answers[2 * index]["error"].as_str().unwrap();
        assert_eq!(error, format!("line {number}: {expected}"), "{line}");
        assert_eq!(answers[2 * index + 1]["distance"], -2.0, "after {line}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_an_error_line() {
    let output = query(b"{\"id\":\"\xff\xfe\"}\n".to_vec(), &[]);
    let answers = lines(&output);
    assert!(answers[0]["error"].as_str().unwrap().starts_with("line 1: not valid JSON: "));
}

#[test]
fn an_error_line_keeps_the_id() {
    let output = query(r#"{"id":"left","a":{}}"#, &[]);
    assert_eq!(lines(&output)[0]["id"], "left");
}

#[test]
fn a_line_over_the_limit_is_an_error_line_and_the_next_is_answered() {
    let mut input = vec![b' '; (16 << 20) + 1];
    input.extend_from_slice(format!("\n{}\n", pair(SPHERE, SPHERE)).as_bytes());
    let output = query(input, &[]);
    let answers = lines(&output);
    assert_eq!(answers[0]["error"], "line 1: longer than 16 MiB");
    assert_eq!(answers[1]["distance"], -2.0);
}

#[test]
fn mutated_lines_get_exactly_one_answer_each() {
    let originals: Vec<&str> = include_str!("../../../examples/pairs.jsonl").lines().collect();
    let alphabet = b"{}[]\",:0123456789.-+eEabxyz\\ \xc3\x00";
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % count
    };
    let count = 5000;
    let mut input = Vec::new();
    for _ in 0..count {
        let mut line = originals[next(originals.len())].as_bytes().to_vec();
        for _ in 0..1 + next(3) {
            let at = next(line.len());
            match next(3) {
                0 => line[at] = alphabet[next(alphabet.len())],
                1 => line.insert(at, alphabet[next(alphabet.len())]),
                _ => {
                    line.remove(at);
                }
            }
        }
        input.extend_from_slice(&line);
        input.push(b'\n');
    }
    let output = query(input, &["--threads", "2"]);
    let answers = lines(&output);
    assert_eq!(answers.len(), count);
    for answer in answers {
        let answered = answer["distance"].is_f64() && answer["lower"].is_f64();
        assert!(answered != answer["error"].is_string(), "{answer}");
    }
}
