#include "sparse/generate/hexahedron.hpp"

#include <cmath>

namespace overlapack::sparse {
namespace {

using Gradient = std::array<std::array<double, 3>, 8>;  ///< of the eight shape functions
using Strain = std::array<std::array<double, 24>, 6>;   ///< B: xx, yy, zz, xy, yz, zx by unknown
using Elasticity = std::array<std::array<double, 6>, 6>;

/// Gradients at a point of the unit cube, N_k = product over axes of (x or 1 - x).
Gradient shape_gradients(const std::array<double, 3>& point) {
  Gradient gradient;
  for (int k = 0; k < 8; ++k) {
    const std::array<Index, 3> corner{corner_x(k), corner_y(k), corner_z(k)};
    for (int d = 0; d < 3; ++d) {
      double product = 1;
      for (int a = 0; a < 3; ++a) {
        const double along = corner[a] == 1 ? point[a] : 1 - point[a];
        product *= a == d ? (corner[a] == 1 ? 1.0 : -1.0) : along;
      }
      gradient[k][d] = product;
    }
  }
  return gradient;
}

Strain strain_matrix(const Gradient& gradient) {
  Strain B{};
  for (int k = 0; k < 8; ++k) {
    const auto [x, y, z] = gradient[k];
    B[0][3 * k] = x;
    B[1][3 * k + 1] = y;
    B[2][3 * k + 2] = z;
    B[3][3 * k] = y;
    B[3][3 * k + 1] = x;
    B[4][3 * k + 1] = z;
    B[4][3 * k + 2] = y;
    B[5][3 * k] = z;
    B[5][3 * k + 2] = x;
  }
  return B;
}

/// D of Hooke's law: stress = D strain.
Elasticity elasticity_matrix(const Material& material) {
  const double nu = material.poissons_ratio;
  const double lambda = material.youngs_modulus_pa * nu / ((1 + nu) * (1 - 2 * nu));
  const double mu = material.youngs_modulus_pa / (2 * (1 + nu));
  Elasticity D{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) D[i][j] = lambda;
    D[i][i] += 2 * mu;
    D[i + 3][i + 3] = mu;
  }
  return D;
}

/// K += weight B^T D B
void add_product(const Strain& B, const Elasticity& D, double weight, ElementStiffness& K) {
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j)
      for (int p = 0; p < 6; ++p)
        for (int q = 0; q < 6; ++q) K[i][j] += weight * B[p][i] * D[p][q] * B[q][j];
}

/// Makes K exactly symmetric, and entries that are only rounding zero.
void symmetrise_and_drop_rounding(ElementStiffness& K) {
  const double dust = 1e-12 * K[0][0];
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j <= i; ++j) {
      const double mean = 0.5 * (K[i][j] + K[j][i]);
      K[i][j] = K[j][i] = std::fabs(mean) < dust ? 0.0 : mean;
    }
}

}  // namespace

ElementStiffness cube_stiffness(const Material& material, double edge_m) {
  const Elasticity D = elasticity_matrix(material);
  const double near = 0.5 - 0.5 / std::sqrt(3.0), far = 1 - near;
  ElementStiffness K{};
  // Gradients scale as 1 / edge and the volume as edge^3: one factor edge remains.
  for (double x : {near, far})
    for (double y : {near, far})
      for (double z : {near, far}) add_product(strain_matrix(shape_gradients({x, y, z})), D, edge_m / 8, K);
  symmetrise_and_drop_rounding(K);
  return K;
}

}  // namespace overlapack::sparse
