// What the programs of benches/peers share: the file of pairs, the clock, and the answers.
//
// The file is text: `mesh NAME VERTICES TRIANGLES` and then that many lines of coordinates and of indices; of ellipsoids,
// poly-ellipsoids and superellipsoids also `surface NAME`, with the semi-axes towards +x −x +y −y +z −z and the exponents
// of the xy plane and of z, of the surface that the mesh of this name is made of;
// `pair NAME MESH_A MESH_B` and then two lines, the poses of both, each a rotation by rows and a translation.
// `joint_sweep export` writes it and says in its messages what is measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace peers {

struct Mesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<Eigen::Vector3i> triangles;
};

struct Surface {
  Eigen::Vector3d positive, negative;
  double exponent_xy = 1, exponent_z = 1;
};

struct Pose {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
};

struct Pair {
  std::string name, a, b;
  Pose pose_a, pose_b;
};

struct Problem {
  std::map<std::string, Mesh> meshes;
  std::map<std::string, Surface> surfaces;
  std::vector<Pair> pairs;
};

// What a library said about a pair. Without a distance it only decides.
struct Answer {
  bool contact = false;
  double distance = std::numeric_limits<double>::quiet_NaN();
  bool converged = true;
  // Of methods that iterate.
  double iterations = std::numeric_limits<double>::quiet_NaN();
  // |n × (x1 − x2)| of the nearest points, in metres, of methods that have a normal.
  double skew = std::numeric_limits<double>::quiet_NaN();
};

inline Pose read_pose(std::istream& in) {
  Pose pose;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) in >> pose.rotation(row, column);
  in >> pose.translation.x() >> pose.translation.y() >> pose.translation.z();
  return pose;
}

inline Problem read(const char* path) {
  std::ifstream in(path);
  Problem problem;
  std::string word;
  while (in >> word) {
    if (word == "mesh") {
      std::string name;
      std::size_t vertices = 0, triangles = 0;
      in >> name >> vertices >> triangles;
      Mesh& mesh = problem.meshes[name];
      mesh.vertices.resize(vertices);
      mesh.triangles.resize(triangles);
      for (auto& v : mesh.vertices) in >> v.x() >> v.y() >> v.z();
      for (auto& t : mesh.triangles) in >> t.x() >> t.y() >> t.z();
    } else if (word == "surface") {
      std::string name;
      in >> name;
      Surface& surface = problem.surfaces[name];
      for (int k = 0; k < 3; ++k) in >> surface.positive[k] >> surface.negative[k];
      in >> surface.exponent_xy >> surface.exponent_z;
    } else if (word == "pair") {
      Pair pair;
      in >> pair.name >> pair.a >> pair.b;
      pair.pose_a = read_pose(in);
      pair.pose_b = read_pose(in);
      problem.pairs.push_back(pair);
    } else {
      break;
    }
  }
  if (!in.eof() || problem.pairs.empty()) {
    std::cerr << path << ": not a file of pairs\n";
    std::exit(2);
  }
  return problem;
}

// Asks every pair, sweep after sweep, and writes the last answer with the least time of each pair: what other programs
// on the machine take is not counted, and between two turns of a pair all others have been through the caches.
template <typename Ask>
void measure(const char* method, const Problem& problem, int sweeps, Ask ask) {
  std::vector<Answer> answers(problem.pairs.size());
  std::vector<std::int64_t> least(problem.pairs.size(), std::numeric_limits<std::int64_t>::max());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      const Answer answer = ask(k);
      const auto end = std::chrono::steady_clock::now();
      answers[k] = answer;
      const std::int64_t nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
      if (nanos < least[k]) least[k] = nanos;
    }
  }
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
    const Answer& answer = answers[k];
    std::printf("%s,%s,%d,%.17g,%lld,%d,%.17g,%.17g\n", method, problem.pairs[k].name.c_str(), answer.contact ? 1 : 0,
                answer.distance, static_cast<long long>(least[k]), answer.converged ? 1 : 0, answer.iterations, answer.skew);
  }
}

// Bytes of a mesh and of the tree over it, as the library counts them.
inline void write_bytes(const std::string& mesh, long bytes, const char* of = "bytes") {
  std::printf("%s,%s,,,%ld,,,\n", of, mesh.c_str(), bytes);
}

inline void write_head(const char* library, const char* version) {
  std::printf("# %s %s\nmethod,pair,contact,distance,nanos,converged,iterations,skew\n", library, version);
}

}  // namespace peers
