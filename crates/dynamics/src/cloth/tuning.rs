//! Constants that were chosen by trial, not derived. The example `cloth_figure` prints what a step costs with them, the tests of cloth
//! what has to hold. None but `STRETCH_ROOM` decides whether a cloth stays outside: any plane keeps it there. They decide what a step
//! costs, how smoothly contacts act, and how often something has to stay where it began.

// ---- planes

/// Newton steps of a search from scratch, before the exact query takes over.
pub(crate) const FIRST_STEPS: u32 = 6;
/// Newton steps of a search from a plane that is known: the vertex has moved by a small share of an edge since.
pub(crate) const NEXT_STEPS: u32 = 2;
/// A plane counts as the nearest when its gap is less than the distance of its support point by at most this share. A gap that is too
/// small only holds the cloth that much farther away.
pub(crate) const NEAR_ENOUGH: f64 = 1e-2;
/// A step of Newton's method is shortened as if the point were at least this share of its distance from the support point away:
/// behind a plane the gap is negative, and the full step leads anywhere.
pub(crate) const LEAST_SHARE: f64 = 0.1;
/// Steps of differences of the implicit function, in shares of the distance and size of a body. A difference of so small a step is
/// right to several digits, and a first direction needs one.
pub(crate) const DIFFERENCE: f64 = 1e-6;

// ---- when a plane is made anew

/// The error of a vertex's distance that makes its plane stale, in shares of the thickness: what the eye does not see.
pub(crate) const STALE_SHARE: f64 = 0.02;
/// The shortest way that makes a plane stale, in edges, so that sharp bodies do not cost a plane in every substep.
pub(crate) const LEAST_STALE: f64 = 0.02;
/// The longest way that does not, in edges, as the radius of curvature changes along it.
pub(crate) const MOST_STALE: f64 = 0.1;

// ---- rounds of contacts

/// Rounds of triangles and vertices in a substep: what the pushes of vertices bring behind the planes of triangles is pushed once more, and
/// what is left stays where it began.
pub(crate) const CONTACT_ROUNDS: usize = 2;
/// Rounds over the planes of one vertex. Planes at right angles need one for each; in a sharp wedge the rounds do not end, and the
/// vertex stays where it began.
pub(crate) const PLANE_ROUNDS: u32 = 10;
/// How often blocks that were pushed beyond what they know look again in a substep, before all of the cloth
/// stays where it began.
pub(crate) const LOOKS: usize = 10;

// ---- blocks and bodies

/// Vertices along a side of a block. The thesis has blocks of 6 × 6; fewer and larger ones search less often and keep more planes.
pub(crate) const BLOCK_SIDE: usize = 8;
/// How far a block may move until it looks for bodies again, in edges. More finds bodies that it never reaches.
pub(crate) const SLACK_EDGES: f64 = 0.25;
/// The same in motions of the present substep, where that is more: a fast block looks in one substep of four.
pub(crate) const SLACK_MOTIONS: f64 = 4.0;
/// Room around bodies that move, in shares of their size: until a body has left it, blocks need not look again.
pub(crate) const MOVING_ROOM: f64 = 0.1;

// ---- the start

/// How often a vertex is put in front of the bodies it starts in, each of which may push it into another. It is done
/// once, so that many cost little.
pub(crate) const PUSHES: usize = 100;
/// How far in front it is put from the second time on, in thicknesses: pushes to and fro between two bodies would else need ever more
/// rounds for ever less.
pub(crate) const PUSH_AGAIN: f64 = 1.25;
/// Share of the thickness that counts as rounding.
pub(crate) const ROUNDING: f64 = 1e-9;
/// How much longer than at rest an edge may become for triangles to be safe without contacts of their own. On the bodies of
/// the tests edges are at most 1.07 times as long as at rest.
pub(crate) const STRETCH_ROOM: f64 = 1.25;
