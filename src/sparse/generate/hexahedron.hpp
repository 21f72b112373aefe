#pragma once
#include "overlapack/scalar.hpp"

#include <array>

namespace overlapack::sparse {

/// An isotropic elastic material.
struct Material {
  double youngs_modulus_pa = 210e9;  ///< steel
  double poissons_ratio = 0.3;
};

/// Corner k of a unit cube is at (corner_x, corner_y, corner_z), each 0 or 1.
constexpr Index corner_x(int k) { return k >> 2 & 1; }
constexpr Index corner_y(int k) { return k >> 1 & 1; }
constexpr Index corner_z(int k) { return k & 1; }

/// Displacement d (0 to 2) of corner k is unknown 3 k + d.
using ElementStiffness = std::array<std::array<double, 24>, 24>;

/// K_e = integral of B^T D B over a cube of edge `edge_m`, trilinear shape functions, 2 x 2 x 2 Gauss points.
/// Units   newton a metre
/// Source  any text on finite elements, e.g. T. Hughes, The Finite Element Method, section 3.10
ElementStiffness cube_stiffness(const Material& material, double edge_m);

}  // namespace overlapack::sparse
