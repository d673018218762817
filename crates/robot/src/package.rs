//! Where is the file that a URDF names? `package://`, `model://`, `file://` and plain paths.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

/// Most folders looked into for one package: enough for a workspace of hundreds of packages, and the end of a search
/// that was started in `/`.
const MAX_FOLDERS: usize = 20_000;
/// How deep below a package path packages are looked for.
const MAX_DEPTH: usize = 6;

/// Finds the files that robot descriptions name.
#[derive(Debug, Clone)]
pub struct PackageResolver {
    /// Searched first: `--package-path`, then `ROS_PACKAGE_PATH`.
    roots: Vec<PathBuf>,
    /// Installation prefixes with an ament index.
    prefixes: Vec<PathBuf>,
    /// The folder of the URDF.
    folder: Option<PathBuf>,
    found: HashMap<String, Option<PathBuf>>,
}

impl PackageResolver {
    /// Packages are looked for, in this order: in `package_paths`, in `ROS_PACKAGE_PATH`, in the ament index of every
    /// prefix of `AMENT_PREFIX_PATH` (both only with `use_environment`), and in the folders above the URDF, so that a
    /// description inside its package needs no setting at all. `folder` is the folder of the URDF; relative paths are
    /// relative to it.
    pub fn new(package_paths: &[PathBuf], use_environment: bool, folder: Option<&Path>) -> Self {
        let mut roots = package_paths.to_vec();
        let mut prefixes = Vec::new();
        if use_environment {
            roots.extend(paths_of("ROS_PACKAGE_PATH"));
            prefixes.extend(paths_of("AMENT_PREFIX_PATH"));
        }
        // The folder of a bare file name is empty, which stands for the present one.
        let present =
            |folder: &Path| if folder.as_os_str().is_empty() { ".".into() } else { folder.into() };
        Self { roots, prefixes, folder: folder.map(present), found: HashMap::new() }
    }

    /// The same, with prefixes given instead of taken from the environment.
    #[cfg(test)]
    fn with_prefixes(roots: &[PathBuf], prefixes: &[PathBuf], folder: Option<&Path>) -> Self {
        Self { prefixes: prefixes.to_vec(), ..Self::new(roots, false, folder) }
    }

    /// The file behind a name, or everything that was looked at in vain.
    pub fn resolve(&mut self, uri: &str) -> Result<PathBuf, Vec<String>> {
        for scheme in ["package://", "model://"] {
            if let Some(rest) = uri.strip_prefix(scheme) {
                // Some files write three slashes; tools that paste strings together do not mind.
                return self.in_package(rest.trim_start_matches('/'));
            }
        }
        let path = match uri.strip_prefix("file://") {
            Some(path) => path,
            None => uri,
        };
        let folder = self.folder.clone().unwrap_or_default();
        existing(&folder, path).ok_or_else(|| vec![folder.join(path).display().to_string()])
    }

    fn in_package(&mut self, name_and_path: &str) -> Result<PathBuf, Vec<String>> {
        let (name, path) = name_and_path.split_once('/').unwrap_or((name_and_path, ""));
        if !self.found.contains_key(name) {
            let package = self.find_package(name);
            self.found.insert(name.into(), package);
        }
        match &self.found[name] {
            Some(package) => existing(package, path)
                .ok_or_else(|| vec![package.join(path).display().to_string()]),
            None => Err(self.looked_at(name)),
        }
    }

    fn find_package(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name == "." || name == ".." {
            return None;
        }
        let in_roots = || self.roots.iter().find_map(|root| package_below(root, name));
        let in_prefixes = || {
            self.prefixes.iter().find_map(|prefix| {
                let entry = prefix.join("share/ament_index/resource_index/packages").join(name);
                let share = prefix.join("share").join(name);
                (entry.exists() && share.is_dir()).then_some(share)
            })
        };
        in_roots().or_else(in_prefixes).or_else(|| self.above_the_urdf(name))
    }

    /// A folder above the URDF that is the package, or that contains it.
    fn above_the_urdf(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        let folder = std::path::absolute(folder).ok()?;
        folder.ancestors().find_map(|above| {
            let inside = above.join(name);
            if is_package(above, name) {
                Some(above.to_path_buf())
            } else {
                inside.is_dir().then_some(inside)
            }
        })
    }

    fn looked_at(&self, name: &str) -> Vec<String> {
        let roots = self.roots.iter().map(|root| format!("{}/**/{name}", root.display()));
        let prefixes = self.prefixes.iter().map(|prefix| {
            format!("{}/share/ament_index/resource_index/packages/{name}", prefix.display())
        });
        let folder =
            self.folder.iter().map(|folder| format!("the folders above {}", folder.display()));
        roots.chain(prefixes).chain(folder).collect()
    }
}

fn paths_of(variable: &str) -> Vec<PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The file as named, or with its %20 and the like decoded.
fn existing(folder: &Path, path: &str) -> Option<PathBuf> {
    let plain = folder.join(path);
    if plain.exists() {
        return Some(plain);
    }
    let decoded = folder.join(percent_decoded(path)?);
    decoded.exists().then_some(decoded)
}

fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).ok()
}

/// The package in or below `root`: the folder of its name, or the one whose `package.xml` has the name. Folders inside
/// a package are not searched, as in rospack.
fn package_below(root: &Path, name: &str) -> Option<PathBuf> {
    if is_package(root, name) {
        return Some(root.into());
    }
    let direct = root.join(name);
    if direct.is_dir() {
        return Some(direct);
    }
    let mut folders = VecDeque::from([(root.to_path_buf(), 0)]);
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop_front() {
        seen += 1;
        if seen > MAX_FOLDERS {
            return None;
        }
        if is_package(&folder, name) {
            return Some(folder);
        }
        if depth == MAX_DEPTH || (depth > 0 && folder.join("package.xml").is_file()) {
            continue;
        }
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        // Symbolic links are not followed: they may lead in a circle.
        let mut below: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.path())
            .collect();
        below.sort();
        folders.extend(below.into_iter().map(|path| (path, depth + 1)));
    }
    None
}

/// Whether the folder is the package: its `package.xml` says so, or without one its own name.
fn is_package(folder: &Path, name: &str) -> bool {
    use std::io::Read;
    let Ok(file) = std::fs::File::open(folder.join("package.xml")) else {
        return folder.file_name().is_some_and(|own| own == name) && folder.is_dir();
    };
    let mut text = String::new();
    // The name stands near the top; a file larger than this is no manifest.
    if file.take(1 << 20).read_to_string(&mut text).is_err() {
        return false;
    }
    let Ok(document) = roxmltree::Document::parse(&text) else { return false };
    let mut children = document.root_element().children();
    let named = children.find(|node| node.has_tag_name("name")).and_then(|node| node.text());
    named.is_some_and(|own| own.trim() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder that vanishes with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir()
                .join(format!("smooth_scene_package_{name}_{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, path: &str, text: &str) -> PathBuf {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn package_paths_are_packages_or_contain_them_at_any_depth() {
        let scratch = Scratch::new("paths");
        let mesh = scratch.file("src/group/renamed/meshes/a.stl", "");
        scratch.file("src/group/renamed/package.xml", "<package><name> arm </name></package>");
        let by_folder_name = scratch.file("src/group/hand/b.stl", "");
        for root in ["src", "src/group", "src/group/renamed"] {
            let mut resolver = PackageResolver::new(&[scratch.0.join(root)], false, None);
            assert_eq!(resolver.resolve("package://arm/meshes/a.stl").unwrap(), mesh);
            assert_eq!(resolver.resolve("package:///arm/meshes/a.stl").unwrap(), mesh);
            assert_eq!(resolver.resolve("model://arm/meshes/a.stl").unwrap(), mesh);
        }
        let mut resolver = PackageResolver::new(&[scratch.0.join("src")], false, None);
        assert_eq!(resolver.resolve("package://hand/b.stl").unwrap(), by_folder_name);
        // The manifest decides, not the folder's name.
        assert!(resolver.resolve("package://renamed/meshes/a.stl").is_err());
    }

    #[test]
    fn the_ament_index_is_asked() {
        let scratch = Scratch::new("ament");
        let mesh = scratch.file("share/arm/meshes/a.stl", "");
        let prefixes = [scratch.0.join("nowhere"), scratch.0.clone()];
        let mut resolver = PackageResolver::with_prefixes(&[], &prefixes, None);
        let looked_at = resolver.resolve("package://arm/meshes/a.stl").unwrap_err();
        assert_eq!(looked_at.len(), 2);
        assert!(looked_at[1].ends_with("share/ament_index/resource_index/packages/arm"));
        scratch.file("share/ament_index/resource_index/packages/arm", "");
        let mut resolver = PackageResolver::with_prefixes(&[], &prefixes, None);
        assert_eq!(resolver.resolve("package://arm/meshes/a.stl").unwrap(), mesh);
    }

    #[test]
    fn package_paths_come_before_the_index_and_the_folders_above() {
        let scratch = Scratch::new("order");
        let first = scratch.file("first/arm/a.stl", "");
        scratch.file("share/arm/a.stl", "");
        scratch.file("share/ament_index/resource_index/packages/arm", "");
        let above = scratch.file("ws/arm/a.stl", "");
        let folder = scratch.file("ws/arm/urdf/x.urdf", "").parent().unwrap().to_path_buf();
        let resolve = |roots: &[PathBuf], prefixes: &[PathBuf]| {
            PackageResolver::with_prefixes(roots, prefixes, Some(&folder))
                .resolve("package://arm/a.stl")
                .unwrap()
        };
        assert_eq!(resolve(&[scratch.0.join("first")], std::slice::from_ref(&scratch.0)), first);
        assert!(
            resolve(&[], std::slice::from_ref(&scratch.0)).starts_with(scratch.0.join("share"))
        );
        assert_eq!(resolve(&[], &[]), above);
    }

    #[test]
    fn plain_paths_are_relative_to_the_urdf() {
        let scratch = Scratch::new("plain");
        let mesh = scratch.file("meshes/a b.stl", "");
        let folder = scratch.0.join("urdf");
        fs::create_dir_all(&folder).unwrap();
        let mut resolver = PackageResolver::new(&[], false, Some(&folder));
        let same = |found: PathBuf| found.canonicalize().unwrap() == mesh.canonicalize().unwrap();
        assert!(same(resolver.resolve("../meshes/a b.stl").unwrap()));
        assert!(same(resolver.resolve("../meshes/a%20b.stl").unwrap()));
        assert!(same(resolver.resolve(&format!("file://{}", mesh.display())).unwrap()));
        for strange in
            ["", "package://", "package://..", "package://../x", "%", "%zz", "a\0b", "file://"]
        {
            let _ = resolver.resolve(strange);
        }
        assert!(resolver.resolve("package://../meshes/a b.stl").is_err());
    }
}
