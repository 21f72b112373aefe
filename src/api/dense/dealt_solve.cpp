#include "api/dense/dealt_matrix.hpp"
#include "api/dense/layout.hpp"
#include "api/dense/replicated.hpp"
#include "api/refined_solve.hpp"
#include "base/instantiate.hpp"
#include "dense/check/residual.hpp"

#include <algorithm>
#include <cmath>

/// Refined solves with distributed factors: substitutions and residuals of vectors that rank 0 brings, some columns at a time.
namespace overlapack::api {
namespace {

using kernels::Op;

/// The columns of a triangle without its diagonal.
template <class T>
class StrictTriangle {
 public:
  explicit StrictTriangle(const dist::DistributedMatrix<T>& A) : A_(A) {}

  MatrixView<const T> operator()(Index first, Index count) {
    buffer_.clear();
    for (Index j = first; j < first + count; ++j) {
      buffer_.insert(buffer_.end(), A_.local.column(j), A_.local.column(j) + A_.local.rows);
      const dist::Global diagonal = A_.cols.global({j}, A_.me.col);
      if (A_.owns_row(diagonal))
        buffer_[static_cast<std::size_t>((j - first) * A_.local.rows + A_.first_row(diagonal))] = T(0);
    }
    return {buffer_.data(), A_.local.rows, count, A_.local.rows};
  }

 private:
  const dist::DistributedMatrix<T>& A_;
  std::vector<T> buffer_;
};

}  // namespace

template <class T>
dense::EntrySizes DealtMatrix<T>::entry_sizes(comm::Rank& rank, int place) const {
  const Part& A = part(place);
  dense::EntrySizes sizes = dense::entry_sizes<T>(rank, A, dense::columns_of(A), {0}, {n_});
  if (!kind_.is_hermitian) return sizes;
  StrictTriangle<T> strict(A);  // its columns are the rows of the upper triangle
  const dense::EntrySizes upper = dense::entry_sizes<T>(rank, A, strict, {0}, {n_});
  for (std::size_t i = 0; i < sizes.row_sum.size(); ++i) {
    sizes.row_sum[i] += upper.col_sum[i];
    sizes.row_max[i] = std::max(sizes.row_max[i], upper.col_max[i]);
  }
  sizes.col_sum = sizes.row_sum;
  sizes.col_max = sizes.row_max;
  return sizes;
}

/// R <- R - op(A) X, W <- W + |op(A)| |X|
template <class T>
void DealtMatrix<T>::residual(comm::Rank& rank, int place, Op op, MatrixView<const T> X,
                              MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const {
  const Part& A = part(place);
  dense::residual<T>(rank, kind_.is_hermitian ? Op::none : op, A, dense::columns_of(A), X, R, W);
  if (!kind_.is_hermitian) return;
  StrictTriangle<T> strict(A);  // A = L + strict^H
  dense::residual<T>(rank, Op::conj_trans, A, strict, X, R, W);
}

template <class T>
Solution<T> DealtMatrix<T>::solve(std::span<const T> b, Index nrhs, dense::Transpose transpose) {
  const Op op = op_of(transpose);
  const FactorizedSystem<T> system{
      .n = n_,
      .substitute = [&](comm::Rank& rank, int place, const T* r, T* d,
                        Index columns) { substitute_columns(rank, place, op, r, d, columns); },
      .residuals =
          [&](comm::Rank& rank, int place) {
            return [&, place, op](std::span<const ResidualColumn<T>> columns) {
              return residuals(rank, place, op, columns);
            };
          },
      .take_part = [&](comm::Rank& rank, int place,
                       Index columns) { take_part_in_residuals(rank, place, op, columns); },
      .more_accuracy = "raise refinement_steps (now " + std::to_string(options_.refinement.steps) +
                       "), or scale rows and columns to like sizes"};
  std::vector<T> x = refined_solve(*session_, interruption_, options_, system, b, nrhs, report_);
  return {std::move(x), report_};
}

template <class T>
void DealtMatrix<T>::substitute_columns(comm::Rank& rank, int place, Op op, const T* r, T* d, Index columns) {
  for (Index c = 0; c < columns; c += plan_.lu.rhs_block) {
    const Index count = std::min(plan_.lu.rhs_block, columns - c);
    std::vector<T> X = replicated(rank, r == nullptr ? nullptr : r + c * n_, n_ * count);
    substitute(rank, place, op, {X.data(), n_, count, n_});
    if (d != nullptr) std::ranges::copy(X, d + c * n_);
  }
}

template <class T>
std::vector<BackwardError> DealtMatrix<T>::residuals(comm::Rank& rank, int place, Op op,
                                                     std::span<const ResidualColumn<T>> columns) const {
  const std::vector<double>& row_max = op == Op::none ? sizes_.row_max : sizes_.col_max;
  std::vector<BackwardError> errors;
  const Index total = static_cast<Index>(columns.size());
  for (Index c = 0; c < total; c += plan_.lu.rhs_block) {
    const auto part = columns.subspan(c, std::min(plan_.lu.rhs_block, total - c));
    const Index count = static_cast<Index>(part.size());
    std::vector<T> x;
    std::vector<kernels::WideScalar<T>> r;
    std::vector<Real<T>> w;
    for (const ResidualColumn<T>& column : part) {
      x.insert(x.end(), column.x.begin(), column.x.end());
      r.insert(r.end(), column.b.begin(), column.b.end());
      for (const T& b : column.b) w.push_back(std::abs(b));
    }
    x = replicated(rank, x.data(), n_ * count);
    residual(rank, place, op, {x.data(), n_, count, n_}, {r.data(), n_, count, n_},
             {w.data(), n_, count, n_});
    for (Index k = 0; k < count; ++k) {
      std::transform(r.begin() + k * n_, r.begin() + (k + 1) * n_, part[k].r.begin(),
                     [](const kernels::WideScalar<T>& sum) { return static_cast<T>(sum); });
      errors.push_back(backward_error<T>(row_max, part[k].b, part[k].x, part[k].r,
                                         std::span<const Real<T>>(w).subspan(k * n_, n_)));
    }
  }
  return errors;
}

template <class T>
void DealtMatrix<T>::take_part_in_residuals(comm::Rank& rank, int place, Op op, Index columns) const {
  for (Index c = 0; c < columns; c += plan_.lu.rhs_block) {
    const Index count = std::min(plan_.lu.rhs_block, columns - c);
    const std::vector<T> x = replicated<T>(rank, nullptr, n_ * count);
    residual(rank, place, op, {x.data(), n_, count, n_}, {}, {});
  }
}

/// B comes to rank 0, X goes to every rank: each keeps its part.
template <class T>
Solution<T> DealtMatrix<T>::solve_distributed(const dense::Layout& layout, dense::View<T> mine,
                                              dense::Transpose op) {
  std::vector<T> b;
  session_->run([&](comm::Rank& rank, int) {
    require_same_layout(rank, layout, ScalarTraits<T>::type);
    if (layout.rows != n_)
      throw Error(ErrorKind::bad_input, "dense",
                  "the right-hand side has " + std::to_string(layout.rows) + " rows, but the matrix has " +
                      std::to_string(n_) + "; give as many");
    const dense::Layout on_root = whole(n_, layout.cols);
    const dist::ProcessGrid grid = grid_of(layout, rank.size()), root = grid_of(on_root, rank.size());
    if (rank.rank() == 0) b.resize(static_cast<std::size_t>(n_ * layout.cols));
    const dense::View<T> all{b.data(), n_, layout.cols, n_};
    move(rank, part_of(grid, rank, layout, mine),
         part_of(root, rank, on_root, rank.rank() == 0 ? all : dense::View<T>{}), plan_.lu.inbox);
  });
  const Solution<T> whole_solution = solve(b, layout.cols, op);
  Solution<T> part{{}, whole_solution.report};
  session_->run([&](comm::Rank& rank, int) {
    const dist::ProcessGrid grid = grid_of(layout, rank.size());
    if (!grid.holds(rank.rank())) return;
    const dist::GridPlace me = grid.place_of(rank.rank());
    for (Index j = 0; j < mine.cols; ++j)
      for (Index i = 0; i < mine.rows; ++i)
        part.x.push_back(whole_solution.x[rows_of(layout).global({i}, me.row).value +
                                          cols_of(layout).global({j}, me.col).value * n_]);
  });
  return part;
}

#define OVERLAPACK_INSTANTIATE(T)                                                              \
  template dense::EntrySizes DealtMatrix<T>::entry_sizes(comm::Rank&, int) const;              \
  template Solution<T> DealtMatrix<T>::solve(std::span<const T>, Index, dense::Transpose);     \
  template Solution<T> DealtMatrix<T>::solve_distributed(const dense::Layout&, dense::View<T>, \
                                                         dense::Transpose);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
