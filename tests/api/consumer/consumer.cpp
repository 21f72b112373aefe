#include <overlapack/overlapack.hpp>

#include <cmath>
#include <cstdio>

// [ 4 1 ] x = [ 6 ],  x = [ 1 ]
// [ 2 3 ]     [ 8 ]       [ 2 ]
int main() {
  overlapack::SparseMatrix<double> A;
  A.rows = A.cols = 2;
  A.start = {0, 2, 4};
  A.row = {0, 1, 0, 1};
  A.value = {4, 2, 1, 3};
  const auto solution = overlapack::solve(A, std::vector<double>{6, 8},
                                          {.ranks = 1, .sparse = {.ordering = overlapack::Ordering::amd}});
  const bool is_right = std::abs(solution.x[0] - 1) < 1e-15 && std::abs(solution.x[1] - 2) < 1e-15;
  try {
    A.value = {4, 2, 8, 4};
    overlapack::factorize(A);
    return 1;
  } catch (const overlapack::Error& error) {  // across the library's border
    if (error.kind() != overlapack::ErrorKind::singular) return 1;
  }
  std::puts(overlapack::to_json(solution.report).c_str());
  return is_right ? 0 : 1;
}
