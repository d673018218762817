//! Queries between two bodies, against exact values, an independent slow search and each other.

mod accuracy;
mod certificates;
mod continuous;
mod disagreements;
mod eight_placements;
mod flat_meshes;
mod hulls;
mod not_finite;
mod points;
mod portal_cases;
mod properties_distance;
mod second_order;
mod sharp_maxima;
