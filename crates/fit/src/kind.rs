//! The kinds of surfaces that can be fitted.

/// A kind of surface. The order is that of preference: of two that fit about equally well the first is faster to query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SurfaceKind {
    /// A ball.
    Sphere,
    /// A cylinder with two half balls.
    Capsule,
    /// An ellipsoid.
    Ellipsoid,
    /// A superellipsoid: from ellipsoid to cylinder and box.
    Superellipsoid,
    /// A convex superovoid: a superellipsoid that grows or shrinks along its axis.
    Superovoid,
    /// The convex hull of the mesh.
    Hull,
}

impl SurfaceKind {
    /// Every kind, in the order of preference.
    pub const ALL: [SurfaceKind; 6] = [
        SurfaceKind::Sphere,
        SurfaceKind::Capsule,
        SurfaceKind::Ellipsoid,
        SurfaceKind::Superellipsoid,
        SurfaceKind::Superovoid,
        SurfaceKind::Hull,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SurfaceKind::Sphere => "sphere",
            SurfaceKind::Capsule => "capsule",
            SurfaceKind::Ellipsoid => "ellipsoid",
            SurfaceKind::Superellipsoid => "superellipsoid",
            SurfaceKind::Superovoid => "superovoid",
            SurfaceKind::Hull => "hull",
        }
    }

    /// The kind of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
