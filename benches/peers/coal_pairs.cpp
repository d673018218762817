// Coal on the pairs of a file: convex meshes by GJK and EPA, and trees of boxes over the same triangles.
// Usage: coal_pairs FILE SWEEPS
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include "pairs.hpp"

using Tree = coal::BVHModel<coal::OBBRSS>;

static coal::Transform3s transform(const peers::Pose& pose) {
  return coal::Transform3s(pose.rotation, pose.translation);
}

// Vertices, triangles, and the neighbours of each vertex, along which Coal walks.
static long bytes_of(const coal::ConvexBase& hull) {
  long bytes = hull.num_points * (sizeof(coal::Vec3s) + sizeof(coal::ConvexBase::Neighbors));
  for (const auto& neighbors : *hull.neighbors) bytes += neighbors.count() * sizeof(unsigned int);
  if (const auto* triangles = dynamic_cast<const coal::Convex<coal::Triangle>*>(&hull)) {
    bytes += triangles->num_polygons * sizeof(coal::Triangle);
  }
  return bytes;
}

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "usage: coal_pairs FILE SWEEPS\n"), 2;
  const peers::Problem problem = peers::read(words[1]);
  const int sweeps = std::atoi(words[2]);
  peers::write_head("Coal", COAL_VERSION);

  std::map<std::string, std::shared_ptr<Tree>> trees;
  std::map<std::string, std::shared_ptr<coal::ConvexBase>> hulls;
  for (const auto& [name, mesh] : problem.meshes) {
    std::vector<coal::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t.x(), t.y(), t.z());
    std::vector<coal::Vec3s> vertices(mesh.vertices.begin(), mesh.vertices.end());
    auto tree = std::make_shared<Tree>();
    tree->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(vertices.size()));
    tree->addSubModel(vertices, triangles);
    tree->endModel();
    tree->computeLocalAABB();
    // Vertices, triangles, nodes of the tree, and the order of the triangles in it.
    const long bytes = tree->getNumBVs() * sizeof(coal::BVNode<coal::OBBRSS>) + vertices.size() * sizeof(coal::Vec3s) +
                       triangles.size() * (sizeof(coal::Triangle) + sizeof(unsigned int));
    peers::write_bytes(name, bytes);
    auto points = std::make_shared<std::vector<coal::Vec3s>>(vertices);
    hulls[name].reset(coal::ConvexBase::convexHull(points, static_cast<unsigned>(points->size()), true, "Qt"));
    hulls[name]->computeLocalAABB();
    peers::write_bytes(name, bytes_of(*hulls[name]), "bytes-convex");
    trees[name] = tree;
  }
  std::vector<std::pair<coal::Transform3s, coal::Transform3s>> placed;
  for (const auto& pair : problem.pairs) placed.emplace_back(transform(pair.pose_a), transform(pair.pose_b));

  // Where the meshes of a pair are, by name, before the clock runs.
  std::vector<std::pair<const Tree*, const Tree*>> triangles;
  std::vector<std::pair<const coal::ConvexBase*, const coal::ConvexBase*>> convex;
  for (const auto& pair : problem.pairs) {
    triangles.emplace_back(trees[pair.a].get(), trees[pair.b].get());
    convex.emplace_back(hulls[pair.a].get(), hulls[pair.b].get());
  }
  const auto collide = [&](const auto& bodies, bool contact) {
    return [&, contact](std::size_t k) {
      coal::CollisionRequest request;
      request.enable_contact = contact;
      coal::CollisionResult result;
      peers::Answer answer;
      answer.contact = coal::collide(bodies[k].first, placed[k].first, bodies[k].second, placed[k].second, request,
                                     result) > 0;
      if (contact && answer.contact) answer.distance = result.getContact(0).penetration_depth;
      return answer;
    };
  };
  peers::measure("coal-bvh-collision", problem, sweeps, collide(triangles, false));
  peers::measure("coal-convex-collision", problem, sweeps, collide(convex, false));
  // Distance, and the depth by EPA when they overlap.
  peers::measure("coal-convex-distance", problem, sweeps, [&](std::size_t k) {
    coal::DistanceRequest request(true, true);
    coal::DistanceResult result;
    peers::Answer answer;
    answer.distance = coal::distance(convex[k].first, placed[k].first, convex[k].second, placed[k].second, request,
                                     result);
    answer.contact = answer.distance <= 0.0;
    return answer;
  });
  return 0;
}
