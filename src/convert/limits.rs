//! How much one request may ask for, and how much the scene may hold.

/// Limits of requests and of the scene; each is a parameter of the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one request or message.
    pub message_bytes: usize,
    /// Objects of the world and attached ones together.
    pub objects: usize,
    /// Surfaces of one object.
    pub surfaces_per_object: usize,
    /// Vertices of one mesh.
    pub mesh_vertices: usize,
    /// States of one request.
    pub states: usize,
    /// Waypoints of one motion.
    pub waypoints: usize,
    /// Points of one cloud.
    pub cloud_points: usize,
    /// Pairs or contacts in one response.
    pub results: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 64 << 20,
            objects: 100_000,
            surfaces_per_object: 1_000,
            mesh_vertices: 100_000,
            states: 100_000,
            waypoints: 10_000,
            cloud_points: 2_000_000,
            results: 100_000,
        }
    }
}
