#include "api/refine/applied_matrix.hpp"

#include "base/instantiate.hpp"
#include "kernels/sparse/sparse_residual.hpp"
#include "sparse/matrix/transpose.hpp"
#include "sparse/rows/slab_products.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <utility>

namespace overlapack::api {
namespace {

/// The 1-norm of A, the largest column sum of moduli, divided by `unit`.
template <class T>
double one_norm_of(const SparseMatrix<T>& A, double unit) {
  double norm = 0;
  for (Index j = 0; j < A.cols; ++j) {
    double sum = 0;
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) sum += std::abs(A.value[k]) / unit;
    norm = std::max(norm, sum);
  }
  return norm;
}

template <class T>
bool leaves_unchanged(Transpose op, const SparseMatrix<T>& A) {
  constexpr bool is_complex = ScalarTraits<T>::is_complex;
  if (A.symmetry == Symmetry::symmetric) return op != Transpose::conj_trans || !is_complex;
  if (A.symmetry == Symmetry::hermitian) return op != Transpose::trans || !is_complex;
  return op == Transpose::none;
}

}  // namespace

template <class T>
AppliedMatrix<T>::AppliedMatrix(Session& session, const SparseMatrix<T>& A,
                                const std::vector<sparse::RowSlab<T>>& slabs, Transpose op,
                                const std::vector<double>& row_max)
    : session_(session),
      A_(A),
      slabs_(slabs),
      is_distributed_(!slabs.empty()),
      is_transposed_(is_distributed_ ? op != Transpose::none : !leaves_unchanged(op, A)) {
  const bool is_conjugated = op == Transpose::conj_trans;
  if (!is_distributed_) {
    if (!session.has_root()) return;
    if (is_transposed_) made_ = is_conjugated ? sparse::conjugate_transpose(A) : sparse::transpose(A);
    row_max_ = is_transposed_ ? row_maxima(whole()) : row_max;
    return;
  }
  if (is_transposed_) made_slabs_.resize(slabs.size());
  session.run([&](comm::Rank& rank, int position) {
    const auto at = static_cast<std::size_t>(position);
    if (is_transposed_) made_slabs_[at] = sparse::transposed(rank, slabs_[at], is_conjugated);
    std::vector<double> all = sparse::gather_rows(rank, slab(position), row_maxima(slab(position).rows));
    if (rank.rank() == 0) row_max_ = std::move(all);
  });
}

template <class T>
std::vector<BackwardError> AppliedMatrix<T>::residuals(comm::Rank& rank, int position,
                                                       std::span<const ResidualColumn<T>> columns,
                                                       kernels::ResidualSum sum) const {
  if (!is_distributed_)
    return api::residuals<T>(whole(), row_max_, columns,
                             comm::slices_of(rank, {.kind = "residual", .n = whole().nnz()}), sum);
  std::vector<T> b, x;
  for (const ResidualColumn<T>& column : columns) {
    b.insert(b.end(), column.b.begin(), column.b.end());
    x.insert(x.end(), column.x.begin(), column.x.end());
  }
  const sparse::SlabResiduals<T> all =
      sparse::residuals<T>(rank, slab(position), b, x, static_cast<Index>(columns.size()));
  std::vector<BackwardError> errors;
  std::size_t at = 0;
  for (const ResidualColumn<T>& column : columns) {
    const std::size_t n = column.r.size();
    std::ranges::copy(std::span<const T>(all.r).subspan(at, n), column.r.begin());
    const auto weight = std::span<const Real<T>>(all.weight).subspan(at, n);
    errors.push_back(backward_error<T>(row_max_, column.b, column.x, column.r, weight));
    std::ranges::copy(weight.first(column.weight.size()), column.weight.begin());
    raise_envelope<T>(column, weight);
    at += n;
  }
  return errors;
}

template <class T>
void AppliedMatrix<T>::serve_residuals(comm::Rank& rank, int position, Index columns) const {
  if (is_distributed_) sparse::residuals<T>(rank, slab(position), {}, {}, columns);
}

template <class T>
typename AppliedMatrix<T>::Measured AppliedMatrix<T>::measure(std::span<const T> b,
                                                              std::span<const T> x) const {
  Measured measured{};
  sparse::SlabResiduals<T> all;
  if (is_distributed_)
    session_.run([&](comm::Rank& rank, int position) {
      const bool is_root = rank.rank() == 0;
      auto of_all = sparse::residuals<T>(rank, slab(position), is_root ? b : std::span<const T>(),
                                         is_root ? x : std::span<const T>(), 1);
      if (is_root) all = std::move(of_all);
    });
  if (!session_.has_root()) return measured;
  if (!is_distributed_) {
    all = {std::vector<T>(b.size()), std::vector<Real<T>>(b.size())};
    kernels::residual(whole(), x, b, std::span<T>(all.r), std::span<Real<T>>(all.weight));
  }
  return {backward_error<T>(row_max_, b, x, all.r, all.weight), row_weights<T>(row_max_, b, x, all.weight),
          residual_share<T>(row_max_, b, all.r)};
}

template <class T>
void AppliedMatrix<T>::multiply(std::span<const T> v, std::span<T> product, std::span<Real<T>> weight) const {
  const std::vector<T> zero(v.size());
  session_.run([&](comm::Rank& rank, int position) {
    if (rank.rank() != 0) return serve_residuals(rank, position, 1);
    const ResidualColumn<T> column{zero, v, product, weight};
    residuals(rank, position, std::span(&column, 1), kernels::ResidualSum::longest);
  });
  std::ranges::transform(product, product.begin(), std::negate<>());
}

template <class T>
double AppliedMatrix<T>::one_norm(double unit) const {
  double norm = 0;
  session_.run([&](comm::Rank& rank, int position) {
    const bool is_root = rank.rank() == 0;
    const double mine = is_distributed_
                            ? sparse::one_norm(rank, slab(position), unit)
                            : broadcast_from_root(rank, is_root ? one_norm_of(whole(), unit) : 0.0);
    if (position == 0) norm = mine;
  });
  return norm;
}

OVERLAPACK_INSTANTIATE_CLASS(AppliedMatrix);

}  // namespace overlapack::api
