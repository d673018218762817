// Ipopt on the pairs of a file: the nearest points of two implicit surfaces by an interior-point method, the row
// "Implicit" of Ruan et al. 2022 after Chakraborty et al. 2008. Usage: ipopt_pairs FILE SWEEPS
//
//   minimize ½|x1 − x2|²  subject to  Ψ1(x1) ≤ 0,  Ψ2(x2) ≤ 0
//
// from the centres of both bodies. It has no depth: where the bodies overlap the points coincide. Tolerance, iteration
// limit, linear solver and the 1 mm below which the points count as one are those of the paper's published code
// (github.com/ChirikjianLab/cfc-collision); so is the Hessian, approximated by limited-memory updates, the default of the
// wrapper it uses. The derivatives of Ψ, central differences there, are exact here.
#define HAVE_CSTDDEF
#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <IpoptConfig.h>

#include <Eigen/Geometry>

#include "pairs.hpp"

using Ipopt::Index;
using Ipopt::Number;
using Eigen::Vector3d;

constexpr double TOLERANCE = 1e-5;
constexpr int MAX_ITERATIONS = 100;
// In metres.
constexpr double TOUCHING = 1e-3;

// Ψ(x) = (|x/a|^(2/ε_xy) + |y/b|^(2/ε_xy))^(ε_xy/ε_z) + |z/c|^(2/ε_z) − 1 with the semi-axes of the octant of x, and its
// gradient, world frame.
static double implicit(const peers::Surface& s, const peers::Pose& pose, const Vector3d& point, Vector3d* gradient) {
  const Vector3d x = pose.rotation.transpose() * (point - pose.translation);
  Vector3d u, slope;
  for (int k = 0; k < 3; ++k) {
    const double radius = x[k] < 0 ? s.negative[k] : s.positive[k];
    u[k] = std::abs(x[k]) / radius;
    slope[k] = (x[k] < 0 ? -1 : 1) / radius;
  }
  const double power_xy = 2 / s.exponent_xy, power_z = 2 / s.exponent_z, outer = s.exponent_xy / s.exponent_z;
  const double section = std::pow(u[0], power_xy) + std::pow(u[1], power_xy);
  if (gradient) {
    // On the z axis both factors are powers of zero; their product is zero.
    const double chain = section > 0 ? outer * std::pow(section, outer - 1) * power_xy : 0;
    const Vector3d local(chain * std::pow(u[0], power_xy - 1) * slope[0], chain * std::pow(u[1], power_xy - 1) * slope[1],
                         power_z * std::pow(u[2], power_z - 1) * slope[2]);
    *gradient = pose.rotation * local;
  }
  return std::pow(section, outer) + std::pow(u[2], power_z) - 1;
}

class NearestPoints : public Ipopt::TNLP {
 public:
  NearestPoints(const peers::Problem& problem, const peers::Pair& pair)
      : a(problem.surfaces.at(pair.a)), b(problem.surfaces.at(pair.b)), pair(pair) {}

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = 6, m = 2, jacobian = 6, hessian = 0, style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index, Number* low, Number* high, Index, Number* g_low, Number* g_high) override {
    std::fill(low, low + 6, -2e19), std::fill(high, high + 6, 2e19);
    std::fill(g_low, g_low + 2, -2e19), std::fill(g_high, g_high + 2, 0.0);
    return true;
  }
  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    Eigen::Map<Vector3d>{x} = pair.pose_a.translation;
    Eigen::Map<Vector3d>{x + 3} = pair.pose_b.translation;
    return true;
  }
  bool eval_f(Index, const Number* x, bool, Number& value) override {
    value = 0.5 * gap(x).squaredNorm();
    return true;
  }
  bool eval_grad_f(Index, const Number* x, bool, Number* slope) override {
    Eigen::Map<Vector3d>{slope} = -gap(x);
    Eigen::Map<Vector3d>{slope + 3} = gap(x);
    return true;
  }
  bool eval_g(Index, const Number* x, bool, Index, Number* g) override {
    g[0] = implicit(a, pair.pose_a, Eigen::Map<const Vector3d>(x), nullptr);
    g[1] = implicit(b, pair.pose_b, Eigen::Map<const Vector3d>(x + 3), nullptr);
    return true;
  }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* rows, Index* columns, Number* values) override {
    if (!values) {
      for (Index k = 0; k < 6; ++k) rows[k] = k / 3, columns[k] = k;
      return true;
    }
    Vector3d slope_a, slope_b;
    implicit(a, pair.pose_a, Eigen::Map<const Vector3d>(x), &slope_a);
    implicit(b, pair.pose_b, Eigen::Map<const Vector3d>(x + 3), &slope_b);
    Eigen::Map<Vector3d>{values} = slope_a;
    Eigen::Map<Vector3d>{values + 3} = slope_b;
    return true;
  }
  void finalize_solution(Ipopt::SolverReturn, Index, const Number* x, const Number*, const Number*, Index, const Number*,
                         const Number*, Number, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    Vector3d normal;
    implicit(a, pair.pose_a, Eigen::Map<const Vector3d>(x), &normal);
    const Vector3d line = gap(x);
    answer.contact = line.norm() <= TOUCHING;
    if (!answer.contact) answer.distance = line.norm();
    answer.skew = normal.normalized().cross(line).norm();
  }

  peers::Answer answer;

 private:
  static Vector3d gap(const Number* x) { return Eigen::Map<const Vector3d>(x + 3) - Eigen::Map<const Vector3d>(x); }

  const peers::Surface &a, &b;
  const peers::Pair& pair;
};

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "usage: ipopt_pairs FILE SWEEPS\n"), 2;
  const peers::Problem problem = peers::read(words[1]);
  const int sweeps = std::atoi(words[2]);
  peers::write_head("Ipopt", IPOPT_VERSION);

  Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = IpoptApplicationFactory();
  solver->Options()->SetNumericValue("tol", TOLERANCE);
  solver->Options()->SetIntegerValue("max_iter", MAX_ITERATIONS);
  solver->Options()->SetStringValue("linear_solver", "mumps");
  solver->Options()->SetStringValue("hessian_approximation", "limited-memory");
  solver->Options()->SetIntegerValue("print_level", 0);
  solver->Options()->SetStringValue("sb", "yes");
  if (solver->Initialize() != Ipopt::Solve_Succeeded) return std::fprintf(stderr, "Ipopt does not start\n"), 1;

  peers::measure("ipopt-implicit", problem, sweeps, [&](std::size_t k) {
    Ipopt::SmartPtr<NearestPoints> points = new NearestPoints(problem, problem.pairs[k]);
    const auto status = solver->OptimizeTNLP(GetRawPtr(points));
    points->answer.converged = status == Ipopt::Solve_Succeeded || status == Ipopt::Solved_To_Acceptable_Level;
    const auto statistics = solver->Statistics();
    if (IsValid(statistics)) points->answer.iterations = statistics->IterationCount();
    return points->answer;
  });
  return 0;
}
