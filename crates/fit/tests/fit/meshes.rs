//! Meshes of every kind: whole, flat, broken, tiny, large.

use std::sync::atomic::AtomicBool;

use smooth_scene_fit::{
    FitError, FitOptions, FittedSurface, LinkFit, LinkMeshes, SurfaceKind, Triangle, check,
    fit_links, sidecar_text,
};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Shape, tessellate};
use smooth_scene_robot::{LoadOptions, Sidecar, parse_urdf};

use crate::slow_check::assert_link_contained;

fn link(name: &str, triangles: Vec<Triangle>) -> LinkMeshes {
    LinkMeshes { name: name.into(), pose_in_link: Pose::identity(), triangles }
}

fn fit_all(links: &[LinkMeshes], options: &FitOptions) -> Result<Vec<LinkFit>, FitError> {
    fit_links(links, options, &|_, _| {}, &AtomicBool::new(false))
}

/// Fits with so many surfaces at most, and checks the certificate and its meaning.
fn fit(triangles: Vec<Triangle>, surfaces: usize) -> LinkFit {
    let options = FitOptions { surfaces: Some(surfaces), ..FitOptions::default() };
    let fit = fit_all(&[link("part", triangles)], &options).unwrap().remove(0);
    assert!(!fit.surfaces.is_empty() && fit.surfaces.len() <= surfaces);
    assert_link_contained(&fit);
    let bodies: Vec<_> = fit.surfaces.iter().map(|s| (s.pose(), &s.shape)).collect();
    assert_eq!(check(&fit.triangles, &bodies, &fit.certificate), Ok(()));
    fit
}

fn mesh_of(shape: &Shape, deviation: f64, shift: Vec3) -> Vec<Triangle> {
    let mesh = tessellate(shape, deviation);
    let corner = |k: u32| mesh.vertices[k as usize] + shift;
    mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// Two bars that meet at a right angle.
fn angle() -> Vec<Triangle> {
    let bar = |half: [f64; 3], shift: Vec3| mesh_of(&Shape::cuboid(half).unwrap(), 1e-3, shift);
    let mut triangles = bar([0.3, 0.04, 0.04], Vec3::new(0.26, 0.0, 0.0));
    triangles.extend(bar([0.04, 0.04, 0.3], Vec3::new(0.0, 0.0, 0.26)));
    triangles
}

#[test]
fn superellipsoids_are_recovered_from_their_meshes() {
    let shapes = [
        ([0.06, 0.09, 0.2], [0.6, 0.4]),
        ([0.06, 0.09, 0.2], [0.3, 0.8]),
        ([0.1, 0.1, 0.05], [0.5, 0.5]),
        ([0.1, 0.15, 0.12], [0.9, 0.2]),
    ];
    for (radii, [exponent_xy, exponent_z]) in shapes {
        let shape = Shape::superellipsoid(radii, exponent_xy, exponent_z).unwrap();
        let truth = FittedSurface::at(&Pose::identity(), shape.clone()).volume();
        let fit = fit(mesh_of(&shape, 2e-4, Vec3::new(0.3, -0.1, 0.5)), 1);
        // The surface itself contains its mesh. A simpler kind may be 2 % larger; 1 % is left to the search.
        let ratio = fit.surfaces[0].volume() / truth;
        assert!(ratio < 1.03, "{radii:?} {exponent_xy} {exponent_z}: {ratio}");
        // No convex body around the mesh is smaller than its hull.
        assert!(fit.surfaces[0].volume() > fit.measures.hull_volume);
        // The volumes of the report, from samples, are those of the formulas.
        assert!((fit.measures.volume / fit.surfaces[0].volume() - 1.0).abs() < 0.01);
    }
}

#[test]
fn a_ball_becomes_a_sphere_and_a_rounded_bar_a_capsule() {
    let ball = fit(mesh_of(&Shape::sphere(0.1).unwrap(), 1e-4, Vec3::x()), 1);
    assert_eq!(ball.surfaces[0].shape.kind(), "sphere");
    let bar = fit(mesh_of(&Shape::capsule(0.05, 0.2).unwrap(), 1e-4, Vec3::y()), 1);
    assert_eq!(bar.surfaces[0].shape.kind(), "capsule");
}

#[test]
fn an_angle_is_cut_in_two_and_that_is_much_tighter() {
    let one = fit(angle(), 1);
    let two = fit(angle(), 2);
    assert_eq!((one.surfaces.len(), two.surfaces.len()), (1, 2));
    assert!(two.measures.volume < 0.4 * one.measures.volume);
    // Two surfaces around bars of 0.6 m: the mean stays below a fifth of their thickness.
    assert!(two.measures.outward.mean < 0.016, "{:?}", two.measures);
    assert!(two.measures.mesh_volume.unwrap() > 0.0);
}

#[test]
fn a_tolerance_decides_how_many_surfaces() {
    let with = |tolerance: f64| {
        let options = FitOptions { tolerance: Some(tolerance), ..FitOptions::default() };
        fit_all(&[link("angle", angle())], &options).unwrap().remove(0)
    };
    let (coarse, fine) = (with(1.0), with(0.02));
    assert_eq!(coarse.surfaces.len(), 1);
    assert!(fine.surfaces.len() > 1 && fine.measures.outward.mean <= 0.02 * 1.05, "{fine:?}");
}

#[test]
fn a_single_triangle_a_flat_mesh_and_a_point_are_contained() {
    let triangle = [Vec3::zeros(), Vec3::x() * 0.2, Vec3::y() * 0.1];
    fit(vec![triangle], 1);
    let square =
        [[0.0, 0.0], [0.4, 0.0], [0.4, 0.4], [0.0, 0.4]].map(|[x, y]| Vec3::new(x, y, 0.1));
    fit(vec![[square[0], square[1], square[2]], [square[0], square[2], square[3]]], 2);
    fit(vec![[Vec3::x(); 3]], 1);
    let needle = [Vec3::zeros(), Vec3::x(), Vec3::x() * 0.5];
    fit(vec![needle], 1);
}

#[test]
fn holes_duplicates_and_inside_out_triangles_change_nothing() {
    let shape = Shape::cylinder(0.05, 0.1).unwrap();
    let whole = mesh_of(&shape, 1e-3, Vec3::zeros());
    assert!(fit(whole.clone(), 1).measures.mesh_volume.is_some());
    let mut hole = whole.clone();
    hole.truncate(hole.len() - 4);
    assert_eq!(fit(hole, 1).measures.mesh_volume, None);
    let turned: Vec<Triangle> = whole.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = fit(turned, 1);
    assert!(turned.measures.mesh_volume.unwrap() > 0.0);
    // Every triangle twice, and a sheet that three triangles share.
    let mut odd = [whole.clone(), whole].concat();
    odd.push([Vec3::zeros(), Vec3::z() * 0.05, Vec3::x() * 0.04]);
    fit(odd, 1);
}

#[test]
fn bad_input_is_refused_by_name_and_value() {
    let refused = |triangles: Vec<Triangle>, options: &FitOptions| {
        fit_all(&[link("arm", triangles)], options).unwrap_err().to_string()
    };
    let options = FitOptions::default();
    assert_eq!(refused(Vec::new(), &options), "arm: no triangles");
    let broken = [Vec3::zeros(), Vec3::x(), Vec3::new(0.0, f64::NAN, 0.0)];
    assert_eq!(
        refused(vec![[Vec3::zeros(), Vec3::x(), Vec3::y()], broken], &options),
        "arm: triangle 1 has the corner [0, NaN, 0], must be within 1e6 m"
    );
    let far = [Vec3::zeros(), Vec3::x(), Vec3::new(0.0, 2e6, 0.0)];
    assert!(refused(vec![far], &options).contains("[0, 2000000, 0]"));
    let hulls = FitOptions { kinds: vec![SurfaceKind::Hull], ..FitOptions::default() };
    assert!(refused(angle(), &hulls).contains("only hull"));
    let negative = FitOptions { tolerance: Some(-1.0), ..FitOptions::default() };
    assert_eq!(refused(angle(), &negative), "tolerance is -1, must be above 0 m");
    let few = FitOptions { surfaces: Some(1), ..FitOptions::default() };
    let two = [link("a", angle()), link("b", angle())];
    let error = fit_all(&two, &few).unwrap_err().to_string();
    assert_eq!(error, "1 surfaces for 2 links with meshes, must be at least one for each");
}

#[test]
fn equal_meshes_get_equal_surfaces_and_a_seed_repeats_them() {
    let turned = Pose::rotation(Vec3::z() * 1.0);
    let links =
        [link("left", angle()), LinkMeshes { pose_in_link: turned, ..link("right", angle()) }];
    let options = FitOptions { surfaces: Some(4), ..FitOptions::default() };
    let fits = fit_all(&links, &options).unwrap();
    assert_eq!(fits[0].surfaces.len(), fits[1].surfaces.len());
    fits.iter().for_each(assert_link_contained);
    for (a, b) in fits[0].surfaces.iter().zip(&fits[1].surfaces) {
        assert_eq!(a.shape.kind(), b.shape.kind());
        let moved = turned * nalgebra::Point3::from(Vec3::from(a.xyz));
        assert!((moved.coords - Vec3::from(b.xyz)).norm() < 1e-5);
    }
    let image = |p: Vec3| Vec3::new(p.x, -p.y, p.z);
    let slanted: Vec<Triangle> = angle()
        .into_iter()
        .map(|corners| corners.map(|p| Vec3::new(p.x, p.y + 0.3 * p.x, p.z)))
        .collect();
    let other = slanted.iter().map(|corners| corners.map(image)).collect();
    let pair = fit_all(&[link("left", slanted), link("right", other)], &options).unwrap();
    pair.iter().for_each(assert_link_contained);
    for (a, b) in pair[0].surfaces.iter().zip(&pair[1].surfaces) {
        assert_eq!(a.shape.kind(), b.shape.kind());
        assert!((image(Vec3::from(a.xyz)) - Vec3::from(b.xyz)).norm() < 1e-5);
        assert!((a.volume() / b.volume() - 1.0).abs() < 1e-3);
    }
    let again = fit_all(&links, &options).unwrap();
    for (a, b) in fits.iter().zip(&again) {
        assert_eq!(a.surfaces, b.surfaces);
    }
}

#[test]
fn only_the_kinds_that_are_allowed_are_used() {
    for kind in SurfaceKind::ALL.into_iter().filter(|kind| *kind != SurfaceKind::Hull) {
        let options = FitOptions { kinds: vec![kind], surfaces: Some(2), ..FitOptions::default() };
        let fit = fit_all(&[link("angle", angle())], &options).unwrap().remove(0);
        assert_link_contained(&fit);
        for surface in &fit.surfaces {
            // A superovoid without taper is a superellipsoid.
            let name = surface.shape.kind();
            let plain = kind == SurfaceKind::Superovoid && name == "superellipsoid";
            assert!(name == kind.name() || plain, "{name} instead of {}", kind.name());
        }
    }
}

#[test]
fn a_million_triangles_are_contained() {
    // Bumps on a ball, so that the hull does not have every vertex.
    let (rings, columns) = (500, 1000);
    let point = |i: usize, j: usize| {
        let (theta, phi) = (
            std::f64::consts::PI * i as f64 / rings as f64,
            std::f64::consts::TAU * (j % columns) as f64 / columns as f64,
        );
        let radius = 0.1 + 0.004 * (12.0 * theta).sin() * (16.0 * phi).cos();
        radius * Vec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos())
    };
    let mut triangles = Vec::with_capacity(2 * rings * columns);
    for i in 0..rings {
        for j in 0..columns {
            let [a, b] = [point(i, j), point(i, j + 1)];
            let [c, d] = [point(i + 1, j), point(i + 1, j + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    assert_eq!(triangles.len(), 1_000_000);
    let options = FitOptions { surfaces: Some(1), ..FitOptions::default() };
    let fit = fit_all(&[link("ball", triangles)], &options).unwrap().remove(0);
    assert_eq!(fit.surfaces[0].shape.kind(), "sphere");
    let surfaces: Vec<_> = fit.surfaces.iter().map(|s| (s.pose(), &s.shape)).collect();
    let some: Vec<Triangle> = fit.triangles.iter().step_by(997).copied().collect();
    crate::slow_check::assert_contained("ball", &some, &surfaces);
}

#[test]
fn a_box_keeps_its_hull_when_hulls_are_allowed() {
    let cuboid = mesh_of(&Shape::cuboid([0.1, 0.2, 0.05]).unwrap(), 1e-3, Vec3::x());
    let mut options = FitOptions { surfaces: Some(2), ..FitOptions::default() };
    assert!(fit_all(&[link("box", cuboid.clone())], &options).unwrap()[0].hull.is_none());
    options.kinds.push(SurfaceKind::Hull);
    let fits = fit_all(&[link("box", cuboid), link("angle", angle())], &options).unwrap();
    assert_eq!(fits[0].hull.as_deref(), Some("its hull has 8 corners and is tighter"));
    assert!(fits[0].surfaces.is_empty());
    let m = &fits[0].measures;
    assert!(m.outward.mean < 1e-6 && (m.volume / 0.008 - 1.0).abs() < 1e-9, "{m:?}");
    // The hull of an angle is much larger than two surfaces.
    assert!(fits[1].hull.is_none() && !fits[1].surfaces.is_empty());
}

#[test]
fn what_is_cancelled_gives_nothing() {
    let cancel = AtomicBool::new(true);
    let options = FitOptions { surfaces: Some(3), ..FitOptions::default() };
    let found = fit_links(&[link("angle", angle())], &options, &|_, _| {}, &cancel);
    assert_eq!(found.unwrap_err(), FitError::Cancelled);
}

#[test]
fn a_sidecar_reads_back_to_the_same_bits() {
    let name = "odd \"name\": {x}";
    let options = FitOptions { surfaces: Some(3), ..FitOptions::default() };
    let fit = fit_all(&[link(name, angle())], &options).unwrap().remove(0);
    let text = sidecar_text("A comment.\nOf two lines.", [(name, fit.surfaces.as_slice())]);
    let urdf = "<robot name=\"r\"><link name=\"odd &quot;name&quot;: {x}\"/></robot>";
    let sidecar = Some(Sidecar::Text { label: "s.yaml".into(), text });
    let options = LoadOptions { sidecar, ..LoadOptions::default() };
    let robot = parse_urdf(urdf, "r.urdf", &options).unwrap().model;
    let read = &robot.links()[0].collisions;
    assert_eq!(read.len(), fit.surfaces.len());
    for (read, written) in read.iter().zip(&fit.surfaces) {
        assert_eq!(read.shape, written.shape);
        assert_eq!(read.pose_in_link, written.pose());
    }
    let bodies: Vec<_> = read.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
    assert_eq!(check(&fit.triangles, &bodies, &fit.certificate), Ok(()));
}
