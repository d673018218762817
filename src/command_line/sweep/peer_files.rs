//! The files that the programs of `benches/peers` read and write: the same pairs as meshes and as parameters of smooth
//! surfaces, and their answers.

use super::failure::Failure;
use super::measure::{Found, Measured};
use super::pair::Pair;
use crate::geometry::{Shape, tessellate_with_vertex_count};
use crate::math::Pose;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

/// A library by the name in its files, with its methods and what the tables call them.
pub(crate) type Library = (&'static str, &'static [(&'static str, &'static str)]);

/// The libraries that work on meshes.
pub(crate) const LIBRARIES: [Library; 2] = [
    ("fcl", &[("fcl-bvh-collision", FCL_COLLISION), ("fcl-bvh-distance", FCL_DISTANCE)]),
    (
        "coal",
        &[
            ("coal-bvh-collision", "Coal BVH collision, yes or no"),
            ("coal-convex-collision", "Coal convex mesh, yes or no"),
            ("coal-convex-distance", COAL_DISTANCE),
        ],
    ),
];
/// The solver that works on implicit functions of smooth surfaces.
pub(crate) const IPOPT: Library = ("ipopt", &[("ipopt-implicit", IPOPT_IMPLICIT)]);
/// Reason in the row of a library without results.
pub(crate) const NOT_RUN: &str = "not installed: benches/peers/all.sh runs it";
pub(crate) const IPOPT_IMPLICIT: &str = "Implicit (IPOpt)";
pub(crate) const FCL_COLLISION: &str = "FCL BVH collision, yes or no";
pub(crate) const FCL_DISTANCE: &str = "FCL BVH distance";
pub(crate) const COAL_DISTANCE: &str = "Coal convex mesh, distance or depth";

/// The pairs as meshes, each shape with as many vertices as `vertices` says. Shapes that appear again are written once.
pub(crate) fn write(
    path: &Path,
    pairs: &[Pair],
    vertices: impl Fn(&str) -> usize,
) -> Result<(), Failure> {
    let mut text = String::new();
    let mut meshes: HashMap<String, String> = HashMap::new();
    let mut numbers = String::new();
    for pair in pairs {
        let mut words = pair.name.split('/').skip(1);
        let names = [words.next().unwrap_or("a"), words.next().unwrap_or("b")];
        let mut of = |name: &str, shape: &Shape| -> String {
            let count = vertices(name);
            let next = format!("m{}", meshes.len());
            let known = meshes.entry(format!("{count} {shape:?}"));
            known
                .or_insert_with(|| {
                    append_mesh(&mut text, &next, shape, count);
                    append_surface(&mut text, &next, shape);
                    next
                })
                .clone()
        };
        let (a, b) = (of(names[0], &pair.a), of(names[1], &pair.b));
        // Spaces separate the fields of the file.
        writeln!(numbers, "pair {} {a} {b}", pair.name.replace(' ', "_"))
            .expect("a string takes any text");
        append_pose(&mut numbers, &pair.pose_a);
        append_pose(&mut numbers, &pair.pose_b);
    }
    std::fs::write(path, text + &numbers).map_err(|e| Failure::file(path, e))
}

fn append_mesh(text: &mut String, name: &str, shape: &Shape, vertices: usize) {
    let mesh = tessellate_with_vertex_count(shape, vertices);
    writeln!(text, "mesh {name} {} {}", mesh.vertices.len(), mesh.triangles.len())
        .expect("a string takes any text");
    for v in &mesh.vertices {
        writeln!(text, "{:e} {:e} {:e}", v.x, v.y, v.z).expect("a string takes any text");
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "{a} {b} {c}").expect("a string takes any text");
    }
}

/// The parameters of shapes that the closed-form contact space paper supports; nothing for others.
fn append_surface(text: &mut String, name: &str, shape: &Shape) {
    let both = |[x, y, z]: [f64; 3]| [x, x, y, y, z, z];
    let (radii, exponents) = match shape {
        Shape::Ellipsoid(s) => (both(s.radii()), [1.0; 2]),
        Shape::PolyEllipsoid(s) => (s.radii(), [1.0; 2]),
        Shape::Superellipsoid(s) => (both(s.radii()), [s.exponent_xy(), s.exponent_z()]),
        _ => return,
    };
    let words: Vec<String> = radii.iter().chain(&exponents).map(|x| format!("{x:e}")).collect();
    writeln!(text, "surface {name} {}", words.join(" ")).expect("a string takes any text");
}

fn append_pose(text: &mut String, pose: &Pose) {
    let rows = pose.rotation.to_rotation_matrix().into_inner().transpose();
    let numbers = rows.iter().chain(pose.translation.vector.iter());
    let words: Vec<String> = numbers.map(|x| format!("{x:e}")).collect();
    writeln!(text, "{}", words.join(" ")).expect("a string takes any text");
}

/// The results of one library.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    /// Name and version.
    pub library: String,
    /// By method and pair: answer and nanoseconds.
    methods: BTreeMap<String, HashMap<String, (Found, u64)>>,
    /// Bytes of each mesh with its tree.
    pub bytes: Vec<f64>,
    /// Bytes of each mesh as a convex body, of libraries that support them.
    pub convex_bytes: Vec<f64>,
}

/// Reads the answers of a library; `None` when it was not run.
pub(crate) fn read(path: &Path) -> Result<Option<Answers>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::file(path, error)),
    };
    let mut answers = Answers::default();
    for (number, line) in text.lines().enumerate() {
        if let Some(library) = line.strip_prefix("# ") {
            answers.library = library.into();
            continue;
        }
        let bad = || Failure::file(path, format!("line {}: not an answer: {line}", number + 1));
        let words: Vec<&str> = line.split(',').collect();
        let [method, pair, contact, distance, last, converged, iterations, skew] = words[..] else {
            return Err(bad());
        };
        let number = |word: &str| word.parse::<f64>().map_err(|_| bad());
        let flag = |word: &str| match word {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(bad()),
        };
        match method {
            "method" => {}
            "bytes" => answers.bytes.push(number(last)?),
            "bytes-convex" => answers.convex_bytes.push(number(last)?),
            _ => {
                let known = |word: &str| number(word).map(|x| (!x.is_nan()).then_some(x));
                let nanos: u64 = last.parse().map_err(|_| bad())?;
                let found = Found {
                    contact: flag(contact)?,
                    distance: known(distance)?,
                    converged: flag(converged)?,
                    iterations: known(iterations)?.map(|count| count as u32),
                    skew: known(skew)?,
                };
                let of_method = answers.methods.entry(method.into()).or_default();
                of_method.insert(pair.into(), (found, nanos));
            }
        }
    }
    Ok(Some(answers))
}

impl Answers {
    /// The times and answers of a method, in the order of the pairs; an error when a pair is missing.
    pub fn measured(&self, method: &str, pairs: &[Pair]) -> Result<Measured, Failure> {
        let missing = || Failure::Other(format!("{}: no answers of {method}", self.library));
        let all = self.methods.get(method).ok_or_else(missing)?;
        let mut measured = Measured { nanos: Vec::new(), halves: Vec::new(), found: Vec::new() };
        for pair in pairs {
            let name = pair.name.replace(' ', "_");
            let unknown = || {
                let library = &self.library;
                Failure::Other(format!("{library}: {method} did not answer pair {name}"))
            };
            let (found, nanos) = all.get(&name).ok_or_else(unknown)?;
            measured.nanos.push(*nanos);
            measured.found.push(*found);
        }
        // Triangle meshes have no depth: the distance of overlapping ones is meaningless.
        if method == "fcl-bvh-distance" {
            for found in &mut measured.found {
                found.distance = found.distance.filter(|d| *d > 0.0);
            }
        }
        Ok(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn pairs() -> Vec<Pair> {
        let (a, b) = (Shape::sphere(1.0).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
        let there = Pose::new(Vec3::x() * 1.5, Vec3::zeros());
        let pair =
            |name: &str| Pair::new(name.into(), (a.clone(), Pose::identity()), (b.clone(), there));
        vec![pair("0/x/y"), pair("1/x/y")]
    }

    #[test]
    fn a_shape_that_appears_twice_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.txt");
        write(&path, &pairs(), |_| 50).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("mesh ").count(), 2);
        assert_eq!(text.matches("pair ").count(), 2);
        assert!(text.contains("mesh m1 8 12\n"), "the cube needs no more than its corners");
    }

    #[test]
    fn the_parameters_of_a_surface_stand_beside_its_mesh_by_sides_and_exponents() {
        let mut text = String::new();
        append_surface(&mut text, "m0", &Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap());
        let octants = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        append_surface(&mut text, "m1", &Shape::poly_ellipsoid(octants).unwrap());
        append_surface(&mut text, "m2", &Shape::superellipsoid([1.0; 3], 0.5, 1.5).unwrap());
        append_surface(&mut text, "m3", &Shape::cuboid([1.0; 3]).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "surface m0 1e0 1e0 2e0 2e0 3e0 3e0 1e0 1e0");
        assert_eq!(lines[1], "surface m1 1e0 2e0 3e0 4e0 5e0 6e0 1e0 1e0");
        assert_eq!(lines[2..], ["surface m2 1e0 1e0 1e0 1e0 1e0 1e0 5e-1 1.5e0"]);
    }

    #[test]
    fn answers_are_read_back_in_the_order_of_the_pairs_and_gaps_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        let head = "# Peer 1.2\nmethod,pair,contact,distance,nanos,converged,iterations,skew\n";
        let lines = "p,1/x/y,1,-0.5,2000,1,7,1e-9\np,0/x/y,0,nan,1000,0,nan,nan\nbytes,m0,,,640,,,\n\
                     bytes-convex,m0,,,64,,,\n";
        std::fs::write(&path, format!("{head}{lines}")).unwrap();
        let answers = read(&path).unwrap().unwrap();
        assert_eq!((answers.library.as_str(), &answers.bytes[..]), ("Peer 1.2", &[640.0][..]));
        assert_eq!(answers.convex_bytes, [64.0]);
        let measured = answers.measured("p", &pairs()).unwrap();
        assert_eq!(measured.nanos, [1000, 2000]);
        assert_eq!(measured.found[1].distance, Some(-0.5));
        assert_eq!(measured.found[0], Found { converged: false, ..Found::decision(false) });
        assert_eq!((measured.found[1].iterations, measured.found[1].skew), (Some(7), Some(1e-9)));
        assert!(answers.measured("q", &pairs()).is_err());
        std::fs::write(&path, format!("{head}p,0/x/y,0,nan,1000,1,nan,nan\n")).unwrap();
        let error = read(&path).unwrap().unwrap().measured("p", &pairs()).unwrap_err();
        assert!(error.to_string().contains("1/x/y"), "{error}");
        std::fs::write(&path, format!("{head}p,0/x/y,0\n")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 3"));
    }

    #[test]
    fn a_library_that_was_not_run_has_no_answers() {
        assert!(read(Path::new("/nonexistent/answers.csv")).unwrap().is_none());
    }
}
