//! A valid robot with random damage: an error or a robot, never a panic; and what loads can be written back.

use proptest::prelude::*;
use smooth_scene_robot::{LoadOptions, Sidecar, load_urdf, parse_urdf};
use smooth_scene_test_support::random::properties;

const SAMPLE: &str = include_str!("../data/urdf/sample.urdf");
const SIDECAR: &str = "a: [{type: superovoid, radii: [1, 2, 3], exponent_xy: 1, exponent_z: 0.5, taper: [0, 0.1]}]\nb: &x []\nc: *x\n";
const OBJ: &str = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nusemtl m\nf 1//1 2//1 -1//1\nf 1 2 3 4\n";
const STL: &str = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1\nendloop\nendfacet\nendsolid t\n";
const DAE: &str = include_str!("../data/urdf_bad/bad_index.dae");

/// One piece of damage, applied at a random place.
#[derive(Debug, Clone)]
enum Damage {
    Cut(usize),
    Set(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
    Insert(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0..usize::MAX;
    let words = prop::sample::select(vec![
        "<",
        ">",
        "/>",
        "\"",
        "&",
        "&amp;",
        "&#0;",
        "<!--",
        "]]>",
        "<![CDATA[",
        "<?",
        "nan",
        "1e999",
        "-",
        "\0",
        "\u{fffd}",
        "xmlns=\"urn:x\" ",
        "<collision>",
        "</link>",
        "[",
        "*x",
        "99999999999999999999",
    ]);
    prop_oneof![
        at.clone().prop_map(Damage::Cut),
        (at.clone(), any::<u8>()).prop_map(|(k, byte)| Damage::Set(k, byte)),
        (at.clone(), 1usize..60).prop_map(|(k, n)| Damage::Remove(k, n)),
        (at.clone(), 1usize..200).prop_map(|(k, n)| Damage::Repeat(k, n)),
        (at, words).prop_map(|(k, word)| Damage::Insert(k, word)),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for damage in damages {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        match *damage {
            // Cutting near the end keeps most of the file in play.
            Damage::Cut(k) => bytes.truncate(length - 1 - (k % length) / 4),
            Damage::Set(k, byte) => bytes[k % length] = byte,
            Damage::Remove(k, n) => {
                let k = k % length;
                bytes.drain(k..(k + n).min(length));
            }
            Damage::Repeat(k, n) => {
                let k = k % length;
                let piece = bytes[k..(k + n).min(length)].to_vec();
                bytes.splice(k..k, piece);
            }
            Damage::Insert(k, word) => {
                let k = k % length;
                bytes.splice(k..k, word.bytes());
            }
        }
    }
    bytes
}

fn options() -> LoadOptions {
    LoadOptions { use_environment: false, ..Default::default() }
}

proptest! {
    #![proptest_config(properties(3000, 1))]

    #[test]
    fn a_damaged_urdf_is_an_error_or_a_robot(damages in prop::collection::vec(damage(), 1..5)) {
        let bytes = damaged(SAMPLE, &damages);
        let text = String::from_utf8_lossy(&bytes);
        match parse_urdf(&text, "damaged.urdf", &options()) {
            Ok(robot) => prop_assert_eq!(robot.document.write(&[]).unwrap(), text),
            Err(error) => prop_assert!(error.to_string().starts_with("damaged.urdf:"), "{}", error),
        }
    }

    #[test]
    fn a_damaged_sidecar_is_an_error_or_surfaces(damages in prop::collection::vec(damage(), 1..4)) {
        let text = String::from_utf8_lossy(&damaged(SIDECAR, &damages)).into_owned();
        let sidecar = Sidecar::Text { label: "side.yaml".into(), text };
        let robot = "<robot name='r'><link name='a'/></robot>";
        if let Err(error) =
            parse_urdf(robot, "r.urdf", &LoadOptions { sidecar: Some(sidecar), ..options() })
        {
            prop_assert!(error.to_string().starts_with("side.yaml: "), "{}", error);
        }
    }

    #[test]
    fn a_damaged_mesh_is_an_error_or_a_hull(
        format in 0usize..3,
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let (ending, text) = [("stl", STL), ("obj", OBJ), ("dae", DAE)][format];
        let stem = format!("smooth_scene_damaged_{}_{:?}", std::process::id(), std::thread::current().id());
        let mesh = std::env::temp_dir().join(format!("{stem}.{ending}"));
        let urdf = std::env::temp_dir().join(format!("{stem}.urdf"));
        std::fs::write(&mesh, damaged(text, &damages)).unwrap();
        let robot = format!(
            "<robot name='r'><link name='a'><collision><geometry><mesh filename='{stem}.{ending}'/></geometry></collision></link></robot>"
        );
        std::fs::write(&urdf, robot).unwrap();
        let loaded = load_urdf(&urdf, &options());
        std::fs::remove_file(&mesh).unwrap();
        std::fs::remove_file(&urdf).unwrap();
        if let Err(error) = loaded {
            prop_assert!(error.to_string().contains("<mesh> in <link name=\"a\">"), "{}", error);
        }
    }
}
