//! SRDFs as they are found: the bundled ones, and those of PyPI `example-robot-data` (feature `external-tests`).

use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, load_urdf};
use smooth_scene_scene::PlanningScene;
use smooth_scene_test_support::repository_file;
use std::sync::Arc;

#[test]
fn the_bundled_files_fit_their_robots() {
    let folder = repository_file("urdf");
    for (srdf, urdf) in [
        ("icub_hands", "icub_hands_mixed"),
        ("icub_hands", "icub_hands_superovoid"),
        ("icub_arms_hands", "icub_arms_hands_superellipsoid"),
    ] {
        let model =
            load_urdf(folder.join(format!("{urdf}.urdf")), &LoadOptions::default()).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{srdf}.srdf"))).unwrap();
        let srdf = Srdf::parse(&text, srdf).unwrap();
        let (semantics, warnings) = srdf.resolve(&model.model).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert!(semantics.group("r_index").unwrap().joints.len() >= 3);
        let scene = PlanningScene::new(Arc::new(model.model), Some(semantics)).unwrap();
        assert!(scene.body_set(&["r_index", "l_hand"]).unwrap().is_some());
        assert!(scene.robot_size().0 >= 44);
    }
}

/// Every file in what `tests/robots/install.sh` installed.
#[cfg(feature = "external-tests")]
#[test]
fn files_nobody_here_wrote_are_read_and_written_back() {
    let mut open = vec![smooth_scene_test_support::robots_venv::share()];
    let mut count = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "srdf") {
            let text = std::fs::read_to_string(&path).unwrap();
            let srdf = Srdf::parse(&text, &path.display().to_string()).unwrap();
            let again = Srdf::parse(&srdf.to_xml(), "written").unwrap();
            assert_eq!(srdf.to_xml(), again.to_xml());
            count += 1;
        }
    }
    assert_eq!(count, 38);
}
