//! Dependencies point one way: between crates, and between the modules of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates from the lowest layer to the highest; a crate uses crates before it only.
const LAYERS: [&str; 11] = [
    "geometry",
    "query",
    "robot",
    "scene",
    "fit",
    "plan",
    "dynamics",
    "rtps",
    "view",
    "baselines",
    "python",
];
/// Crates that know the network: everything else must do without what they need.
const NETWORKED: [&str; 2] = ["view", "python"];
/// What only the view and the node may depend on, however indirectly.
const OF_THE_NODE: [&str; 6] = ["tokio", "axum", "clap", "r2r", "rclrs", "rustdds"];
/// Sources whose modules do not depend on each other in a ring.
const WITHOUT_CYCLES: [&str; 12] = [
    "crates/baselines/src",
    "crates/dynamics/src",
    "crates/fit/src",
    "crates/geometry/src",
    "crates/plan/src",
    "crates/python/src",
    "crates/query/src",
    "crates/robot/src",
    "crates/rtps/src",
    "crates/scene/src",
    "crates/view/src",
    "src",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(repository().join("crates")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "test_support")
        .collect();
    names.sort();
    names
}

/// The crates of this workspace that a crate depends on, not counting its tests.
fn own_dependencies(name: &str) -> Vec<String> {
    let manifest = repository().join("crates").join(name).join("Cargo.toml");
    let text = fs::read_to_string(manifest).unwrap();
    let (_, after) = text.split_once("\n[dependencies]").unwrap_or(("", ""));
    let section = after.split("\n[").next().unwrap();
    let lines = section.lines().filter_map(|line| line.strip_prefix("smooth_scene_"));
    lines.map(|line| line.split(['.', ' ', '=']).next().unwrap().to_string()).collect()
}

#[test]
fn crates_depend_on_crates_of_lower_layers_only() {
    let place = |name: &str| {
        let found = LAYERS.iter().position(|layer| *layer == name);
        found.unwrap_or_else(|| panic!("`{name}` is not in the list of layers"))
    };
    let mut checked = 0;
    for name in crates() {
        for dependency in own_dependencies(&name) {
            assert!(place(&dependency) < place(&name), "{name} depends on {dependency}");
            assert!(
                !(name == "robot" && dependency == "query"),
                "robots know nothing of distance queries"
            );
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked}");
}

/// All crates that a crate pulls in, itself included.
fn all_dependencies(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").expect("cargo runs the tests");
    let tree = ["tree", "--offline", "--edges", "normal", "--prefix", "none", "--package", package];
    let output = Command::new(cargo).args(tree).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_string).collect()
}

#[test]
fn no_crate_below_the_view_knows_network_command_line_or_ros() {
    for name in crates() {
        if NETWORKED.contains(&name.as_str()) {
            continue;
        }
        let all = all_dependencies(&format!("smooth_scene_{name}"));
        assert!(all.len() > 1 || name == "rtps", "{name}: {all:?}");
        for dependency in &all {
            let is_of_the_node =
                OF_THE_NODE.contains(&dependency.as_str()) || dependency.starts_with("ros2");
            assert!(!is_of_the_node, "{name} pulls in {dependency}");
        }
    }
}

/// A module by its path below the crate: `["urdf", "write"]`; the root is empty.
type Module = Vec<String>;

/// The sources of a crate, test modules and comments left out.
fn sources(folder: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_path_buf(), Module::new())];
    while let Some((folder, above)) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_string();
            let mut module = above.clone();
            if path.is_dir() {
                module.push(stem);
                folders.push((path, module));
            } else if path.extension().is_some_and(|ending| ending == "rs") && stem != "tests" {
                if !matches!(stem.as_str(), "lib" | "main" | "mod") {
                    module.push(stem);
                }
                found.insert(module, code(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

/// The code of a file without its comments and what follows `#[cfg(test)]` at the end.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_test = line.trim_start().starts_with("#[cfg(test)]");
        if is_test && lines.peek().is_some_and(|next| next.contains("mod ") && next.contains('{')) {
            break;
        }
        code += line.split("//").next().unwrap();
        code.push('\n');
    }
    code
}

/// The paths of a `use` tree, braces expanded.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap().trim();
        return if path.is_empty() { Vec::new() } else { vec![path.to_string()] };
    };
    let (head, body) = (&tree[..open], &tree[open + 1..tree.rfind('}').unwrap()]);
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&body[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    parts.into_iter().flat_map(expanded).map(|tail| format!("{head}{tail}")).collect()
}

/// The `use` statements of a module: whether it hands the names on, and the paths.
fn imports(code: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let Some(start) = statement.rfind("use ") else { continue };
        let before = statement[..start].trim_end();
        if !(before.is_empty()
            || before.ends_with(['}', ']', ')', '\n'])
            || before.ends_with("pub"))
        {
            continue;
        }
        let is_public = before.ends_with("pub") || before.ends_with("pub(crate)");
        found.extend(expanded(&statement[start + 4..]).into_iter().map(|path| (is_public, path)));
    }
    found
}

/// Paths in the code that begin with `crate::` or `super::`.
fn inline_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (place, _) in code.match_indices(start) {
            let is_whole =
                !code[..place].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            if is_whole {
                let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
                let end = code[place..].find(|c| !is_path(c)).map_or(code.len(), |end| place + end);
                // The names in braces of a `use` are found there.
                if !code[place..end].ends_with(':') {
                    found.push(code[place..end].to_string());
                }
            }
        }
    }
    found
}

struct Modules {
    sources: BTreeMap<Module, String>,
    /// Names that a module hands on, and the path they stand for.
    handed_on: BTreeMap<(Module, String), Module>,
}

impl Modules {
    fn new(folder: &Path) -> Self {
        let mut modules = Self { sources: sources(folder), handed_on: BTreeMap::new() };
        for (module, code) in &modules.sources {
            for (is_public, path) in imports(code) {
                if let (true, Some(target)) = (is_public, modules.absolute(module, &path)) {
                    let name = target.last().unwrap().clone();
                    modules.handed_on.insert((module.clone(), name), target);
                }
            }
        }
        modules
    }

    /// A path as it is from the root of the crate; `None` for other crates.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut parts = path.split("::").map(|part| part.trim().to_string());
        let mut at = module.clone();
        let first = parts.next()?;
        match first.as_str() {
            "crate" => at = Module::new(),
            "super" => drop(at.pop()),
            "self" => {}
            _ => {
                at.push(first);
                self.sources.contains_key(&at).then_some(())?;
            }
        }
        for part in parts {
            if part == "super" {
                at.pop();
            } else {
                at.push(part);
            }
        }
        Some(at)
    }

    /// The module in which what a path names is defined.
    fn home(&self, mut path: Module) -> Module {
        for _ in 0..8 {
            let mut module = path.clone();
            while !self.sources.contains_key(&module) {
                module.pop();
            }
            let Some(name) = path.get(module.len()) else { return module };
            match self.handed_on.get(&(module.clone(), name.clone())) {
                Some(target) => path = target.clone(),
                None => return module,
            }
        }
        panic!("{path:?} is handed on in a circle");
    }

    fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, code) in &self.sources {
            // What is handed on is not used here.
            let used = imports(code).into_iter().filter(|(is_public, _)| !is_public);
            let handed_on: BTreeSet<String> = imports(code)
                .into_iter()
                .filter(|(is_public, _)| *is_public)
                .map(|i| i.1)
                .collect();
            let inline = inline_paths(code).into_iter();
            let inline = inline.filter(|path| !handed_on.iter().any(|h| h.starts_with(path)));
            for path in used.map(|(_, path)| path).chain(inline) {
                if let Some(target) = self.absolute(module, &path) {
                    let home = self.home(target);
                    if home != *module {
                        edges.entry(module.clone()).or_default().insert(home);
                    }
                }
            }
        }
        edges
    }

    /// The modules that reach themselves.
    fn in_cycles(&self) -> Vec<String> {
        let edges = self.edges();
        let reached = |start: &Module| {
            let mut seen = BTreeSet::new();
            let mut open = vec![start];
            while let Some(module) = open.pop() {
                for next in edges.get(module).into_iter().flatten() {
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
            seen
        };
        let sources = self.sources.keys();
        sources.filter(|m| reached(m).contains(m)).map(|module| module.join("::")).collect()
    }
}

#[test]
fn modules_do_not_depend_on_each_other_in_a_ring() {
    for folder in WITHOUT_CYCLES {
        let modules = Modules::new(&repository().join(folder));
        let edges: usize = modules.edges().values().map(BTreeSet::len).sum();
        assert!(edges > 10, "{folder}: {edges} dependencies found");
        let rings = modules.in_cycles();
        assert!(rings.is_empty(), "{folder}: {rings:?}");
    }
}
