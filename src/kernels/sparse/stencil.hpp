#pragma once
#include "kernels/product/cost.hpp"

/// The 6-point stencil of the Laplace equation on a box of a 3D grid, as Jacobi's method needs it.
namespace overlapack::kernels {

/// A box of nx x ny x nz inner points in a shell that is one point thick and holds the neighbours' values or the boundary. Point
/// (i, j, k), counted with the shell, is at i + row() j + plane() k; inner points have i in 1 .. nx, j in 1 .. ny, k in 1 .. nz.
struct Box {
  Index nx = 0, ny = 0, nz = 0;
  constexpr Index row() const { return nx + 2; }
  constexpr Index plane() const { return row() * (ny + 2); }
  constexpr Index size() const { return plane() * (nz + 2); }
  constexpr Index points() const { return nx * ny * nz; }
};

/// next(i,j,k) <- (u(i-1,j,k) + u(i+1,j,k) + u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1)) / 6 in the inner planes
/// first_plane <= k < last_plane. The sweep works in strips of rows, of which three planes fit into the cache, so that u is read
/// once.
/// Shapes  u, next: box.size() each, not overlapping; the shell of next is not written
/// Rows are computed by a small kernel (small/table.hpp), with the same results at all levels.
/// Cost    stencil_cost
/// Source  paper 5, Figure 1
void stencil_sweep(const Box& box, const double* u, double* next, Index first_plane, Index last_plane);

/// The sum of squares of the neighbours' sum less 6 u(i,j,k), over all inner points: ||b - A u||_2^2 of the box, where A has
/// 6 on its diagonal and -1 for each neighbour.
/// Cost    as one sweep, 8 bytes a point
double stencil_residual(const Box& box, const double* u);

/// Cost of one sweep: 6 flops a point; each point of u is read, each of `next` is fetched and written back.
constexpr Cost stencil_cost(double points) { return {6 * points, 3 * sizeof(double) * points}; }

}  // namespace overlapack::kernels
