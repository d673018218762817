//! All tables and figures in one run.

use super::beside_ours;
use super::contact_space;
use super::convex_meshes;
use super::failure::Failure;
use super::figure_5;
use super::figures::{self, Curve};
use super::grasp::{self, Grasp, Run, Set};
use super::grasp_tables;
use super::intersecting_pairs::intersecting_pairs;
use super::library_run::STOPPED;
use super::machine;
use super::measure::Stopped;
use super::motions;
use super::movement;
use super::pair::{Pair, truth_options};
use super::peer_files;
use super::random_pairs::{self, COMBINATIONS, hulls_apart, of_kinds, superovoids_apart};
use super::report::Report;
use super::resolution;
use super::results::{Results, Row, Section};
use super::robots::{self, Robot};
use crate::command_line::progress::Progress;
use crate::command_line::table::Table;
use crate::geometry::Superovoid;
use crate::query::QueryOptions;
use std::path::Path;
use std::time::Instant;

/// Steps of the bar: methods of three representations, combinations, and the rest.
const STEPS: u64 = 52 + 6 + 4;

fn bundled_sets(stopped: Stopped) -> Result<Vec<Set>, Failure> {
    let set = |robot: Robot| {
        let pairs = intersecting_pairs(&robot, &movement::grasp(&robot, None)?.states, stopped)?;
        Ok(Set { robot, pairs })
    };
    robots::bundled()?.into_iter().map(set).collect()
}

/// Writes the files of pairs for the programs of `benches/peers`.
pub(crate) fn export(folder: &Path, random: usize, stopped: Stopped) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| Failure::file(folder, e))?;
    let file = |name: &str| folder.join(format!("{name}.txt"));
    let refused = |e: crate::geometry::ShapeError| Failure::Other(e.to_string());
    let sets = bundled_sets(stopped)?;
    let over = || {
        let why = "before all files of pairs were written".to_string();
        if stopped() { Err(Failure::Stopped(why)) } else { Ok(()) }
    };
    over()?;
    let Some(mixed) = sets.last() else { return Ok(()) };
    peer_files::write(&file("grasp"), &mixed.pairs, grasp::vertices)?;
    let pairs = superovoids_apart(resolution::PAIRS).map_err(refused)?;
    for vertices in resolution::VERTICES {
        over()?;
        peer_files::write(&file(&resolution::file(vertices)), &pairs, |_| vertices)?;
    }
    for vertices in convex_meshes::VERTICES {
        over()?;
        let pairs = hulls_apart(vertices, convex_meshes::PAIRS).map_err(refused)?;
        peer_files::write(&file(&convex_meshes::file(vertices)), &pairs, |_| vertices)?;
    }
    for (name, kinds) in COMBINATIONS {
        over()?;
        // Every pair has its own meshes, so the libraries get only the first pairs.
        let pairs: Vec<Pair> = of_kinds(kinds, random).map_err(refused)?;
        peer_files::write(&file(&format!("random_{name}")), &pairs, |_| contact_space::VERTICES)?;
    }
    Ok(())
}

/// Memory of a representation, in bytes: the fields of a body and its pose, or a mesh with its tree or with the
/// neighbours of its vertices.
fn bytes(row: &Row, meshes: &[(String, f64)]) -> Option<f64> {
    if row.representation != "meshes" {
        let pose = std::mem::size_of::<crate::math::Pose>();
        return Some((std::mem::size_of::<Superovoid>() + pose) as f64);
    }
    let mut kind = row.method.split(' ').next()?.to_lowercase();
    if row.method.contains(grasp::CONVEX) {
        kind.push_str(grasp::CONVEX);
    }
    meshes.iter().find(|(name, _)| *name == kind).map(|(_, bytes)| *bytes)
}

/// What a run measured; of an interrupted one, until then.
#[derive(Default)]
struct Measured {
    circumstances: Vec<(String, String)>,
    grasp: Grasp,
    curves: Vec<Curve>,
    hulls: Vec<Row>,
    random: Vec<Row>,
    motions: Option<(Table, Vec<Row>)>,
}

/// Measures everything, prints it, and writes it to `DIR/benchmarks.md` and `DIR/benchmarks/`. An interrupted run is
/// printed only: it does not replace the files of a complete one.
pub(crate) fn run(folder: Option<&Path>, random: usize, run: &Run) -> Result<(), Failure> {
    let measured = measure(random, run)?;
    let mut report = Report::new(folder);
    write(&mut report, &measured)?;
    let (Some((_, motions)), false) = (measured.motions, (run.stopped)()) else {
        report.say(STOPPED);
        return report.print();
    };
    let section = |name: &str, rows| Section { name: name.into(), rows };
    let sections = vec![
        section("grasp", measured.grasp.rows),
        section("convex meshes", measured.hulls),
        section("random pairs", measured.random),
        section("motions", motions),
    ];
    report.results(&Results { circumstances: measured.circumstances, sections })?;
    report.finish("benchmarks.md")
}

/// Runs every method, table after table.
fn measure(random: usize, run: &Run) -> Result<Measured, Failure> {
    let mut progress = Progress::new(Some(STEPS));
    let mut measured = Measured::default();
    let (mut start, mut parts) = (Instant::now(), Vec::new());
    let mut part_ends = |part: &str| {
        parts.push(format!("{part} {:.0} s", start.elapsed().as_secs_f64()));
        start = Instant::now();
    };
    progress.step("certified answers of the grasp");
    let sets = bundled_sets(run.stopped)?;
    part_ends("certified answers of the grasp");
    if let Some(mixed) = sets.last() {
        measured.grasp.add_meshes(mixed, run)?;
    }
    for set in &sets {
        measured.grasp.add(set, run, &mut progress);
    }
    measured.circumstances = circumstances(&sets, &measured.grasp.libraries, random, run)?;
    drop(sets);
    part_ends("grasp");
    if (run.stopped)() {
        return Ok(measured);
    }
    progress.step("resolution");
    let refused = |e: crate::geometry::ShapeError| Failure::Other(e.to_string());
    let pairs = superovoids_apart(resolution::PAIRS).map_err(refused)?;
    measured.curves = resolution::meshes(&pairs, run)?;
    measured.curves.extend(resolution::smooth(&pairs, run));
    part_ends("resolution");
    progress.step("convex meshes");
    measured.hulls = convex_meshes::rows(run)?;
    part_ends("convex meshes");
    measured.random = contact_space::rows(random, run, &mut progress)?;
    part_ends("random pairs");
    progress.step("motions");
    if !(run.stopped)() {
        measured.motions = Some(motions::table_5(random, run)?);
    }
    part_ends("motions");
    measured.circumstances.push(("time of this run".into(), parts.join(", ")));
    Ok(measured)
}

/// Machine, versions, options and seeds of a run.
fn circumstances(
    sets: &[Set],
    libraries: &[String],
    random: usize,
    run: &Run,
) -> Result<Vec<(String, String)>, Failure> {
    let mut circumstances = machine::circumstances();
    let mut note = |name: &str, value: String| circumstances.push((name.into(), value));
    let libraries = match libraries {
        [] => "none".into(),
        all => all.join(", "),
    };
    note("mesh libraries", libraries);
    let ipopt = contact_space::ipopt(run)?.unwrap_or_else(|| "not installed".into());
    note("interior-point solver", ipopt);
    note("in process", in_process().into());
    let counts: Vec<String> =
        sets.iter().map(|s| format!("{} {}", s.pairs.len(), s.robot.representation)).collect();
    note("pairs of the grasp", counts.join(", "));
    let certified = sets.iter().flat_map(|s| &s.pairs);
    let width = certified.clone().map(|p| p.truth.upper - p.truth.lower).fold(0.0, f64::max);
    let open = certified.filter(|p| !p.is_certified()).count();
    note("certified answers", format!("widest bounds {width:.1e} m, {open} not completed"));
    note("random pairs", format!("{random} of each kind, seed {}", random_pairs::SEED));
    let times = "each query by itself, the least of";
    note("times", format!("{times} {} sweeps over all pairs; cold unless said", run.sweeps));
    note("options", options());
    note("features", features());
    Ok(circumstances)
}

/// The options of our own methods and of the answers that everything is judged by.
fn options() -> String {
    let (usual, proof) = (QueryOptions::default(), truth_options());
    format!(
        "ours: gap {:e} of the size; certified depth to {:e} of the size; judged by proofs to {:e} within {} \
         directions",
        usual.gap_tolerance,
        QueryOptions::certified().depth_tolerance,
        proof.depth_tolerance,
        proof.depth_budget
    )
}

/// Puts everything that was measured into a report.
fn write(report: &mut Report, measured: &Measured) -> Result<(), Failure> {
    let Measured { circumstances, grasp, curves, hulls, random, motions } = measured;
    report.say(INTRODUCTION);
    for (name, value) in circumstances {
        report.line(&format!("- {name}: {value}"));
    }
    report.line("");
    report.say(TARGETS);
    report.table("targets", &grasp_tables::targets(&grasp.rows, hulls, random));
    let all = [&grasp.rows[..], &hulls[..], &random[..]].concat();
    if !beside_ours::lost_rows(&all).1.is_empty() {
        report.say(LOST_ROWS);
        report.table("lost_rows", &beside_ours::lost_table(&all));
    }
    report.say(TABLE_2);
    report.table("table_2", &grasp_tables::table_2(&grasp.rows));
    report.say("## Time distributions (figure 6.3 of the thesis)");
    let title = "Times of single queries, intersecting pairs of the grasp";
    let svg = figures::distributions(title, &grasp.distributions);
    report.figure("time_distributions", "Times of single queries by method", svg)?;
    report.say(TABLE_3);
    let of_row = |row: &Row| bytes(row, &grasp.mesh_bytes);
    report.table("table_3", &grasp_tables::table_3(&grasp.rows, of_row));
    if !curves.is_empty() {
        report.say(FIGURE_4);
        let title = "Time and error against the resolution of a mesh";
        let drawn: Vec<&Curve> = curves.iter().filter(|c| resolution::is_drawn(c)).collect();
        report.figure("mesh_resolution", title, figures::resolution(title, &drawn))?;
        report.table("mesh_resolution", &resolution::table(curves));
    }
    if !hulls.is_empty() {
        report.say(CONVEX_MESHES);
        report.table("convex_meshes", &convex_meshes::table(hulls));
    }
    if !random.is_empty() {
        report.say(TABLES_2_TO_4);
        report.table("contact_space", &contact_space::tables_2_to_4(random));
        report.say("## Query times (figure 5 of the closed-form contact space paper)");
        let title = "Query times of two bodies at rest by method and pair of shapes";
        report.figure("query_times", title, figure_5::query_times(title, random))?;
    }
    if let Some((table, _)) = motions {
        report.say(TABLE_5);
        report.table("contact_space_motions", table);
    }
    Ok(())
}

/// What this program was built with.
fn features() -> String {
    let all = [
        ("bags", cfg!(feature = "bags")),
        ("baselines", cfg!(feature = "baselines")),
        ("peers", cfg!(feature = "peers")),
    ];
    let on: Vec<&str> = all.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    on.join(", ")
}

fn in_process() -> &'static str {
    if cfg!(feature = "peers") {
        "ours, the solvers of the papers, Parry 0.31"
    } else {
        "ours alone: built without the feature `peers`"
    }
}

const INTRODUCTION: &str = "# Benchmarks: smooth surfaces or meshes?

Written by `benches/peers/all.sh`, which installs and builds the mesh libraries and Ipopt, runs everything on this machine and
puts these tables, their CSV and the figures here. Every timed answer is compared with the certified one: `wrong side` counts
answers that say apart of bodies that overlap or the other way round, `off` distances more than 1 µm away from the proven
bounds. The published columns are those of the papers, on their machines.";

const TARGETS: &str = "## Targets

Mean times over the intersecting pairs of the grasp. The best variant of a solver is the fastest of its rows from the same start,
whatever its first guess, its Jacobian and its formulas; how often it is right does not count. A row that is faster than ours
says so in its last column.";

const LOST_ROWS: &str = "The rows that are faster than ours for the same question, with their time over ours and the share of their answers that are
right:";

const TABLE_2: &str = "## The grasp (table 2 of the thesis)

All pairs of a finger surface of the right hand and one of the left that intersect along `config/two_hand_grasp.yaml`. The
hands are superellipsoids, or mixed (superovoids at the tips), as in the thesis, or superovoids throughout. What the thesis
calls superovoids are the superellipsoids, asked about with its code for superovoids: the rows `superovoid code`. Meshes are
tessellated from the mixed surfaces with 300, 440, 910 and 770 vertices from the base of a finger to its tip, 605 on average;
their vertices lie on the surface, so shallow contacts are missed. Triangles in a tree have no depth: FCL's distance is 0 or
below for all that overlap.

The thesis starts each query from the result of the step before and guesses anew when that fails: those are the warm rows,
which have its published numbers. All rows of its solvers restart with finer trees and then from regula falsi when they fail,
and keep the best iterate. Mean iterations count the steps of runs that fail and of their restarts too; the median is that of
a usual query.

Where Parry is off, Parry is wrong: all its depths that differ are shallower than proven, by 1 µm to 0.12 mm, as those of an
EPA are that ends early. The last column is a row's time over that of ours for the same question: yes or no, depth, or depth from the
last answer. `joint_sweep disagreements` prints these pairs with their poses, and
`crates/query/tests/query/disagreements.rs` looks at them with a slow search that shares no code with ours.";

const TABLE_3: &str = "## Time, spread, memory, error (table 3 of the thesis, measured)

Bytes of a smooth body are its fields with a pose; of a mesh, vertices and triangles with the tree above them, or, of a convex
mesh, with the neighbours of each vertex.";

const FIGURE_4: &str = "## Mesh resolution (figure 6.4 of the thesis)

Two superovoids of about a metre, apart, at random poses; meshes of 18 to 10 000 vertices that are placed to miss the
surface least. An error is that to the bounds of the certified distance plus their width, so ours is the width of the
proof. Smooth methods have two: over all poses, and over those where their own test says that they converged.";

const CONVEX_MESHES: &str = "## Convex meshes (V-Clip and GJK of the lecture)

Hulls of 10 to 1000 points on ellipsoids with semi-axes of 5 to 25 cm, apart. Warm rows start from the features or the normals found
for the same pair a millimetre and a milliradian earlier. V-Clip keeps its polyhedra, with the Voronoi planes of all features,
from query to query. All methods see the same polyhedra, so errors are those of the methods.";

const TABLES_2_TO_4: &str = "## Random pairs (tables II to IV of the closed-form contact space paper)

Ellipsoids (E), poly-ellipsoids (PE) and superquadrics (SQ) with semi-axes of 5 to 25 cm and exponents of 0.2 to 1.8, about
half of the pairs overlapping; the paper prints no ranges. `right`: on the right side of contact and within 1 µm of the
certified distance. `meets eq. 22` is the paper's own measure, |n × (x₁ − x₂)| < 1e-5, which the points farthest
apart meet too: published accuracies are to be compared with this column. The rows are measured here, on the same pairs; the
published columns are of the paper's machine and pairs, whose sizes matter to its absolute tolerances. Iterations of the
least-squares methods are accepted steps, as the paper's code counts them. The solvers start once, where the paper starts
them, and nearly all that they miss are pairs that overlap: local depths and points farthest apart. CN-FP is also algorithm II of the
normal parameterization, and `normal parameterization I` its algorithm I. The solvers of the thesis (Gonçalves) are there from equal
first guesses, octree and quadtree, as its section 7.2 asks for; they and the optimisers of Portal et al. handle superellipsoids alone,
and overlap tests of ellipsoids decide only. The spheres and boxes of Portal et al. tell bodies apart or leave the pair open:
`converged` counts those they separate, and the others count as overlapping.
They are not compared with ours, because they decide only a part of the pairs. A row that is faster than ours for its question says so in the last column.

The solvers of the thesis are asked about each pair twice, those of Portal et al. and Ipopt once, all others as often as it says
above: the slower a method, the less a disturbance of the machine adds to its time.

Implicit (IPOpt) finds the nearest points of two implicit surfaces with Ipopt, with the tolerance (1e-5) and the other settings
of the paper's code. It has no depth: a pair whose points are within 1 mm counts as overlapping, and of such an answer no more
is judged. Most of its time is bookkeeping of Ipopt and of its linear solver (MUMPS), not arithmetic on six unknowns.

FCL and Coal see meshes of 100 vertices; the published time of FCL includes building them. A body within another is apart from
it for trees of triangles, which have no inside: FCL's largest errors are these.";

const TABLE_5: &str = "## Motions (table V of the closed-form contact space paper)

A superquadric that stands and a poly-ellipsoid that flies past or into it. `right`: no overlap at 400 sampled moments
before the reported contact (or of the whole motion), and a distance within 1 µm at it. CFC-Dist-LS searches for angles and
time at once from the start of the motion. Where it is wrong it mostly ends at the moment the bodies come apart again, or takes
passing within 1 mm for a contact, as the paper's code does. The paper counts as right what meets eq. 22, of 10 000 motions
between random poses; ours begin and end apart.";
