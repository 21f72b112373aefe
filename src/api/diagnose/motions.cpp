#include "api/diagnose/motions.hpp"

#include "api/diagnose/diagnose_plan.hpp"
#include "overlapack/printed.hpp"

#include <cmath>
#include <utility>

namespace overlapack::api {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Subtract from v its part in the space of an orthonormal basis. Two passes are enough.
void project_out(const std::vector<Vector>& basis, Vector& v) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Vector& q : basis) {
      const double part = dot(q, v);
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part * q[i];
    }
}

std::vector<Vector> orthonormal(const std::vector<Vector>& vectors) {
  std::vector<Vector> basis;
  for (Vector v : vectors) {
    const double before = std::sqrt(dot(v, v));
    project_out(basis, v);
    const double norm = std::sqrt(dot(v, v));
    if (!(norm > 1e-8 * before)) continue;
    for (double& x : v) x /= norm;
    basis.push_back(std::move(v));
  }
  return basis;
}

/// Whether v is in the space of this basis.
bool is_in(const std::vector<Vector>& basis, const Vector& v) {
  Vector rest = v;
  project_out(basis, rest);
  const double norm = dot(v, v);
  return norm > 0 && dot(rest, rest) <= diagnose_plan.fits * diagnose_plan.fits * norm;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : ", ";
    text += word;
  }
  return text;
}

}  // namespace

RigidMotions::RigidMotions(const ModelFacts& facts, Index n) : facts_(facts) {
  const int d = facts.dimensions;
  if (facts.coordinates.empty() || d < 1 || d > 3) return;
  const Index nodes = static_cast<Index>(facts.coordinates.size()) / d;
  if (nodes == 0 || n % nodes != 0) return;
  per_node_ = n / nodes;
  const bool turns = d == 2 && per_node_ == 3, turns_in_space = d == 3 && per_node_ == 6;
  if (per_node_ != d && !turns && !turns_in_space) return;
  const char* const axis[] = {"x", "y", "z"};
  const auto x = [&](Index node, int a) { return facts.coordinates[static_cast<std::size_t>(node * d + a)]; };
  const auto add = [&](std::string name, auto&& value) {  // value(node, component)
    Vector values(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
      values[static_cast<std::size_t>(i)] = value(i / per_node_, static_cast<int>(i % per_node_));
    motions_.push_back({std::move(name), std::move(values)});
  };
  for (int a = 0; a < d; ++a)
    add(std::string("translation along ") + axis[a], [&](Index, int c) { return c == a ? 1.0 : 0.0; });
  for (int z = d == 3 ? 0 : 2; d > 1 && z < 3; ++z) {  // u = e_z x (x - origin)
    const int from = (z + 1) % 3, to = (z + 2) % 3;
    add(d == 2 ? std::string("rotation about (0, 0)") : std::string("rotation about ") + axis[z],
        [&](Index node, int c) {
          if (c == to) return x(node, from);
          if (c == from) return -x(node, to);
          return (turns && c == 2) || (turns_in_space && c == 3 + z) ? 1.0 : 0.0;
        });
  }
}

/// Describe one rigid motion v in the plane: a rotation, with the point that does not move, or a translation.
std::string RigidMotions::center(std::span<const Index> unknowns, const Vector& v) const {
  // u_x = along_x - turn y, u_y = along_y + turn x: normal equations of the three
  double M[3][4] = {};
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Index unknown = unknowns[k], node = unknown / per_node_;
    if (unknown % per_node_ > 1) continue;
    const double px = facts_.coordinates[static_cast<std::size_t>(2 * node)],
                 py = facts_.coordinates[static_cast<std::size_t>(2 * node + 1)];
    const bool is_x = unknown % per_node_ == 0;
    const double row[4] = {is_x ? 1.0 : 0.0, is_x ? 0.0 : 1.0, is_x ? -py : px, v[k]};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) M[i][j] += row[i] * row[j];
  }
  for (int p = 0; p < 3; ++p) {
    if (!(std::abs(M[p][p]) > 0)) return "";
    for (int i = 0; i < 3; ++i) {
      if (i == p) continue;
      const double l = M[i][p] / M[p][p];
      for (int j = p; j < 4; ++j) M[i][j] -= l * M[p][j];
    }
  }
  const double along[] = {M[0][3] / M[0][0], M[1][3] / M[1][1]}, turn = M[2][3] / M[2][2];
  if (std::abs(turn) <= diagnose_plan.fits)
    return printed("translation along (%.6g, %.6g)", along[0], along[1]);
  return printed("rotation about (%.6g, %.6g)", -along[1] / turn + 0.0, along[0] / turn + 0.0);
}

std::string RigidMotions::describe(std::span<const Index> unknowns, std::vector<Vector> vectors) const {
  const auto on_support = [&](const Vector& all) {
    Vector values;
    for (const Index i : unknowns) values.push_back(all[static_cast<std::size_t>(i)]);
    return values;
  };
  std::vector<Vector> rigid;
  std::vector<std::string> found;
  const std::vector<Vector> basis = orthonormal(vectors);
  for (const Motion& motion : motions_) {
    rigid.push_back(on_support(motion.values));
    if (is_in(basis, rigid.back())) found.push_back(motion.name);
  }
  if (found.size() == basis.size() || motions_.empty()) return joined(found);
  const std::vector<Vector> all = orthonormal(rigid);
  std::size_t rigid_vectors = 0;
  for (const Vector& v : vectors) rigid_vectors += is_in(all, v);
  if (rigid_vectors < vectors.size()) return joined(found);
  const std::size_t others = basis.size() - found.size();
  const bool is_in_plane = facts_.dimensions == 2 && found.empty() && others == 1;
  found.push_back(is_in_plane ? center(unknowns, vectors.front())
                              : std::to_string(others) + (others == 1 ? " rigid motion" : " rigid motions") +
                                    (found.empty() ? "" : " more"));
  return joined(found);
}

}  // namespace overlapack::api
