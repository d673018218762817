//! Points of `sensor_msgs/PointCloud2`.

use crate::convert::{Limits, Refusal};
use crate::interfaces::sensor_msgs::msg::{PointCloud2, PointField};
use crate::math::Vec3;

/// The points of a cloud, in its frame: those that are not finite are among them.
pub fn points(cloud: &PointCloud2, limits: &Limits) -> Result<Vec<Vec3>, Refusal> {
    let (width, height) = (u64::from(cloud.width), u64::from(cloud.height));
    let (count, most) = (width * height, limits.cloud_points);
    if count > most as u64 {
        let reason = format!("cloud has {count} points, must have at most {most}");
        return Err(Refusal::bad_request(reason));
    }
    let step = u64::from(cloud.point_step);
    let readers = ["x", "y", "z"].map(|name| Coordinate::find(cloud, name));
    let [x, y, z] = readers;
    let readers = [x?, y?, z?];
    // Neither overflows: width and step are below 2³², and so is height.
    let row = u128::from(cloud.row_step);
    let least_row = u128::from(width * step);
    if height > 1 && row < least_row {
        let reason = format!("cloud.row_step is {row}, must be at least {least_row}");
        return Err(Refusal::bad_request(reason));
    }
    let needed = match count {
        0 => 0,
        _ => u128::from(height - 1) * row + least_row,
    };
    if u128::from(cloud.data.len() as u64) < needed {
        let length = cloud.data.len();
        let reason = format!("cloud.data has {length} bytes, must have at least {needed}");
        return Err(Refusal::bad_request(reason));
    }
    let (row, step) = (cloud.row_step as usize, cloud.point_step as usize);
    let places = (0..cloud.height as usize)
        .flat_map(|line| (0..cloud.width as usize).map(move |column| line * row + column * step));
    let point = |at: usize| {
        let [x, y, z] = readers.each_ref().map(|read| read.value(&cloud.data[at..at + step]));
        Vec3::new(x, y, z)
    };
    Ok(places.map(point).collect())
}

/// Where a coordinate of a point is, and how it is written.
struct Coordinate {
    offset: usize,
    is_double: bool,
    is_bigendian: bool,
}

impl Coordinate {
    fn find(cloud: &PointCloud2, name: &str) -> Result<Self, Refusal> {
        let refused = |reason: String| Refusal::bad_request(format!("cloud.fields: {reason}"));
        let mut named = cloud.fields.iter().filter(|field| field.name == name);
        let field = match (named.next(), named.next()) {
            (Some(field), None) => field,
            (None, _) => return Err(refused(format!("no field `{name}`"))),
            (Some(_), Some(_)) => return Err(refused(format!("field `{name}` appears twice"))),
        };
        let is_double = match field.datatype {
            PointField::FLOAT32 => false,
            PointField::FLOAT64 => true,
            other => {
                let reason =
                    format!("`{name}` has the datatype {other}, must be FLOAT32 or FLOAT64");
                return Err(refused(reason));
            }
        };
        let end = u64::from(field.offset) + if is_double { 8 } else { 4 };
        if end > u64::from(cloud.point_step) {
            let step = cloud.point_step;
            return Err(refused(format!("`{name}` ends at byte {end} of a point of {step}")));
        }
        let (offset, is_bigendian) = (field.offset as usize, cloud.is_bigendian);
        Ok(Self { offset, is_double, is_bigendian })
    }

    /// The coordinate in the bytes of a point.
    fn value(&self, point: &[u8]) -> f64 {
        let from = &point[self.offset..];
        match (self.is_double, self.is_bigendian) {
            (false, false) => f32::from_le_bytes(first(from)).into(),
            (false, true) => f32::from_be_bytes(first(from)).into(),
            (true, false) => f64::from_le_bytes(first(from)),
            (true, true) => f64::from_be_bytes(first(from)),
        }
    }
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("the field ends within the point, and the points within the data")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset: u32, datatype: u8) -> PointField {
        PointField { name: name.into(), offset, datatype, count: 1 }
    }

    /// Two rows of two points with a gap behind each row; x and z single, y double, written backwards.
    fn cloud() -> PointCloud2 {
        let mut data = Vec::new();
        for row in 0..2 {
            for column in 0..2 {
                data.extend((column as f32).to_be_bytes());
                data.extend((row as f32 + 0.5).to_be_bytes());
                data.extend((10.0 * row as f64).to_be_bytes());
            }
            data.extend([255; 3]);
        }
        PointCloud2 {
            height: 2,
            width: 2,
            fields: vec![
                field("z", 4, PointField::FLOAT32),
                field("x", 0, PointField::FLOAT32),
                field("y", 8, PointField::FLOAT64),
            ],
            is_bigendian: true,
            point_step: 16,
            row_step: 35,
            data,
            ..PointCloud2::default()
        }
    }

    #[test]
    fn fields_of_any_order_width_and_byte_order_are_read() {
        let expected = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 10.0, 1.5], [1.0, 10.0, 1.5]];
        assert_eq!(points(&cloud(), &Limits::default()).unwrap(), expected.map(Vec3::from));
    }

    #[test]
    fn clouds_that_contradict_themselves_are_refused() {
        let refusal = |change: &dyn Fn(&mut PointCloud2)| {
            let mut cloud = cloud();
            change(&mut cloud);
            points(&cloud, &Limits { cloud_points: 4, ..Limits::default() }).unwrap_err().message
        };
        type Change<'a> = &'a dyn Fn(&mut PointCloud2);
        let cases: [(Change<'_>, &str); 7] = [
            (&|c| c.width = 3, "cloud has 6 points, must have at most 4"),
            (&|c| c.fields.truncate(2), "cloud.fields: no field `y`"),
            (&|c| c.fields[0].name = "x".into(), "cloud.fields: field `x` appears twice"),
            (
                &|c| c.fields[0].datatype = 2,
                "cloud.fields: `z` has the datatype 2, must be FLOAT32 or FLOAT64",
            ),
            (&|c| c.fields[2].offset = 9, "cloud.fields: `y` ends at byte 17 of a point of 16"),
            (&|c| c.row_step = 31, "cloud.row_step is 31, must be at least 32"),
            // The gap behind the last row need not be there.
            (&|c| c.data.truncate(66), "cloud.data has 66 bytes, must have at least 67"),
        ];
        for (change, expected) in cases {
            assert_eq!(refusal(change), expected);
        }
    }

    #[test]
    fn a_cloud_without_points_has_none() {
        let mut cloud = cloud();
        (cloud.width, cloud.data) = (0, Vec::new());
        assert!(points(&cloud, &Limits::default()).unwrap().is_empty());
    }
}
