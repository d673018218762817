//! The grasp: every method on every intersecting pair.

use super::failure::Failure;
use super::figures::Distribution;
use super::measure::{Stopped, measure};
use super::methods::{self, Method};
use super::pair::Pair;
use super::peer_files::{self, LIBRARIES};
use super::results::{Published, Row};
use super::robots::Robot;
use super::svg::Family;
use crate::command_line::progress::Progress;
use std::path::Path;

/// Options that all runs share.
pub(crate) struct Run<'a> {
    pub sweeps: usize,
    /// Whether the run was interrupted: results so far are kept.
    pub stopped: Stopped<'a>,
    /// Folder with the answers of the mesh libraries.
    pub peers: Option<&'a Path>,
}

/// Suffix of names of methods on convex meshes.
pub(crate) const CONVEX: &str = " convex";

/// The pairs of one representation.
pub(crate) struct Set {
    pub robot: Robot,
    pub pairs: Vec<Pair>,
}

/// Rows of table 2 with the distributions of their times.
#[derive(Default)]
pub(crate) struct Grasp {
    pub rows: Vec<Row>,
    pub distributions: Vec<Distribution>,
    /// Bytes of a mesh, by library: with its tree, or ([`CONVEX`] behind the name) as a convex body.
    pub mesh_bytes: Vec<(String, f64)>,
    /// Names and versions of the libraries that ran.
    pub libraries: Vec<String>,
}

impl Grasp {
    /// Runs every method of this process on the set.
    pub fn add(&mut self, set: &Set, run: &Run, progress: &mut Progress) {
        let name = &set.robot.representation;
        let families = [
            (Family::Thesis, methods::thesis(name)),
            (Family::Thesis, methods::gjk()),
            (Family::Parry, methods::parry()),
            (Family::Ours, methods::ours()),
        ];
        for (family, all) in families {
            for method in all {
                if (run.stopped)() {
                    return;
                }
                progress.step(format!("{name}, {}", method.name));
                self.add_method(set, &method, family, run);
            }
        }
    }

    fn add_method(&mut self, set: &Set, method: &Method, family: Family, run: &Run) {
        let measured = measure(&set.pairs, run.sweeps, run.stopped, &*method.ask);
        let name = &set.robot.representation;
        self.rows.push(measured.row(&set.pairs, name, method.name, method.published));
        let nanos = measured.nanos;
        let (group, name) = (name.clone(), method.name.to_string());
        self.distributions.push(Distribution { group, name, nanos, family });
    }

    /// Adds the mesh libraries; those that were not run get a row with the reason.
    pub fn add_meshes(&mut self, mixed: &Set, run: &Run) -> Result<(), Failure> {
        for (library, methods) in LIBRARIES {
            let answers = match run.peers {
                Some(folder) => peer_files::read(&folder.join(format!("grasp.{library}.csv")))?,
                None => None,
            };
            for (id, name) in methods {
                let published = match *name {
                    peer_files::FCL_COLLISION => Some((28.29, 21.98)),
                    peer_files::FCL_DISTANCE => Some((181.03, 95.21)),
                    _ => None,
                };
                let published = published.map(|(mean, sigma)| Published {
                    mean: Some(mean),
                    sigma: Some(sigma),
                    iterations: None,
                    right: None,
                });
                let Some(answers) = &answers else {
                    let why = peer_files::NOT_RUN;
                    self.rows.push(Row::missing("meshes", name, why, published));
                    continue;
                };
                let measured = answers.measured(id, &mixed.pairs)?;
                self.rows.push(measured.row(&mixed.pairs, "meshes", name, published));
                let (group, name) = ("meshes of the mixed surfaces".into(), name.to_string());
                let (nanos, family) = (measured.nanos, Family::Meshes);
                self.distributions.push(Distribution { group, name, nanos, family });
            }
            if let Some(answers) = answers {
                let kinds = [("", &answers.bytes), (CONVEX, &answers.convex_bytes)];
                for (kind, bytes) in kinds.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
                    let mean = bytes.iter().sum::<f64>() / bytes.len() as f64;
                    self.mesh_bytes.push((format!("{library}{kind}"), mean));
                }
                self.libraries.push(answers.library);
            }
        }
        Ok(())
    }
}

/// Vertices of the thesis's meshes, from the base of a finger to its tip.
pub(crate) const VERTICES: [usize; 4] = [300, 440, 910, 770];

/// Vertices of the mesh of a link: by its place in the finger, the last digit of its name. The thumb has one link more,
/// at its base.
pub(crate) fn vertices(link: &str) -> usize {
    let digit = link.chars().last().and_then(|c| c.to_digit(10)).unwrap_or(0) as usize;
    let place = if link.contains("thumb") { digit.saturating_sub(1) } else { digit };
    VERTICES[place.min(3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_of_a_finger_have_605_vertices_on_average() {
        let links = ["r_index_0", "r_index_1", "r_index_2", "l_index_3"];
        assert_eq!(links.map(vertices), VERTICES);
        assert_eq!(VERTICES.iter().sum::<usize>() / 4, 605);
        assert_eq!((vertices("r_thumb_0"), vertices("r_thumb_4")), (300, 770));
    }
}
