//! Clouds as plain text: a point a line.

use smooth_scene_geometry::math::Vec3;

/// Three numbers on each line, separated by spaces, commas or semicolons; further columns (colours, normals) are not used.
/// Empty lines and lines that begin with `#` or `//` are left out, and so is a first line with one whole number, the number
/// of points.
pub(super) fn parse(bytes: &[u8], max_points: usize) -> Result<Vec<Vec3>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        format!("line {line}: is not text")
    })?;
    let mut points = Vec::new();
    let mut is_first = true;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let refused = |reason: String| format!("line {}: {reason}", index + 1);
        let mut words = line.split(is_separator).filter(|word| !word.is_empty());
        let is_count = is_first && words.clone().nth(1).is_none() && line.parse::<u64>().is_ok();
        is_first = false;
        if is_count {
            continue;
        }
        let mut point = Vec3::zeros();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let word = words.next().ok_or_else(|| refused(format!("no {name}")))?;
            point[axis] = word
                .parse()
                .map_err(|_| refused(format!("{name} is `{word}`, must be a number")))?;
        }
        if points.len() == max_points {
            return Err(refused(format!("more than {max_points} points")));
        }
        points.push(point);
    }
    Ok(points)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == ';'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_comments_counts_and_further_columns_are_understood() {
        let text = "3\n# x y z\n1 2 3\n// no point\n\n-1e-3,nan;7.5 255 0 0\r\n\t0\t0\t0\n";
        let points = parse(text.as_bytes(), 3).unwrap();
        assert_eq!(points.len(), 3);
        assert_eq!(points[0], Vec3::new(1.0, 2.0, 3.0));
        assert!(points[1].x == -1e-3 && points[1].y.is_nan() && points[1].z == 7.5);
        assert!(parse(b"", 3).unwrap().is_empty());
    }

    #[test]
    fn refusals_name_line_and_value() {
        let error = |text: &[u8]| parse(text, 2).unwrap_err();
        assert_eq!(error(b"0 0 0\n1 2\n"), "line 2: no z");
        assert_eq!(error(b"0 0 0\n7\n"), "line 2: no y");
        assert_eq!(error(b"0 zero 0\n"), "line 1: y is `zero`, must be a number");
        assert_eq!(error(b"0 0 0\n0 0 0\n0 0 0\n"), "line 3: more than 2 points");
        assert_eq!(error(b"0 0 0\n\xff 0 0\n"), "line 2: is not text");
    }
}
