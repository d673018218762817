//! Files → points.

use std::io::Read;
use std::path::Path;

use super::error::CloudError;
use super::{pcd, xyz};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{Ply, file_ending};

/// How large a cloud may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloudLimits {
    /// Largest file in bytes.
    pub max_bytes: u64,
    /// Most points.
    pub max_points: usize,
}

impl Default for CloudLimits {
    /// 1 GB and 20 million points: ten times a frame of the largest depth cameras.
    fn default() -> Self {
        Self { max_bytes: 1 << 30, max_points: 20_000_000 }
    }
}

/// The largest coordinate, m.
pub(super) const MAX_COORDINATE: f64 = 1e6;

/// Points with finite coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointCloud {
    /// The points, m.
    points: Vec<Vec3>,
    /// Points that were left out because a coordinate was not finite.
    skipped: usize,
}

impl PointCloud {
    /// The points with finite coordinates; sensors mark what they did not see with others. A point farther than 1e6 m from
    /// the origin along an axis is refused.
    pub fn new(points: Vec<Vec3>) -> Result<Self, String> {
        let total = points.len();
        let mut points = points;
        points.retain(|point| point.iter().all(|x| x.is_finite()));
        match points.iter().find(|point| point.amax() > MAX_COORDINATE) {
            Some(far) => {
                let [x, y, z]: [f64; 3] = (*far).into();
                Err(format!("point [{x}, {y}, {z}], must be within {MAX_COORDINATE:e} m"))
            }
            None => Ok(Self { skipped: total - points.len(), points }),
        }
    }

    /// Reads a PLY, PCD or XYZ file, by the ending of its name (`ply`, `pcd`; `xyz`, `pts`).
    pub fn load(path: &Path, limits: CloudLimits) -> Result<Self, CloudError> {
        let unreadable = |reason| CloudError::Unreadable { file: path.to_owned(), reason };
        let parse = match file_ending(path).as_str() {
            "ply" => vertices_of_ply,
            "pcd" => pcd::parse,
            "xyz" | "pts" => xyz::parse,
            other => {
                let reason = format!("ending `{other}` is not known, must be ply, pcd, xyz or pts");
                return Err(unreadable(reason));
            }
        };
        let bytes = read_bounded(path, limits.max_bytes).map_err(unreadable)?;
        let points = parse(&bytes, limits.max_points).map_err(unreadable)?;
        Self::new(points).map_err(unreadable)
    }

    /// Whether a file is a cloud: by the ending of its name, and a PLY file if it has no faces.
    pub fn is_cloud_file(path: &Path, limits: CloudLimits) -> Result<bool, CloudError> {
        let unreadable = |reason| CloudError::Unreadable { file: path.to_owned(), reason };
        match file_ending(path).as_str() {
            "pcd" | "xyz" | "pts" => Ok(true),
            "ply" => {
                let bytes = read_bounded(path, limits.max_bytes).map_err(unreadable)?;
                let ply = Ply::parse(&bytes, limits.max_points).map_err(unreadable)?;
                Ok(ply.triangles.is_empty())
            }
            _ => Ok(false),
        }
    }

    /// The points, m.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// How many points were left out because a coordinate was not finite.
    pub fn skipped(&self) -> usize {
        self.skipped
    }
}

fn vertices_of_ply(bytes: &[u8], max_points: usize) -> Result<Vec<Vec3>, String> {
    Ok(Ply::parse(bytes, max_points)?.vertices)
}

fn read_bounded(path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let data = file.metadata().map_err(|error| error.to_string())?;
    // A pipe or a device would keep the reader waiting.
    if !data.is_file() {
        return Err("is not a regular file".into());
    }
    if data.len() > max_bytes {
        return Err(format!("{} bytes, must be at most {max_bytes}", data.len()));
    }
    let mut bytes = Vec::new();
    // The file may have grown since.
    file.take(max_bytes).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
