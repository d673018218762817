// Fits a superquadric to each cloud of a folder with superquadric-lib (Vezzani et al.), github.com/robotology/superquadric-lib @ f38e763,
// with the default options of its code. Usage: superquadric_lib OUT CLOUD.xyz…
//
// OUT gets a line for each cloud, as `fit_clouds N SEED score OUT` reads it. Its library SuperquadricModel, Ipopt and Eigen are enough:
//
//   g++ -O2 -I MODEL/include superquadric_lib.cpp MODEL/src/*.cpp $(pkg-config --cflags --libs ipopt eigen3)
#include <SuperquadricLibModel/superquadricEstimator.h>

#include <ctime>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

static std::string stem(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "usage: superquadric_lib OUT CLOUD.xyz...\n";
    return 2;
  }
  std::ofstream out(words[1]);
  out << std::setprecision(17);
  // The library prints what it does.
  std::streambuf* const console = std::cout.rdbuf(nullptr);
  int failed = 0;
  const std::clock_t begin = std::clock();
  for (int k = 2; k < count; ++k) {
    std::ifstream file(words[k]);
    std::deque<Eigen::Vector3d> points;
    for (Eigen::Vector3d p; file >> p[0] >> p[1] >> p[2];) points.push_back(p);
    if (points.empty()) {
      std::cerr << words[k] << ": no points\n";
      return 2;
    }
    SuperqModel::PointCloud cloud;
    cloud.setPoints(points);
    SuperqModel::SuperqEstimatorApp estimator;
    const auto found = estimator.computeSuperq(cloud);
    if (found.empty()) {
      ++failed;
      continue;
    }
    const auto x = found[0].getSuperqParams();
    const Eigen::Matrix3d axes = (Eigen::AngleAxisd(x[8], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(x[9], Eigen::Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(x[10], Eigen::Vector3d::UnitZ()))
                                     .toRotationMatrix();
    out << stem(words[k]) << ' ' << x[3] << ' ' << x[4] << ' ' << x[0] << ' ' << x[1] << ' ' << x[2];
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) out << ' ' << axes(row, column);
    out << ' ' << x[5] << ' ' << x[6] << ' ' << x[7] << '\n';
  }
  const double ms = 1000.0 * (std::clock() - begin) / CLOCKS_PER_SEC / (count - 2);
  std::cout.rdbuf(console);
  std::cout << "superquadric-lib: " << count - 2 << " clouds, " << failed << " failed, " << ms << " ms of CPU a cloud\n";
  return out.good() ? 0 : 1;
}
