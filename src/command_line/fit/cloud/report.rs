//! What was found in a cloud, as a table or as JSON.

use crate::command_line::table::Table;
use crate::fit::cloud::{FoundObject, FoundScene, PointCloud};
use crate::fit::{FittedSurface, picture};
use crate::math::{Pose, Vec3};

/// Size of a point in a picture, as a share of the extent of the cloud.
const SPECK: f64 = 0.003;

/// The name of an object by its place in the list.
pub(super) fn name_of(index: usize) -> String {
    format!("object_{index}")
}

/// The points, in grey, and the outlines of what was found in them, from two sides, as SVG. All in the same frame.
pub(super) fn picture_of(points: &[Vec3], found: &FoundScene) -> String {
    let low = points.iter().fold(Vec3::repeat(f64::INFINITY), |low, point| low.inf(point));
    let high = points.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |high, point| high.sup(point));
    let size = SPECK * (high - low).amax();
    let speck = |p: &Vec3| [*p, p + Vec3::x() * size, p + Vec3::z() * size];
    let specks: Vec<[Vec3; 3]> = points.iter().map(speck).collect();
    let table = found.table.iter();
    let table = table.map(|table| FittedSurface::at(&Pose::identity(), table.shape.clone()));
    let objects = found.objects.iter().map(|object| object.surface.clone());
    picture(&specks, &table.chain(objects).collect::<Vec<_>>())
}

/// What was read and found.
pub(super) struct CloudReport<'a> {
    pub cloud: &'a PointCloud,
    pub found: &'a FoundScene,
}

impl CloudReport<'_> {
    /// A table, and a line about the points that belong to nothing in it.
    pub fn text(&self) -> String {
        let mut table =
            Table::new(&["object", "kind", "points", "explained", "mean mm", "why a hull"], 2);
        if let Some(plane) = &self.found.table {
            let cells = ["table", "convex_mesh", &plane.points.to_string(), "", "", ""];
            table.row(cells.map(str::to_owned).to_vec());
        }
        for (index, object) in self.found.objects.iter().enumerate() {
            let why = object.reason.as_ref().map_or_else(String::new, ToString::to_string);
            table.row(vec![
                name_of(index),
                object.surface.shape.kind().into(),
                object.points.to_string(),
                format!("{:.0} %", 100.0 * object.explained),
                format!("{:.2}", 1e3 * object.mean_distance),
                why,
            ]);
        }
        format!(
            "{}{} points, {} not finite, {} of the robot, {} after thinning, {} in groups too small for an object\n",
            table.text(),
            self.cloud.points().len(),
            self.cloud.skipped(),
            self.found.of_robot,
            self.found.thinned,
            self.found.scattered
        )
    }

    /// One JSON object, SI units.
    pub fn json(&self) -> String {
        let object = |(index, object): (usize, &FoundObject)| {
            serde_json::json!({
                "name": name_of(index),
                "kind": object.surface.shape.kind(),
                "points": object.points,
                "explained": object.explained,
                "mean_distance": object.mean_distance,
                "reason": object.reason.as_ref().map(ToString::to_string),
            })
        };
        let table = self.found.table.as_ref().map(|table| {
            let normal: [f64; 3] = table.plane.normal.into();
            let offset = table.plane.offset;
            serde_json::json!({ "points": table.points, "normal": normal, "offset": offset })
        });
        let all = serde_json::json!({
            "points": self.cloud.points().len(),
            "not_finite": self.cloud.skipped(),
            "of_robot": self.found.of_robot,
            "thinned": self.found.thinned,
            "scattered": self.found.scattered,
            "table": table,
            "objects": self.found.objects.iter().enumerate().map(object).collect::<Vec<_>>(),
        });
        format!("{all:#}\n")
    }
}
