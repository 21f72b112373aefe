#include "base/instantiate.hpp"
#include "call_parts.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "routines.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace overlapack::scalapack {
namespace {

bool is_letter(char given, char upper) { return given == upper || given == upper - 'A' + 'a'; }

/// Saves this process's entries above the diagonal of diagonal blocks while Cholesky uses their place, and restores them. They belong to the
/// program.
template <class T>
class EntriesAbove {
 public:
  explicit EntriesAbove(const dist::DistributedMatrix<T>& A) : A_(A) {
    each([&](std::span<T> above) { kept_.insert(kept_.end(), above.begin(), above.end()); });
  }
  EntriesAbove(const EntriesAbove&) = delete;
  EntriesAbove& operator=(const EntriesAbove&) = delete;
  ~EntriesAbove() {
    auto from = kept_.begin();
    each([&](std::span<T> above) {
      std::copy_n(from, above.size(), above.begin());
      from += std::ssize(above);
    });
  }

 private:
  template <class Visit>
  void each(Visit&& visit) const {
    for (Index j = 0; j < A_.local.cols; ++j) {
      const Index column = A_.cols.global({j}, A_.me.col).value;
      const Index first = A_.first_row({column / A_.rows.block * A_.rows.block}),
                  end = A_.first_row({column});
      visit(std::span<T>(A_.local.column(j) + first, static_cast<std::size_t>(end - first)));
    }
  }
  const dist::DistributedMatrix<T>& A_;
  std::vector<T> kept_;
};

dense::CholeskyPlan cholesky_plan(const dense::LuPlan& plan, char uplo) {
  return {.discipline = plan.discipline,
          .messages = plan.messages,
          .world = plan.world,
          .is_upper = is_letter(uplo, 'U'),
          .tile = plan.tile};
}

template <class T>
int factor_definite(const Position& position, char uplo, const Submatrix& A, T* local) {
  const auto matrix = view(A, local, position.grid, position.me, 0, A.cols);
  const dense::CholeskyPlan plan = cholesky_plan(position.plan, uplo);
  std::optional<EntriesAbove<T>> kept;
  if (!plan.is_upper) kept.emplace(matrix);
  const dense::FactorResult result = dense::cholesky_factor<T>(position.rank, matrix, plan);
  count(result);
  return static_cast<int>(result.info);
}

template <class T>
void solve_definite(const Position& position, char uplo, const Submatrix& A, T* local_a, const Submatrix& B,
                    T* local_b) {
  const auto factors = view(A, local_a, position.grid, position.me, 0, A.cols);
  for_columns(position, B, local_b, [&](const dist::DistributedMatrix<T>& columns) {
    dense::cholesky_solve<T>(position.rank, factors, columns, cholesky_plan(position.plan, uplo));
  });
}

/// Check UPLO, which is argument 1.
void require_triangle(ArgumentCheck& check, char uplo) {
  const bool is_upper = is_letter(uplo, 'U');
  check.require_same(is_upper ? 'U' : 'L', 1);
  if (check.has_passed()) check.require({{!is_upper && !is_letter(uplo, 'L'), 1}});
}

}  // namespace

template <class T>
int potrf(char uplo, int n, T* local, int ia, int ja, dist::DescriptorView descriptor) {
  const Submatrix A{n, 2, n, 2, ia, ja, descriptor, 6};
  const Grid grid = grid_of(A);
  if (!grid.holds_me()) return no_grid(A);
  ArgumentCheck check(grid);
  check.require_matrix(A);
  require_triangle(check, uplo);
  require_square_blocks(check, A);
  return run(grid, check, [&](const Position& position) {
    return A.is_empty() ? 0 : factor_definite(position, uplo, A, local);
  });
}

template <class T>
int potrs(char uplo, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          T* local_b, int ib, int jb, dist::DescriptorView descriptor_b, bool factorizes) {
  const Submatrix A{n, 2, n, 2, ia, ja, descriptor_a, 7}, B{n, 2, nrhs, 3, ib, jb, descriptor_b, 11};
  const Grid grid = grid_of(A);
  if (!grid.holds_me()) return no_grid(A);
  ArgumentCheck check(grid);
  check.require_matrix(A);
  check.require_matrix(B);
  require_triangle(check, uplo);
  require_square_blocks(check, A);
  require_rows_beside(check, grid, A, B);
  return run(grid, check, [&](const Position& position) {
    const int info = factorizes && !A.is_empty() ? factor_definite(position, uplo, A, local_a) : 0;
    if (info == 0 && !A.is_empty() && !B.is_empty()) solve_definite(position, uplo, A, local_a, B, local_b);
    return info;
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template int potrf(char, int, T*, int, int, dist::DescriptorView);                                         \
  template int potrs(char, int, int, T*, int, int, dist::DescriptorView, T*, int, int, dist::DescriptorView, \
                     bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::scalapack
