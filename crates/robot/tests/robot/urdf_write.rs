//! Writing robots back: what is not changed stays byte for byte, what is changed is read as it was meant.

use std::path::Path;

use nalgebra::UnitQuaternion;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_robot::{
    DocumentEdit, LinkSurface, LoadOptions, LoadedRobot, Sidecar, describe, load_urdf, parse_urdf,
};

fn options() -> LoadOptions {
    LoadOptions { use_environment: false, ..Default::default() }
}

fn parse(text: &str) -> LoadedRobot {
    parse_urdf(text, "test.urdf", &options()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn sample() -> LoadedRobot {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    load_urdf(crate_folder.join("tests/data/urdf/sample.urdf"), &options()).unwrap()
}

/// Every kind of shape that a URDF can hold, each turned another way, also to where pitch is 90°.
fn collisions() -> Vec<LinkSurface> {
    let shapes = [
        Shape::superovoid([0.07, 0.06, 0.2], 1.0, 0.8, [-0.1, 0.3]),
        Shape::superovoid([0.07, 0.06, 0.2], 0.3, 0.8, [0.5, 0.0]),
        Shape::superellipsoid([0.1, 0.2, 1.0 / 3.0], 0.5, 1.5),
        Shape::superellipsoid([0.1, 0.11, 0.3], 1.4, 0.2),
        Shape::ellipsoid([0.1, 0.2, 0.3]),
        Shape::poly_ellipsoid([0.1, 0.2, 0.3, 0.1, 0.25, 0.5]),
        Shape::capsule(0.1, 0.15),
        Shape::sphere(0.7),
        Shape::cuboid([0.1, 0.2, 0.3]),
        Shape::cylinder(0.1, 1.0 / 7.0),
    ];
    let right = std::f64::consts::FRAC_PI_2;
    let pitches = [0.3, 1.5, right, right - 3e-8, 4e-9 - right, -1.0, 3.0, 0.0];
    let poses = pitches.into_iter().cycle().enumerate().map(|(k, pitch)| {
        let turn = UnitQuaternion::from_euler_angles(0.7 * k as f64, pitch, 1.1 - k as f64);
        Pose::from_parts(Vec3::new(0.1, -0.2, k as f64 / 3.0).into(), turn)
    });
    let named = |k: usize| k.is_multiple_of(2).then(|| format!("<c> & \"{k}\""));
    let parts = shapes.into_iter().zip(poses).enumerate();
    parts
        .map(|(k, (shape, pose_in_link))| LinkSurface {
            name: named(k),
            pose_in_link,
            shape: shape.unwrap(),
        })
        .collect()
}

fn assert_same(read: &[LinkSurface], written: &[LinkSurface]) {
    assert_eq!(read.len(), written.len());
    for (read, written) in read.iter().zip(written) {
        assert_eq!(read.name, written.name);
        assert_eq!(read.shape, written.shape);
        assert_eq!(read.pose_in_link.translation, written.pose_in_link.translation);
        let angle = read.pose_in_link.rotation.angle_to(&written.pose_in_link.rotation);
        assert!(angle < 1e-14, "{angle:e} {:?}", written.pose_in_link);
    }
}

#[test]
fn without_edits_every_byte_stays() {
    let robot = sample();
    assert_eq!(robot.document.write(&[]).unwrap(), robot.document.text());
}

#[test]
fn new_collisions_are_read_as_they_were_written() {
    let frames = [
        "<robot name='r'><link name='a'/></robot>",
        "<robot name='r'>\r\n  <link name='a' />\r\n</robot>\r\n",
        "<robot name='r'>\n\t<link name='a'>\n\t</link>\n</robot>",
        "<robot\nname='r' xmlns:scs='urn:other'><link name='a'><!-- c --></link></robot>",
        "<robot name='r' xmlns:s='urn:smooth-scene:scs:1'><link name='a'><collision><s:ellipsoid radii='1 1 1'/></collision></link></robot>",
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry></collision>\n<!-- between -->\n\
         <collision><geometry><sphere radius='1'/></geometry></collision><visual/></link></robot>",
    ];
    for frame in frames {
        let before = parse(frame);
        for count in [0, 1, collisions().len()] {
            let collisions = collisions()[..count].to_vec();
            let edit =
                DocumentEdit::Collisions { link: "a".into(), collisions: collisions.clone() };
            let text = before.document.write(&[edit]).unwrap();
            let after = parse(&text);
            assert_same(&after.model.links()[0].collisions, &collisions);
            assert_eq!(text.contains("between"), frame.contains("between"));
            assert_eq!(text.contains("\r\n"), frame.contains("\r\n"));
            // What has been written is not changed by reading and writing it again.
            assert_eq!(after.document.write(&[]).unwrap(), text);
        }
    }
}

#[test]
fn every_shape_of_the_sample_can_be_exchanged_and_nothing_else_changes() {
    let before = sample();
    for link in before.document.links() {
        for index in 0..link.collisions.len() {
            for LinkSurface { shape, .. } in collisions() {
                let link = link.name.clone();
                let edit = DocumentEdit::Shape { link: link.clone(), index, shape: shape.clone() };
                let text = before.document.write(&[edit]).unwrap();
                let after = parse(&text);
                let id = after.model.link_id(&link).unwrap();
                assert_eq!(after.model.link(id).collisions[index].shape, shape);
                // Put the old shape back into the model's description: it must be the old one.
                let old_id = before.model.link_id(&link).unwrap();
                let old = before.model.link(old_id).collisions[index].shape.clone();
                let back = DocumentEdit::Shape { link, index, shape: old };
                let restored = parse(&after.document.write(&[back]).unwrap());
                assert_eq!(describe(&restored.model), describe(&before.model));
                for kept in
                    ["not our business", "<teapot lid=\"open\"/>", "<flavour taste=\"sweet\"/>"]
                {
                    assert!(text.contains(kept));
                }
            }
        }
    }
}

#[test]
fn the_fallback_contains_the_surface() {
    let before = parse("<robot name='r'><link name='a'/></robot>");
    let collisions = collisions();
    let edit = DocumentEdit::Collisions { link: "a".into(), collisions: collisions.clone() };
    let text = before.document.write(&[edit]).unwrap();
    // What a tool sees that ignores our namespace: only the standard geometry.
    let ignoring: String =
        text.lines().filter(|line| !line.trim_start().starts_with("<scs:")).collect();
    let fallback = parse(&ignoring);
    for (outer, inner) in fallback.model.links()[0].collisions.iter().zip(&collisions) {
        for k in 0..20_000 {
            // Directions on a spiral over the sphere.
            let z = 1.0 - (2.0 * k as f64 + 1.0) / 20_000.0;
            let (sin, cos) = (2.399963229728653 * k as f64).sin_cos();
            let r = (1.0 - z * z).sqrt();
            let point = inner.shape.support(&Vec3::new(r * cos, r * sin, z)).point;
            assert!(outer.shape.inside_outside(&point) <= 1e-12, "{:?} {point:?}", inner.shape);
        }
    }
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let robot = sample();
    let ball = Shape::sphere(1.0).unwrap();
    let shape = |link: &str, index, shape| DocumentEdit::Shape { link: link.into(), index, shape };
    let error = |edits: &[DocumentEdit]| robot.document.write(edits).unwrap_err().to_string();
    assert_eq!(error(&[shape("ghost", 0, ball.clone())]), "link `ghost` is not in the document");
    assert_eq!(
        error(&[shape("base", 2, ball.clone())]),
        "link `base` has 2 collisions, there is none with index 2"
    );
    assert_eq!(
        error(&[shape("base", 1, ball.clone()), shape("base", 1, ball)]),
        "link `base` is changed twice"
    );
    let plane = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    assert_eq!(
        error(&[shape("base", 0, plane)]),
        "link `base`: a half_space cannot be written to a URDF"
    );
}

#[test]
fn a_sidecar_replaces_the_collisions_of_the_links_it_names() {
    let text = "
base: []
upper:
  - type: superovoid
    name: tip
    radii: [0.0071, 0.0069, 0.0128]
    exponent_xy: 1.0
    exponent_z: 0.8
    taper: [-0.1, -0.1]
    origin: {xyz: [0.009, 0, 0], rpy: [0, 0.5, 0]}
  - {type: cylinder, radius: 0.1, length: 0.4}
  - {type: poly_ellipsoid, radii: [1, 2, 3, 4, 5, 6]}
";
    let sidecar = Sidecar::Text { label: "side.yaml".into(), text: text.into() };
    let options = LoadOptions { sidecar: Some(sidecar), ..options() };
    let robot = parse_urdf(sample().document.text(), "test.urdf", &options).unwrap().model;
    assert!(robot.link(robot.link_id("base").unwrap()).collisions.is_empty());
    let upper = &robot.link(robot.link_id("upper").unwrap()).collisions;
    let pose = Pose::from_parts(
        Vec3::new(0.009, 0.0, 0.0).into(),
        UnitQuaternion::from_euler_angles(0.0, 0.5, 0.0),
    );
    let radii = [0.0071, 0.0069, 0.0128];
    assert_eq!(upper[0].shape, Shape::superovoid(radii, 1.0, 0.8, [-0.1, -0.1]).unwrap());
    assert_eq!((upper[0].name.as_deref(), upper[0].pose_in_link), (Some("tip"), pose));
    assert_eq!(upper[1].shape, Shape::cylinder(0.1, 0.2).unwrap());
    assert_eq!(upper.len(), 3);
    let untouched = robot.link(robot.link_id("lower").unwrap());
    assert_eq!(untouched.collisions.len(), 2);
}

#[test]
fn dented_superovoids_are_refused_when_asked() {
    let text = "<robot name='r'><link name='a'><collision><geometry>\
                <superovoid radii='1 1 1' exponent_xy='0.8' exponent_z='0.5' taper='0.3 -0.3'/>\
                </geometry></collision></link></robot>";
    assert!(!parse(text).model.links()[0].collisions[0].shape.is_convex());
    let strict = LoadOptions { strict_convexity: true, ..options() };
    let error = parse_urdf(text, "test.urdf", &strict).unwrap_err().to_string();
    assert!(error.ends_with("taper [0.3, -0.3] is not convex"), "{error}");
}

/// From version 1.1 on an origin may hold a quaternion; it is used as it is, also where angles would be coarse.
#[test]
fn quaternions_of_version_1_1_are_exact() {
    let turn = UnitQuaternion::from_euler_angles(0.4, 1.569, -0.3);
    let [x, y, z, w]: [f64; 4] = turn.coords.into();
    let text = |version: &str| {
        format!(
            "<robot name='r' version='{version}'><link name='a'><collision>\
             <origin quat_xyzw='{x} {y} {z} {w}'/><geometry><sphere radius='1'/></geometry>\
             </collision></link></robot>"
        )
    };
    let read = |version: &str| parse(&text(version)).model.links()[0].collisions[0].pose_in_link;
    assert!(read("1.1").rotation.angle_to(&turn) < 1e-15);
    assert_eq!(read("1.0"), Pose::identity());
}
