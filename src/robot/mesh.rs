//! Mesh files → convex hulls.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::collada;
use super::package::PackageResolver;
use crate::geometry::{Shape, ShapeError};
use crate::math::Vec3;

/// How large a mesh may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshLimits {
    /// Largest file in bytes.
    pub max_bytes: u64,
    /// Most vertices, counted once per triangle corner where the format stores them so.
    pub max_vertices: usize,
}

impl Default for MeshLimits {
    /// 256 MB and three million corners: several times the largest meshes seen in robot descriptions.
    fn default() -> Self {
        Self { max_bytes: 256 << 20, max_vertices: 3_000_000 }
    }
}

/// A mesh that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file was not found.
    #[error("`{uri}` not found, looked at: {}", looked_at.join(", "))]
    NotFound {
        /// As written in the URDF.
        uri: String,
        /// Where it was looked for.
        looked_at: Vec<String>,
    },
    /// The file could not be read, or is not what its name says.
    #[error("`{file}`: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// The vertices make no convex body.
    #[error("`{file}`: {source}")]
    NoHull {
        /// The file.
        file: String,
        /// What is wrong with the vertices.
        source: ShapeError,
    },
}

/// Loads meshes and keeps the hulls: descriptions use the same file many times.
#[derive(Debug)]
pub struct MeshLoader {
    packages: PackageResolver,
    limits: MeshLimits,
    hulls: HashMap<(PathBuf, [u64; 3]), Shape>,
}

impl MeshLoader {
    /// A loader that finds files through `packages`.
    pub fn new(packages: PackageResolver, limits: MeshLimits) -> Self {
        Self { packages, limits, hulls: HashMap::new() }
    }

    /// The convex hull of the mesh behind `uri`, its vertices multiplied by `scale`, in metres.
    pub fn hull(&mut self, uri: &str, scale: [f64; 3]) -> Result<Shape, MeshError> {
        let path = self
            .packages
            .resolve(uri)
            .map_err(|looked_at| MeshError::NotFound { uri: uri.into(), looked_at })?;
        let key = (path, scale.map(f64::to_bits));
        if let Some(hull) = self.hulls.get(&key) {
            return Ok(hull.clone());
        }
        let points = scaled(read_vertices(&key.0, self.limits)?, scale);
        let file = || key.0.display().to_string();
        let hull = Shape::convex_mesh(&points)
            .map_err(|source| MeshError::NoHull { file: file(), source })?;
        self.hulls.insert(key, hull.clone());
        Ok(hull)
    }
}

fn scaled(mut points: Vec<Vec3>, scale: [f64; 3]) -> Vec<Vec3> {
    let scale = Vec3::from(scale);
    points.iter_mut().for_each(|point| point.component_mul_assign(&scale));
    points
}

/// The distinct vertices that triangles of an STL, OBJ or COLLADA file use.
///
/// STL and OBJ go through the crate `mesh-loader`. Its COLLADA reader keeps one instance per geometry and panics on an
/// index out of range, so COLLADA is read by `collada.rs`. Coordinates of STL and OBJ have the precision of `f32`.
pub fn read_vertices(path: &Path, limits: MeshLimits) -> Result<Vec<Vec3>, MeshError> {
    let unreadable =
        |reason: String| MeshError::Unreadable { file: path.display().to_string(), reason };
    let mut bytes = read_bounded(path, limits.max_bytes).map_err(unreadable)?;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let points = match extension.to_ascii_lowercase().as_str() {
        "stl" => {
            hide_misleading_header(&mut bytes);
            from_mesh_loader(mesh_loader::stl::from_slice(&bytes), limits).map_err(unreadable)?
        }
        "obj" => {
            // Without a path no material file is opened, whatever the mesh names.
            let scene =
                mesh_loader::obj::from_slice::<Vec<u8>, _>(&bytes, None, |_| Ok(Vec::new()));
            from_mesh_loader(scene, limits).map_err(unreadable)?
        }
        "dae" => {
            let text = std::str::from_utf8(&bytes).map_err(|e| unreadable(e.to_string()))?;
            collada::vertices(text, limits.max_vertices).map_err(unreadable)?
        }
        other => {
            return Err(unreadable(format!(
                "ending `{other}` is not known, must be stl, obj or dae"
            )));
        }
    };
    if let Some(k) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        let [x, y, z]: [f64; 3] = points[k].into();
        return Err(unreadable(format!("vertex {k} is [{x}, {y}, {z}], must be finite")));
    }
    Ok(distinct(points))
}

fn read_bounded(path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("larger than {max_bytes} bytes"));
    }
    Ok(bytes)
}

/// Binary files whose free text begins with "solid", the first word of the text format, are told by their length: 84
/// bytes and 50 for each triangle, which are counted in the last four of the 84. Their free text is blanked.
fn hide_misleading_header(bytes: &mut [u8]) {
    let length = bytes.len() as u64;
    let Some(count) = bytes.get(80..84).and_then(|b| <[u8; 4]>::try_from(b).ok()) else { return };
    if length == 84 + 50 * u64::from(u32::from_le_bytes(count)) {
        bytes[..80].fill(0);
    }
}

/// The corners of all triangles.
fn from_mesh_loader(
    scene: std::io::Result<mesh_loader::Scene>,
    limits: MeshLimits,
) -> Result<Vec<Vec3>, String> {
    let scene = scene.map_err(|error| error.to_string())?;
    let count: usize = scene.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
    if count > limits.max_vertices {
        return Err(format!("{count} vertices, must be at most {}", limits.max_vertices));
    }
    let vertices = scene.meshes.iter().flat_map(|mesh| &mesh.vertices);
    Ok(vertices.map(|v| Vec3::new(v[0].into(), v[1].into(), v[2].into())).collect())
}

/// The points without repetitions, in the order of their first appearance.
fn distinct(points: Vec<Vec3>) -> Vec<Vec3> {
    let mut seen = std::collections::HashSet::with_capacity(points.len());
    // Adding zero makes −0 and 0 the same.
    let key = |p: &Vec3| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    points.into_iter().filter(|point| seen.insert(key(point))).collect()
}
