//! Mesh files → convex hulls, or triangles.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::collada;
use super::package::PackageResolver;
use super::ply::Ply;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{Shape, ShapeError};

/// How large a mesh may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshLimits {
    /// Largest file in bytes.
    pub max_bytes: u64,
    /// Most vertices, counted once per triangle corner where the format stores them so.
    pub max_vertices: usize,
    /// Most bytes of all mesh files of one robot, files counted once per scale.
    pub max_total_bytes: u64,
}

impl Default for MeshLimits {
    /// 256 MB and three million corners, 2 GB in total: several times the largest meshes seen in robot descriptions.
    fn default() -> Self {
        Self { max_bytes: 256 << 20, max_vertices: 3_000_000, max_total_bytes: 2 << 30 }
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
    bytes_left: u64,
}

impl MeshLoader {
    /// A loader that finds files through `packages`.
    pub fn new(packages: PackageResolver, limits: MeshLimits) -> Self {
        let bytes_left = limits.max_total_bytes;
        Self { packages, limits, hulls: HashMap::new(), bytes_left }
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
        let file = || key.0.display().to_string();
        let unreadable = |reason| MeshError::Unreadable { file: file(), reason };
        let mut bytes = self.read(&key.0).map_err(unreadable)?;
        let points = vertices(&key.0, &mut bytes, self.limits).map_err(unreadable)?;
        let points = scaled(points, scale);
        let hull = Shape::convex_mesh(&points)
            .map_err(|source| MeshError::NoHull { file: file(), source })?;
        self.hulls.insert(key, hull.clone());
        Ok(hull)
    }

    /// The triangles of the mesh behind `uri`, its vertices multiplied by `scale`, in metres, and the file they are from.
    pub fn triangles(
        &mut self,
        uri: &str,
        scale: [f64; 3],
    ) -> Result<(PathBuf, Vec<[Vec3; 3]>), MeshError> {
        let path = self
            .packages
            .resolve(uri)
            .map_err(|looked_at| MeshError::NotFound { uri: uri.into(), looked_at })?;
        let read = self.read(&path).and_then(|mut bytes| triangles(&path, &mut bytes, self.limits));
        let file = || path.display().to_string();
        let mut found = read.map_err(|reason| MeshError::Unreadable { file: file(), reason })?;
        let scale = Vec3::from(scale);
        found.iter_mut().flatten().for_each(|corner| corner.component_mul_assign(&scale));
        Ok((path, found))
    }

    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let bytes = read_bounded(path, self.limits.max_bytes.min(self.bytes_left))?;
        self.bytes_left -= bytes.len() as u64;
        Ok(bytes)
    }
}

fn scaled(mut points: Vec<Vec3>, scale: [f64; 3]) -> Vec<Vec3> {
    let scale = Vec3::from(scale);
    points.iter_mut().for_each(|point| point.component_mul_assign(&scale));
    points
}

/// The triangles of a mesh file, with every corner finite. Coordinates of STL and OBJ are read in `f32`.
fn triangles(path: &Path, bytes: &mut [u8], limits: MeshLimits) -> Result<Vec<[Vec3; 3]>, String> {
    let found = match content(path, bytes, limits)? {
        Content::Scene(scene) => {
            check_count(&scene, limits)?;
            let mut found = Vec::new();
            for mesh in &scene.meshes {
                let corner = |index: u32| mesh.vertices.get(index as usize).map(vec3);
                for &[a, b, c] in &mesh.faces {
                    let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else {
                        let count = mesh.vertices.len();
                        return Err(format!("face {a} {b} {c} of {count} vertices"));
                    };
                    found.push([a, b, c]);
                }
            }
            found
        }
        Content::Collada(text) => collada::triangles(text, limits.max_vertices)?,
        Content::Ply(ply) => {
            let corner = |index: u32| ply.vertices[index as usize];
            ply.triangles.iter().map(|triangle| triangle.map(corner)).collect()
        }
    };
    let is_finite = |corner: &Vec3| corner.iter().all(|x| x.is_finite());
    match found.iter().position(|triangle| !triangle.iter().all(is_finite)) {
        Some(k) => Err(format!("triangle {k} is {:?}, must be finite", found[k])),
        None => Ok(found),
    }
}

/// The ending of a file's name in small letters, empty when it has none: what formats are told by.
pub fn file_ending(path: &Path) -> String {
    // An ending that is not Unicode is none of a format.
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// A mesh file by its format.
enum Content<'a> {
    Scene(mesh_loader::Scene),
    Collada(&'a str),
    Ply(Ply),
}

/// Reads the file with the reader that the ending of its name asks for.
///
/// STL and OBJ go through the crate `mesh-loader`, in `f32`. Its COLLADA reader keeps one instance per geometry and
/// panics on an index out of range, so COLLADA is read by `collada.rs`.
fn content<'a>(
    path: &Path,
    bytes: &'a mut [u8],
    limits: MeshLimits,
) -> Result<Content<'a>, String> {
    let scene = match file_ending(path).as_str() {
        "stl" => {
            hide_misleading_header(bytes);
            check_stl_count(bytes)?;
            mesh_loader::stl::from_slice(bytes)
        }
        "obj" => {
            // Without a path no material file is opened, whatever the mesh names.
            mesh_loader::obj::from_slice::<Vec<u8>, _>(bytes, None, |_| Ok(Vec::new()))
        }
        "dae" => {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            return Ok(Content::Collada(text));
        }
        "ply" => return mesh_of_ply(bytes, limits).map(Content::Ply),
        other => {
            return Err(format!("ending `{other}` is not known, must be stl, obj, dae or ply"));
        }
    };
    scene.map(Content::Scene).map_err(|error| error.to_string())
}

/// A PLY file with faces.
fn mesh_of_ply(bytes: &[u8], limits: MeshLimits) -> Result<Ply, String> {
    let ply = Ply::parse(bytes, limits.max_vertices)?;
    let corners = 3 * ply.triangles.len();
    match corners {
        0 => Err("no faces: a point cloud is no mesh".into()),
        _ if corners > limits.max_vertices => {
            Err(format!("{corners} vertices, must be at most {}", limits.max_vertices))
        }
        _ => Ok(ply),
    }
}

/// The distinct vertices that triangles of a mesh file use.
fn vertices(path: &Path, bytes: &mut [u8], limits: MeshLimits) -> Result<Vec<Vec3>, String> {
    let points = match content(path, bytes, limits)? {
        Content::Scene(scene) => {
            check_count(&scene, limits)?;
            scene.meshes.iter().flat_map(|mesh| &mesh.vertices).map(vec3).collect()
        }
        Content::Collada(text) => collada::vertices(text, limits.max_vertices)?,
        Content::Ply(ply) => {
            let used = ply.triangles.iter().flatten();
            used.map(|&index| ply.vertices[index as usize]).collect()
        }
    };
    if let Some(k) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        let [x, y, z]: [f64; 3] = points[k].into();
        return Err(format!("vertex {k} is [{x}, {y}, {z}], must be finite"));
    }
    Ok(distinct(points))
}

fn read_bounded(path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    // A pipe or a device would keep the reader waiting.
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err("is not a regular file".into());
    }
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

/// Refuses a binary file that ends before the last of the triangles that its header counts. The reader takes those that are
/// there, which of a file that was cut between two triangles is a smaller body. A file with more than it counts is used
/// whole.
fn check_stl_count(bytes: &[u8]) -> Result<(), String> {
    // The header of a binary file may hold the words of the text format; a text this long holds them behind it, too.
    let Some((_, behind)) = bytes.split_at_checked(80) else { return Ok(()) };
    let holds = |word: &[u8]| behind.windows(word.len()).any(|window| window == word);
    let is_text =
        bytes.trim_ascii_start().starts_with(b"solid") && (holds(b"facet") || holds(b"endsolid"));
    let count = behind.get(..4).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let (false, Some(count)) = (is_text, count) else { return Ok(()) };
    let (count, found) = (u32::from_le_bytes(count) as usize, (bytes.len() - 84) / 50);
    match found < count {
        true => Err(format!("ends after {found} of {count} triangles")),
        false => Ok(()),
    }
}

fn check_count(scene: &mesh_loader::Scene, limits: MeshLimits) -> Result<(), String> {
    let count: usize = scene.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
    if count > limits.max_vertices {
        return Err(format!("{count} vertices, must be at most {}", limits.max_vertices));
    }
    Ok(())
}

fn vec3(v: &[f32; 3]) -> Vec3 {
    Vec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// The points without repetitions, in the order of their first appearance.
fn distinct(points: Vec<Vec3>) -> Vec<Vec3> {
    let mut seen = std::collections::HashSet::with_capacity(points.len());
    // Adding zero makes −0 and 0 the same.
    let key = |p: &Vec3| [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
    points.into_iter().filter(|point| seen.insert(key(point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Result<Vec<Vec3>, String> {
        vertices(Path::new(name), &mut bytes.to_vec(), MeshLimits::default())
    }

    /// The four triangles of a tetrahedron in the binary format, behind any 80 bytes.
    fn binary_stl(header: &[u8; 80]) -> Vec<u8> {
        let corners = [[0f32, 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
        let mut bytes = header.to_vec();
        bytes.extend(4u32.to_le_bytes());
        for face in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
            bytes.extend([0u8; 12]);
            for corner in face {
                corners[corner].iter().for_each(|x: &f32| bytes.extend(x.to_le_bytes()));
            }
            bytes.extend([0u8; 2]);
        }
        bytes
    }

    #[test]
    fn binary_stl_may_begin_like_the_text_format() {
        let mut header = [b' '; 80];
        header[..10].copy_from_slice(b"solid part");
        assert_eq!(read("a.STL", &binary_stl(&header)).unwrap().len(), 4);
        assert_eq!(read("a.stl", &binary_stl(&[0; 80])).unwrap().len(), 4);
    }

    /// A file that was cut between two triangles is not a smaller body.
    #[test]
    fn a_binary_stl_that_was_cut_is_refused() {
        let mut solid = [b' '; 80];
        solid[..10].copy_from_slice(b"solid part");
        let mut words = solid;
        words[10..41].copy_from_slice(b" facet of a robot that endsolid");
        for header in [[0; 80], solid, words] {
            let whole = binary_stl(&header);
            for triangles in 0..4 {
                let error = read("a.stl", &whole[..84 + 50 * triangles]).unwrap_err();
                assert_eq!(error, format!("ends after {triangles} of 4 triangles"));
            }
            let more = [&whole[..], &whole[84..]].concat();
            assert_eq!(read("a.stl", &more).unwrap().len(), 4);
        }
        let text = "solid a name that is longer than the eighty bytes of a binary header, so that its count is text\n\
            facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
        assert_eq!(read("a.stl", text.as_bytes()).unwrap().len(), 3);
        assert!(read("a.stl", &text.as_bytes()[..text.len() - 12]).is_err());
    }

    #[test]
    fn repeated_corners_are_one_vertex() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 0\nv 0 0 1\nf 1 2 3\nf 4 3 5\n";
        assert_eq!(read("a.obj", text.as_bytes()).unwrap().len(), 4);
    }

    #[test]
    fn ply_gives_the_corners_of_its_faces() {
        let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
            element face FACES\nproperty list uchar int vertex_indices\nend_header\n\
            0 0 0\n1 0 0\n0 1 0\n0 0 1\n9 9 9\n";
        let faces = text.replace("FACES", "2") + "3 0 1 2\n3 0 1 3\n";
        assert_eq!(read("a.ply", faces.as_bytes()).unwrap().len(), 4);
        let error = read("a.ply", text.replace("FACES", "0").as_bytes()).unwrap_err();
        assert_eq!(error, "no faces: a point cloud is no mesh");
    }

    #[test]
    fn limits_hold() {
        let limits = MeshLimits { max_vertices: 11, ..Default::default() };
        let error = vertices(Path::new("a.stl"), &mut binary_stl(&[0; 80]), limits).unwrap_err();
        assert_eq!(error, "12 vertices, must be at most 11");
    }
}
