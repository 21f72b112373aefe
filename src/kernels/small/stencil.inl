// A row of the 6-point stencil. Included by level.cpp only.

namespace overlapack::kernels::small {
namespace {

/// The formula adds no product to a sum, so that compilers cannot fuse anything: the results are the same bits at each level.
void stencil_row(std::int64_t n, std::int64_t row, std::int64_t plane, const double* __restrict u,
                 double* __restrict next) {
  constexpr double sixth = 1.0 / 6.0;
  const double *const south = u - row, *const north = u + row, *const below = u - plane,
                      *const above = u + plane;
  for (std::int64_t i = 0; i < n; ++i)
    next[i] = sixth * ((u[i - 1] + u[i + 1]) + (south[i] + north[i]) + (below[i] + above[i]));
}

}  // namespace
}  // namespace overlapack::kernels::small
