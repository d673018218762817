// FCL on the pairs of a file: trees of boxes over triangles, as MoveIt uses it. Usage: fcl_pairs FILE SWEEPS
#include <fcl/config.h>
#include <fcl/fcl.h>

#include "pairs.hpp"

using Tree = fcl::BVHModel<fcl::OBBRSSd>;

static fcl::Transform3d transform(const peers::Pose& pose) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = pose.rotation;
  out.translation() = pose.translation;
  return out;
}

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "usage: fcl_pairs FILE SWEEPS\n"), 2;
  const peers::Problem problem = peers::read(words[1]);
  const int sweeps = std::atoi(words[2]);
  peers::write_head("FCL", FCL_VERSION);

  std::map<std::string, std::shared_ptr<Tree>> trees;
  for (const auto& [name, mesh] : problem.meshes) {
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t.x(), t.y(), t.z());
    auto tree = std::make_shared<Tree>();
    tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(mesh.vertices.size()));
    tree->addSubModel(mesh.vertices, triangles);
    tree->endModel();
    tree->computeLocalAABB();
    // Vertices, triangles, nodes of the tree, and the order of the triangles in it.
    const long bytes = tree->getNumBVs() * sizeof(fcl::BVNode<fcl::OBBRSSd>) + mesh.vertices.size() * sizeof(fcl::Vector3d) +
                       triangles.size() * (sizeof(fcl::Triangle) + sizeof(unsigned int));
    peers::write_bytes(name, bytes);
    trees[name] = tree;
  }
  std::vector<std::pair<fcl::CollisionObjectd, fcl::CollisionObjectd>> placed;
  for (const auto& pair : problem.pairs) {
    placed.emplace_back(fcl::CollisionObjectd(trees[pair.a], transform(pair.pose_a)),
                        fcl::CollisionObjectd(trees[pair.b], transform(pair.pose_b)));
  }

  // Yes or no: one contact is enough, its place is not asked for.
  peers::measure("fcl-bvh-collision", problem, sweeps, [&](std::size_t k) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    peers::Answer answer;
    answer.contact = fcl::collide(&placed[k].first, &placed[k].second, request, result) > 0;
    return answer;
  });
  // Distance with the nearest points. Triangles have no depth: overlapping meshes are at distance 0 or below.
  peers::measure("fcl-bvh-distance", problem, sweeps, [&](std::size_t k) {
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    peers::Answer answer;
    answer.distance = fcl::distance(&placed[k].first, &placed[k].second, request, result);
    answer.contact = answer.distance <= 0.0;
    return answer;
  });
  return 0;
}
