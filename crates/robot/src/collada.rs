//! COLLADA files → vertices, or triangles.
//!
//! Only what a convex hull or a fit needs: the positions that polygons of the scene use, placed by the transforms of
//! their nodes and scaled by the file's unit to metres. The up axis is not applied, as in RViz, MoveIt and Coal: whoever
//! wrote the URDF saw the mesh without it.
//!
//! Source: COLLADA 1.4.1 specification, Khronos Group 2008, chapters 4 and 5.

use std::collections::HashMap;

use nalgebra::{Matrix4, Unit};
use roxmltree::{Document, Node, ParsingOptions};

use smooth_scene_geometry::math::{Vec3, rotation_from_vector};

/// Most nodes visited in the scene, instances of instances counted each time.
const MAX_VISITS: usize = 100_000;
/// Most XML nodes of a file.
const MAX_XML_NODES: u32 = 4_000_000;

/// The vertices of everything in the scene, in metres.
pub(super) fn vertices(text: &str, max_vertices: usize) -> Result<Vec<Vec3>, String> {
    placed(text, max_vertices, |file, id| file.geometry(id))
}

/// The triangles of everything in the scene, in metres. Polygons are cut into fans: of one that is not convex the fan
/// covers the polygon and may cover more.
pub(super) fn triangles(text: &str, max_vertices: usize) -> Result<Vec<[Vec3; 3]>, String> {
    let corners = placed(text, max_vertices, |file, id| file.triangle_corners(id))?;
    let triangles = corners.chunks_exact(3).map(|corner| [corner[0], corner[1], corner[2]]);
    Ok(triangles.collect())
}

/// The points of all geometries in the scene, each placed by the transforms of its node.
fn placed(
    text: &str,
    max_vertices: usize,
    points_of: impl Fn(&File<'_>, &str) -> Result<Vec<Vec3>, String>,
) -> Result<Vec<Vec3>, String> {
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..Default::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err("the root element is not <COLLADA>".into());
    }
    let file = File { root, by_id: ids(&document) };
    let unit = file.unit()?;
    let mut points = Vec::new();
    let mut geometries: HashMap<&str, Vec<Vec3>> = HashMap::new();
    for (transform, id) in file.instances()? {
        if !geometries.contains_key(id) {
            geometries.insert(id, points_of(&file, id)?);
        }
        let local = &geometries[id];
        if points.len() + local.len() > max_vertices {
            return Err(format!("more than {max_vertices} vertices"));
        }
        points.extend(local.iter().map(|p| (transform * p.push(1.0)).xyz() * unit));
    }
    if points.is_empty() {
        return Err("the scene contains no polygons".into());
    }
    Ok(points)
}

struct File<'a> {
    root: Node<'a, 'a>,
    by_id: HashMap<&'a str, Node<'a, 'a>>,
}

fn ids<'a>(document: &'a Document<'a>) -> HashMap<&'a str, Node<'a, 'a>> {
    document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect()
}

impl<'a> File<'a> {
    /// Metres per unit of the file; the specification's default is one.
    fn unit(&self) -> Result<f64, String> {
        let unit = child(self.root, "asset").and_then(|asset| child(asset, "unit"));
        let Some(text) = unit.and_then(|unit| unit.attribute("meter")) else { return Ok(1.0) };
        match text.trim().parse::<f64>() {
            Ok(unit) if unit > 0.0 && unit.is_finite() => Ok(unit),
            _ => Err(format!("<unit>: meter is \"{text}\", must be a number above zero")),
        }
    }

    /// The element that a reference like `#name` points to.
    fn find(&self, reference: Option<&'a str>, name: &str) -> Result<Node<'a, 'a>, String> {
        let id = reference.map(|reference| reference.trim_start_matches('#')).unwrap_or_default();
        match self.by_id.get(id) {
            Some(node) if node.tag_name().name() == name => Ok(*node),
            _ => Err(format!("there is no <{name}> with id `{id}`")),
        }
    }

    /// Every geometry in the scene with its transform, by a walk without recursion.
    fn instances(&self) -> Result<Vec<(Matrix4<f64>, &'a str)>, String> {
        let scene = child(self.root, "scene").and_then(|s| child(s, "instance_visual_scene"));
        let scene = match scene {
            Some(instance) => self.find(instance.attribute("url"), "visual_scene")?,
            None => child(self.root, "library_visual_scenes")
                .and_then(|library| child(library, "visual_scene"))
                .ok_or("there is no <visual_scene>")?,
        };
        let mut found = Vec::new();
        let mut stack = vec![(Matrix4::identity(), scene)];
        let mut visits = 0;
        while let Some((above, node)) = stack.pop() {
            visits += 1;
            if visits > MAX_VISITS {
                return Err(format!("more than {MAX_VISITS} nodes in the scene"));
            }
            let transform = above * transform_of(node)?;
            for child in node.children().filter(Node::is_element) {
                match child.tag_name().name() {
                    "node" => stack.push((transform, child)),
                    "instance_node" => {
                        stack.push((transform, self.find(child.attribute("url"), "node")?));
                    }
                    "instance_geometry" => {
                        let geometry = self.find(child.attribute("url"), "geometry")?;
                        let id = geometry.attribute("id").expect("it was found by its id");
                        found.push((transform, id));
                    }
                    // Geometry with bones: leaving it out would make the body smaller than it is.
                    "instance_controller" => {
                        return Err("<instance_controller>: skinned geometry is not read".into());
                    }
                    // Transforms, which were read above, lights, cameras and what tools add: no geometry.
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// The positions that polygons of a geometry use.
    fn geometry(&self, id: &str) -> Result<Vec<Vec3>, String> {
        let within = |reason: String| format!("<geometry id=\"{id}\">: {reason}");
        let Some(mesh) = self.mesh(id).map_err(within)? else { return Ok(Vec::new()) };
        let mut positions: HashMap<&str, Vec<Vec3>> = HashMap::new();
        let mut used: HashMap<&str, Vec<bool>> = HashMap::new();
        for primitive in mesh.children().filter(is_polygons) {
            let Some((source, offset, stride)) = self.vertex_input(primitive).map_err(within)?
            else {
                continue;
            };
            if !positions.contains_key(source) {
                let points = self.positions(source).map_err(within)?;
                used.insert(source, vec![false; points.len()]);
                positions.insert(source, points);
            }
            let used = used.get_mut(source).expect("it was inserted with the positions");
            mark_used(primitive, offset, stride, used).map_err(within)?;
        }
        let mut sources: Vec<&str> = positions.keys().copied().collect();
        sources.sort_unstable();
        let points =
            sources.into_iter().flat_map(|source| positions[source].iter().zip(&used[source]));
        Ok(points.filter(|(_, used)| **used).map(|(point, _)| *point).collect())
    }

    /// Three corners for each triangle of a geometry.
    fn triangle_corners(&self, id: &str) -> Result<Vec<Vec3>, String> {
        let within = |reason: String| format!("<geometry id=\"{id}\">: {reason}");
        let Some(mesh) = self.mesh(id).map_err(within)? else { return Ok(Vec::new()) };
        let mut corners = Vec::new();
        for primitive in mesh.children().filter(is_polygons) {
            let Some((source, offset, stride)) = self.vertex_input(primitive).map_err(within)?
            else {
                continue;
            };
            let positions = self.positions(source).map_err(within)?;
            for [a, b, c] in fans(primitive, offset, stride, positions.len()).map_err(within)? {
                corners.extend([positions[a], positions[b], positions[c]]);
            }
        }
        Ok(corners)
    }

    /// The mesh of a geometry; `None` of a spline, which has no body.
    fn mesh(&self, id: &str) -> Result<Option<Node<'a, 'a>>, String> {
        let geometry = self.by_id[id];
        let mesh = child(geometry, "mesh");
        if mesh.is_none() {
            // The others would be missing from the body.
            let body =
                ["convex_mesh", "brep"].into_iter().find(|kind| child(geometry, kind).is_some());
            if let Some(kind) = body {
                return Err(format!("<{kind}> is not supported"));
            }
        }
        Ok(mesh)
    }

    /// Where a primitive takes its positions from: source id, offset of its index and number of indices per corner.
    fn vertex_input(
        &self,
        primitive: Node<'a, 'a>,
    ) -> Result<Option<(&'a str, usize, usize)>, String> {
        let mut vertex = None;
        let mut stride = 1;
        for input in primitive.children().filter(|node| node.has_tag_name_local("input")) {
            let offset = integer(input, "offset", 0)?;
            stride = stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                vertex = Some((input, offset));
            }
        }
        let Some((input, offset)) = vertex else {
            let name = primitive.tag_name().name();
            return match child(primitive, "p") {
                Some(_) => Err(format!("<{name}> has corners but no input VERTEX")),
                None => Ok(None),
            };
        };
        let vertices = self.find(input.attribute("source"), "vertices")?;
        let position = vertices
            .children()
            .find(|node| node.attribute("semantic") == Some("POSITION"))
            .and_then(|node| node.attribute("source"))
            .ok_or("<vertices> has no positions")?;
        Ok(Some((position.trim_start_matches('#'), offset, stride)))
    }

    /// The points of a source.
    fn positions(&self, id: &'a str) -> Result<Vec<Vec3>, String> {
        let source = self.find(Some(id), "source")?;
        let accessor = child(source, "technique_common")
            .and_then(|technique| child(technique, "accessor"))
            .ok_or_else(|| format!("<source id=\"{id}\"> has no <accessor>"))?;
        let array = self.find(accessor.attribute("source"), "float_array")?;
        let (offset, stride) = (integer(accessor, "offset", 0)?, integer(accessor, "stride", 1)?);
        if stride < 3 {
            return Err(format!("<accessor> of `{id}`: stride is {stride}, must be at least 3"));
        }
        let numbers = numbers(&text_of(array))?;
        let count = numbers.len();
        let points = numbers.get(offset..).ok_or_else(|| {
            format!("<accessor> of `{id}`: offset is {offset}, must be at most {count}")
        })?;
        let points = points.chunks(stride);
        Ok(points.filter(|c| c.len() >= 3).map(|c| Vec3::new(c[0], c[1], c[2])).collect())
    }
}

/// Local names, whatever the namespace: files differ in whether they declare one.
trait LocalName {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name_local(name))
}

/// All text of an element; comments may cut it into pieces.
fn text_of(node: Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|piece| piece.text()).collect()
}

fn is_polygons(node: &Node<'_, '_>) -> bool {
    let names = ["triangles", "polylist", "polygons", "tristrips", "trifans"];
    node.is_element() && names.contains(&node.tag_name().name())
}

fn integer(node: Node<'_, '_>, name: &str, default: usize) -> Result<usize, String> {
    // Larger strides and offsets belong to no file; sums of them must not overflow.
    let range = 0..1_000_000;
    let Some(text) = node.attribute(name) else { return Ok(default) };
    text.trim().parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
        format!("<{}>: {name} is \"{text}\", must be an integer", node.tag_name().name())
    })
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let bad =
        |word: &str| format!("`{}` is not a number", word.chars().take(40).collect::<String>());
    text.split_ascii_whitespace().map(|word| word.parse().map_err(|_| bad(word))).collect()
}

/// The triangles of a primitive as places in its list of positions.
fn fans(
    primitive: Node<'_, '_>,
    offset: usize,
    stride: usize,
    positions: usize,
) -> Result<Vec<[usize; 3]>, String> {
    let kind = primitive.tag_name().name();
    if primitive.children().any(|node| node.has_tag_name_local("ph")) {
        return Err(format!("<{kind}> with holes (<ph>) is not supported"));
    }
    let mut triangles = Vec::new();
    for indices in primitive.children().filter(|node| node.has_tag_name_local("p")) {
        let text = text_of(indices);
        let corners = text.split_ascii_whitespace().skip(offset).step_by(stride);
        let corners = corners.map(|word| place(word, positions));
        let corners: Vec<usize> = corners.collect::<Result<_, _>>()?;
        match kind {
            "triangles" => {
                triangles.extend(corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
            }
            "tristrips" => triangles.extend(
                corners
                    .windows(3)
                    .enumerate()
                    .map(|(k, c)| if k % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] }),
            ),
            "polylist" => {
                let counts = child(primitive, "vcount").ok_or("<polylist> has no <vcount>")?;
                let mut rest = corners.as_slice();
                for word in text_of(counts).split_ascii_whitespace() {
                    let count = word.parse().ok().filter(|&count: &usize| count <= rest.len());
                    let count = count.ok_or_else(|| {
                        let word: String = word.chars().take(40).collect();
                        format!("<vcount>: `{word}` corners, {} are left", rest.len())
                    })?;
                    let (polygon, others) = rest.split_at(count);
                    fan(polygon, &mut triangles);
                    rest = others;
                }
            }
            "polygons" | "trifans" => fan(&corners, &mut triangles),
            other => unreachable!("<{other}> is not one of the kinds of polygons"),
        }
    }
    Ok(triangles)
}

fn fan(polygon: &[usize], triangles: &mut Vec<[usize; 3]>) {
    let Some((&first, others)) = polygon.split_first() else { return };
    triangles.extend(others.windows(2).map(|pair| [first, pair[0], pair[1]]));
}

/// An index as a place in a list of positions.
fn place(word: &str, count: usize) -> Result<usize, String> {
    word.parse().ok().filter(|&index| index < count).ok_or_else(|| {
        let word: String = word.chars().take(40).collect();
        format!("index `{word}` is not one of the {count} positions")
    })
}

/// Marks the positions that the polygons of a primitive use.
fn mark_used(
    primitive: Node<'_, '_>,
    offset: usize,
    stride: usize,
    used: &mut [bool],
) -> Result<(), String> {
    for indices in primitive.children().filter(|node| node.has_tag_name_local("p")) {
        let text = text_of(indices);
        for word in text.split_ascii_whitespace().skip(offset).step_by(stride) {
            let index = place(word, used.len())?;
            used[index] = true;
        }
    }
    Ok(())
}

/// The product of a node's transforms in the order of the file.
fn transform_of(node: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let mut product = Matrix4::identity();
    for element in node.children().filter(Node::is_element) {
        let name = element.tag_name().name();
        if !matches!(name, "matrix" | "translate" | "rotate" | "scale" | "lookat" | "skew") {
            continue;
        }
        let values = numbers(&text_of(element))?;
        product *= match (name, values.as_slice()) {
            ("matrix", values) if values.len() == 16 => Matrix4::from_row_slice(values),
            ("translate", &[x, y, z]) => Matrix4::new_translation(&Vec3::new(x, y, z)),
            ("scale", &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vec3::new(x, y, z)),
            ("rotate", &[x, y, z, degrees]) => match Unit::try_new(Vec3::new(x, y, z), 1e-12) {
                Some(axis) => rotation_from_vector(&(axis.into_inner() * degrees.to_radians()))
                    .to_homogeneous(),
                None => Matrix4::identity(),
            },
            ("lookat" | "skew", _) => return Err(format!("<{name}> is not supported")),
            _ => return Err(format!("<{name}> has {} numbers", values.len())),
        };
    }
    Ok(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a tetrahedron and this scene.
    fn file(asset: &str, nodes: &str) -> String {
        format!(
            r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{asset}</asset>
            <library_geometries><geometry id="g"><mesh>
            <source id="p"><float_array id="pa">0 0 0  1 0 0  0 1 0  0 0 1  9 9 9</float_array>
            <technique_common><accessor source="#pa" count="5" stride="3"/></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <polylist count="2"><input semantic="NORMAL" source="#n" offset="1"/><input semantic="VERTEX" source="#v" offset="0"/>
            <vcount>3 3</vcount><p>0 7 1 7 2 7  0 8 2 8 3 8</p></polylist>
            </mesh></geometry></library_geometries>
            <library_nodes><node id="lib"><translate>0 0 5</translate><instance_geometry url="#g"/></node></library_nodes>
            <library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene></COLLADA>"##
        )
    }

    fn read(asset: &str, nodes: &str) -> Result<Vec<Vec3>, String> {
        vertices(&file(asset, nodes), 1000)
    }

    const GEOMETRY: &str = "<instance_geometry url=\"#g\"/>";

    #[test]
    fn only_vertices_of_polygons_count() {
        let points = read("", &format!("<node>{GEOMETRY}</node>")).unwrap();
        assert_eq!(points, [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]);
    }

    #[test]
    fn the_unit_is_applied_and_the_up_axis_is_not() {
        let asset = "<unit meter=\"0.001\"/><up_axis>Y_UP</up_axis>";
        let points = read(asset, &format!("<node>{GEOMETRY}</node>")).unwrap();
        assert!((points[3] - Vec3::new(0.0, 0.0, 0.001)).norm() < 1e-15);
    }

    #[test]
    fn transforms_of_parents_come_after_those_of_children() {
        let nodes = format!(
            "<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate>\
             <node><scale>2 3 4</scale><translate>1 0 0</translate>{GEOMETRY}</node></node>"
        );
        let points = read("", &nodes).unwrap();
        // (1, 0, 0) → moved (2, 0, 0) → scaled (4, 0, 0) → turned (0, 4, 0) → moved (10, 4, 0)
        assert!((points[1] - Vec3::new(10.0, 4.0, 0.0)).norm() < 1e-12, "{points:?}");
        let matrix = "<node><matrix>0 -1 0 10  1 0 0 0  0 0 1 0  0 0 0 1</matrix>";
        let nodes = format!(
            "{matrix}<node><scale>2 3 4</scale><translate>1 0 0</translate>{GEOMETRY}</node></node>"
        );
        assert!((read("", &nodes).unwrap()[1] - Vec3::new(10.0, 4.0, 0.0)).norm() < 1e-12);
    }

    #[test]
    fn every_instance_counts() {
        let nodes = format!("<node>{GEOMETRY}</node><node><instance_node url=\"#lib\"/></node>");
        let points = read("", &nodes).unwrap();
        assert_eq!(points.len(), 8);
        assert!(points.contains(&Vec3::new(0.0, 0.0, 6.0)));
    }

    #[test]
    fn skinned_geometry_is_refused_and_lights_are_not() {
        let nodes = |more: &str| format!("<node>{GEOMETRY}{more}</node>");
        assert_eq!(read("", &nodes("<instance_light url=\"#l\"/>")).unwrap().len(), 4);
        let refused = read("", &nodes("<instance_controller url=\"#c\"/>")).unwrap_err();
        assert_eq!(refused, "<instance_controller>: skinned geometry is not read");
    }

    #[test]
    fn instances_of_instances_are_bounded() {
        let ring = "<node id=\"r\"><instance_node url=\"#r\"/><instance_node url=\"#r\"/></node>";
        assert_eq!(read("", ring).unwrap_err(), "more than 100000 nodes in the scene");
        assert_eq!(read("", "").unwrap_err(), "the scene contains no polygons");
        assert!(read("", "<node><matrix>1 2 3</matrix></node>").is_err());
        assert!(read("", "<node><instance_geometry url=\"#x\"/></node>").is_err());
    }
}
