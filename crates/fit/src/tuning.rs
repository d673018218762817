//! Constants that were tuned, with what they were tuned on: the Panda, UR5 and Allegro hand of `example-robot-data`.

/// Smallest and largest exponent of a fitted superquadric. Below 0.1 it is a box or cylinder to a hundredth of its size;
/// above 1 the surface has sharp points, which contain nothing tightly.
pub(crate) const EXPONENTS: [f64; 2] = [0.1, 1.0];
/// A simpler kind is taken if its volume is at most this much above the best one.
pub(crate) const SIMPLER_VOLUME: f64 = 1.02;
/// Offsets of candidate planes, as shares of the extent of a part.
pub(crate) const CUT_SHARES: [f64; 3] = [0.3, 0.5, 0.7];
/// First cuts of a mesh that are followed, and to how many surfaces; then the best of them is followed alone. The first cut that is
/// best for two surfaces is not for four: with three of them four surfaces of link 4 of the Panda have 0.67 instead of 0.80 l too much.
pub(crate) const FIRST_CUTS: usize = 3;
pub(crate) const FOLLOWED_SURFACES: usize = 4;
/// Planes have different directions when the cosine between their normals is below this.
pub(crate) const OTHER_DIRECTION: f64 = 0.9;
/// Steps of the refinement of a plane: share of the extent, and angle in radians. Each round halves both.
pub(crate) const CUT_STEPS: (f64, f64) = (0.06, 0.2);
/// Rounds of that refinement.
pub(crate) const CUT_ROUNDS: usize = 3;
/// Triangles from which planes are ranked on a random part of the triangles only.
pub(crate) const RANKED_TRIANGLES: usize = 4000;
/// Samples of each surface with which models are compared.
pub(crate) const LEVEL_SAMPLES: usize = 1500;
/// Samples with which cuts are compared, in the box of a part.
pub(crate) const SPLIT_SAMPLES: usize = 4000;
/// Samples with which surfaces are polished, in the box of the mesh.
pub(crate) const POLISH_SAMPLES: usize = 2000;
/// Samples with which the cuts of different parts are compared, in the box of the mesh.
pub(crate) const TRIAL_SAMPLES: usize = 6000;
/// How often each surface is polished, and for how many generations (spheres and capsules): when cuts are tried, when models are
/// compared, and for the result.
pub(crate) const POLISH_TRIED: (usize, usize) = (1, 30);
pub(crate) const POLISH_COMPARED: (usize, usize) = (1, 50);
pub(crate) const POLISH_RESULT: (usize, usize) = (4, 120);
/// Weight of the whole volume of a surface beside the samples it takes.
pub(crate) const OWN_VOLUME: f64 = 0.1;
