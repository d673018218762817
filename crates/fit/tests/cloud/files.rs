//! Files that other programs wrote.

use smooth_scene_fit::cloud::{CloudLimits, PointCloud};
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cloud/data").join(name)
}

#[test]
fn every_format_gives_the_same_points() {
    let names = [
        "spiral.xyz",
        "spiral_ascii.pcd",
        "spiral_binary.pcd",
        "spiral_binary_compressed.pcd",
        "spiral_ascii.ply",
        "spiral_little.ply",
        "spiral_big.ply",
    ];
    for name in names {
        let cloud = PointCloud::load(&data(name), CloudLimits::default()).unwrap();
        assert_eq!((cloud.points().len(), cloud.skipped()), (59, 1), "{name}");
        let kept = (0..60).filter(|k| *k != 7);
        for (point, k) in cloud.points().iter().zip(kept) {
            let t = 0.3 * f64::from(k);
            let expected = [t.cos(), 0.5 * t.sin(), 0.25 * f64::from(k / 10)];
            // Single precision, or as many digits in the texts (PCD: ten, PLY: shortest, XYZ: nine).
            for axis in 0..3 {
                let error = (point[axis] - expected[axis]).abs();
                assert!(error <= 6e-8 * 1.25, "{name}: point {k}: {point:?}");
            }
        }
    }
}

#[test]
fn refusals_name_the_file() {
    let error = |path: PathBuf, limits| PointCloud::load(&path, limits).unwrap_err().to_string();
    let limits = CloudLimits::default();
    let missing = error(data("none.ply"), limits);
    assert!(missing.contains("none.ply: No such file"), "{missing}");
    let ending = error(data("README.md"), limits);
    assert!(ending.ends_with("README.md: ending `md` is not known, must be ply, pcd, xyz or pts"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xyz");
    std::fs::write(&path, "0 0 0\n0 0 1e7\n").unwrap();
    let far = error(path.clone(), limits);
    assert!(far.ends_with("a.xyz: point [0, 0, 10000000], must be within 1e6 m"), "{far}");
    let large = error(path, CloudLimits { max_bytes: 5, ..limits });
    assert!(large.ends_with("a.xyz: 14 bytes, must be at most 5"), "{large}");
    let folder = error(folder.path().join("b.pcd"), limits);
    assert!(folder.contains("b.pcd: No such file"), "{folder}");
    let many = error(data("spiral_big.ply"), CloudLimits { max_points: 59, ..limits });
    assert!(many.ends_with("60 vertices, must be at most 59"), "{many}");
}
