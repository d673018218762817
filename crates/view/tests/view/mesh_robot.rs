//! A robot with meshes of boxes in a folder of its own, behind a view.

use std::path::Path;
use std::sync::Arc;

use smooth_scene_scene::SceneStore;
use smooth_scene_test_support::viewer::serve_robot;
use smooth_scene_view::ViewServer;

/// Corners of the triangles of a box.
fn cuboid(middle: [f64; 3], half: [f64; 3]) -> Vec<[[f64; 3]; 3]> {
    let corner = |k: usize| {
        [0, 1, 2]
            .map(|axis| middle[axis] + if k >> axis & 1 == 1 { half[axis] } else { -half[axis] })
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    halves.map(|triangle| triangle.map(corner)).collect()
}

/// Two boxes 0.3 m apart, joined by a thin bar.
pub(crate) fn dumbbell() -> Vec<[[f64; 3]; 3]> {
    [
        cuboid([-0.15, 0.0, 0.0], [0.05, 0.06, 0.04]),
        cuboid([0.15, 0.0, 0.0], [0.04, 0.03, 0.06]),
        cuboid([0.0, 0.0, 0.0], [0.15, 0.01, 0.01]),
    ]
    .concat()
}

pub(crate) fn stl(triangles: &[[[f64; 3]; 3]]) -> String {
    let vertex = |[x, y, z]: &[f64; 3]| format!("vertex {x} {y} {z}\n");
    let facet = |corners: &[[f64; 3]; 3]| {
        let corners: String = corners.iter().map(vertex).collect();
        format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    };
    format!("solid s\n{}endsolid s\n", triangles.iter().map(facet).collect::<String>())
}

/// `bell` is a mesh and a ball beside it, `twin` the same mesh elsewhere, `bad` a mesh of its own, `plain` a box.
const URDF: &str = r#"<robot name="bells">
  <link name="bell">
    <collision><origin xyz="0 0 0.1"/><geometry><mesh filename="bell.stl"/></geometry></collision>
    <collision><origin xyz="0 0 0.3"/><geometry><sphere radius="0.02"/></geometry></collision>
  </link>
  <link name="twin"><collision><geometry><mesh filename="bell.stl"/></geometry></collision></link>
  <link name="bad"><collision><geometry><mesh filename="bad.stl"/></geometry></collision></link>
  <link name="plain"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="a" type="fixed"><parent link="bell"/><child link="twin"/><origin xyz="0 0.4 0"/></joint>
  <joint name="b" type="prismatic"><parent link="bell"/><child link="bad"/><origin xyz="0 -0.4 0"/><axis xyz="0 1 0"/>
    <limit lower="-0.1" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="c" type="fixed"><parent link="bell"/><child link="plain"/><origin xyz="0.5 0 0"/></joint>
</robot>"#;

/// Serves the robot, whose files are in `folder`. The mesh of `bad` is broken once the robot has been read.
pub(crate) fn serve_bells(folder: &Path) -> (Arc<SceneStore>, ViewServer) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("bell.stl", &stl(&dumbbell()));
    write("bad.stl", &stl(&cuboid([0.0; 3], [0.05; 3])));
    write("bells.urdf", URDF);
    let served = serve_robot(&folder.join("bells.urdf"));
    write("bad.stl", "solid s\nfacet normal 0 0 0\nouter loop\nvertex 0 0 nothing\n");
    served
}
