//! The page, built into the binary: the files of `web/`, served as they are. Nothing is bundled or generated.

/// A file of the page.
#[derive(Debug)]
pub(super) struct File {
    /// Its path below `web/` and below the address of the page.
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal,)*) => {
        [$(File { name: $name, bytes: include_bytes!(concat!("../web/", $name)) },)*]
    };
}

/// All files of the page.
pub(super) static FILES: [File; 42] = files![
    "index.html",
    "app.css",
    "main.js",
    "draw/camera.js",
    "draw/gestures.js",
    "draw/handles.js",
    "draw/lines.js",
    "draw/markers.js",
    "draw/math.js",
    "draw/meshes.js",
    "draw/patches.js",
    "draw/renderer.js",
    "draw/scene3d.js",
    "draw/shaders.js",
    "draw/themes.js",
    "page/actions.js",
    "page/cloth.js",
    "page/connection.js",
    "page/cover.js",
    "page/dom.js",
    "page/editor.js",
    "page/energy.js",
    "page/filter.js",
    "page/fit.js",
    "page/game.js",
    "page/hold.js",
    "page/joints.js",
    "page/keyboard.js",
    "page/objects.js",
    "page/pad.js",
    "page/pairs.js",
    "page/plan.js",
    "page/plot.js",
    "page/shapes.js",
    "page/simulate.js",
    "page/sketch.js",
    "page/sketch_joints.js",
    "page/sketch_lines.js",
    "page/sketch_panel.js",
    "page/times.js",
    "page/visuals.js",
    "page/world.js",
];

impl File {
    /// Where it is served; the page itself at the root.
    pub fn route(&self) -> String {
        if self.name == "index.html" { "/".to_owned() } else { format!("/{}", self.name) }
    }

    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            _ => panic!("`{}` has no known ending", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The page is small, and stays so.
    const MAX_BYTES: usize = 250 << 10;

    fn names_below(folder: &Path, prefix: &str, names: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                names_below(&path, &format!("{name}/"), names);
            } else {
                names.insert(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let mut names = BTreeSet::new();
        names_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web"), "", &mut names);
        let served: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
        assert_eq!(names, served);
        assert!(FILES.iter().all(|file| file.media_type().ends_with("charset=utf-8")));
    }

    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        let bytes: usize = FILES.iter().map(|file| file.bytes.len()).sum();
        assert!(bytes <= MAX_BYTES, "{bytes} bytes");
        for file in &FILES {
            let text = std::str::from_utf8(file.bytes).unwrap();
            let addresses = text.matches("://").count();
            // The picture of the page's tab names the namespace of SVG.
            let known = text.matches("http://www.w3.org/2000/svg").count();
            assert_eq!(addresses, known, "{}", file.name);
        }
    }
}
