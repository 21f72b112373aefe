#include "iterative/multisplitting/coarse_level.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/norm.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <utility>

namespace overlapack::iterative {

namespace {

/// Least share of a vector's norm that must remain after the columns before it are projected out.
constexpr double least_new = 1e-6;

/// Orthonormalise the columns of one block by Gram-Schmidt, with two passes for the last digits; dependent columns are left out.
template <class T>
std::vector<std::vector<T>> orthonormal(std::vector<std::vector<T>> vectors) {
  const auto norm = [](const std::vector<T>& v) {
    double sum = 0;
    for (const T& x : v) sum += std::norm(std::complex<double>(x));
    return std::sqrt(sum);
  };
  std::vector<std::vector<T>> Q;
  for (std::vector<T>& v : vectors) {
    const double largest = kernels::largest(std::span<const T>(v));
    if (!(largest > 0)) continue;
    for (T& x : v)
      x /= static_cast<Real<T>>(largest);  // squares neither vanish nor overflow, whatever its unit
    const double before = norm(v);
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<T>& q : Q) {
        T along = T(0);
        for (std::size_t i = 0; i < v.size(); ++i) along += conjugate(q[i]) * v[i];
        for (std::size_t i = 0; i < v.size(); ++i) v[i] -= along * q[i];
      }
    const double after = norm(v);
    if (!(after > least_new * before)) continue;
    for (T& x : v) x *= Real<T>(1 / after);
    Q.push_back(std::move(v));
  }
  return Q;
}

}  // namespace

template <class T>
CoarseBasis<T> coarse_basis(std::span<const int> block, int blocks, std::span<const T> vectors, Index count) {
  const Index n = std::ssize(block);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(blocks));
  for (Index i = 0; i < n; ++i)
    rows[static_cast<std::size_t>(block[static_cast<std::size_t>(i)])].push_back(i);
  CoarseBasis<T> basis;
  basis.block.assign(block.begin(), block.end());
  basis.most = std::max<Index>(count, 1);
  basis.value.resize(static_cast<std::size_t>(n * basis.most));
  for (const std::vector<Index>& mine : rows) {
    std::vector<std::vector<T>> cut;
    for (Index v = 0; v < basis.most; ++v) {
      std::vector<T>& column = cut.emplace_back();
      for (const Index i : mine)
        column.push_back(count == 0 ? T(1) : vectors[static_cast<std::size_t>(v * n + i)]);
    }
    const auto Q = orthonormal(std::move(cut));
    for (std::size_t c = 0; c < Q.size(); ++c)
      for (std::size_t k = 0; k < mine.size(); ++k)
        basis.value[static_cast<std::size_t>(mine[k] * basis.most) + c] = Q[c][k];
    basis.start.push_back(basis.start.back() + std::ssize(Q));
  }
  return basis;
}

namespace {

/// Replace the upper half by the mirrored lower half, so that the matrix is Hermitian to the last digit, which sums in different
/// orders are not.
template <class T>
void make_hermitian(std::vector<std::map<Index, T>>& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (auto& [r, a] : columns[c]) {
      if (r == static_cast<Index>(c)) a = T(std::real(a));
      if (r > static_cast<Index>(c))
        columns[static_cast<std::size_t>(r)][static_cast<Index>(c)] = conjugate(a);
    }
}

/// Computes the columns of P^H A P that belong to one block q: first the rows of A P that q's columns reach, then P^H times these.
template <class T>
class CoarseColumns {
 public:
  CoarseColumns(const SparseMatrix<T>& A, const CoarseBasis<T>& basis)
      : A_(A),
        basis_(basis),
        product_(basis.block.size() * static_cast<std::size_t>(basis.most)),
        last_(basis.block.size(), -1) {}

  void add(int q, std::span<const Index> rows_of_q, std::vector<std::map<Index, T>>& columns) {
    std::vector<Index> reached;
    const Index width = width_of(q);
    for (const Index j : rows_of_q)
      for (Index p = A_.start[j]; p < A_.start[j + 1]; ++p) {
        const Index i = A_.row[p];
        T* const row = product_of(i);
        if (std::exchange(last_[static_cast<std::size_t>(i)], q) != q) {
          reached.push_back(i);
          std::fill_n(row, width, T(0));
        }
        for (Index c = 0; c < width; ++c) row[c] += A_.value[p] * P(j)[c];
      }
    // the rows of one block after those of another; each gives a dense block of the result
    const auto block = [&](Index i) { return basis_.block[static_cast<std::size_t>(i)]; };
    std::ranges::sort(reached, {}, [&](Index i) { return std::pair(block(i), i); });
    for (auto i = reached.begin(); i != reached.end();) {
      const int b = block(*i);
      const Index height = width_of(b);
      std::vector<T> sum(static_cast<std::size_t>(height * width));
      for (; i != reached.end() && block(*i) == b; ++i)
        for (Index c = 0; c < width; ++c)
          for (Index r = 0; r < height; ++r) sum[c * height + r] += conjugate(P(*i)[r]) * product_of(*i)[c];
      for (Index c = 0; c < width; ++c)
        for (Index r = 0; r < height; ++r)
          columns[static_cast<std::size_t>(basis_.start[q] + c)][basis_.start[b] + r] = sum[c * height + r];
    }
  }

 private:
  Index width_of(int b) const { return basis_.start[b + 1] - basis_.start[b]; }
  const T* P(Index i) const { return basis_.value.data() + i * basis_.most; }
  T* product_of(Index i) { return product_.data() + i * basis_.most; }

  const SparseMatrix<T>& A_;
  const CoarseBasis<T>& basis_;
  std::vector<T> product_;  ///< by row: entries of A P in the columns of the present block
  std::vector<int> last_;   ///< by row: the block whose columns reached it last
};

}  // namespace

template <class T>
SparseMatrix<T> coarse_matrix(const SparseMatrix<T>& A, const CoarseBasis<T>& basis) {
  std::vector<std::vector<Index>> rows_of(basis.start.size() - 1);
  for (Index i = 0; i < A.rows; ++i)
    rows_of[static_cast<std::size_t>(basis.block[static_cast<std::size_t>(i)])].push_back(i);
  std::vector<std::map<Index, T>> columns(static_cast<std::size_t>(basis.columns()));
  CoarseColumns<T> of_blocks(A, basis);
  for (std::size_t q = 0; q < rows_of.size(); ++q) of_blocks.add(static_cast<int>(q), rows_of[q], columns);
  if (A.symmetry == Symmetry::hermitian ||
      (A.symmetry == Symmetry::symmetric && !ScalarTraits<T>::is_complex))
    make_hermitian(columns);
  SparseMatrix<T> C;
  C.rows = C.cols = basis.columns();
  if (A.symmetry == Symmetry::hermitian || !ScalarTraits<T>::is_complex) C.symmetry = A.symmetry;
  for (const auto& column : columns) {
    for (const auto& [r, a] : column) C.row.push_back(r), C.value.push_back(a);
    C.start.push_back(C.nnz());
  }
  return C;
}

template <class T>
CoarseLevel<T>::CoarseLevel(comm::Rank& rank, const SparseMatrix<T>* A, const CoarseBasis<T>& basis,
                            const MatrixBlock<T>& rows, const InnerFactory<T>& factory) {
  const bool is_root = rank.rank() == 0;
  most_ = comm::collective::broadcast(rank, 0, basis.most);
  columns_ = comm::collective::broadcast(rank, 0, basis.columns());
  const std::size_t n = basis.block.size();
  std::vector<Index> first(n), count(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(basis.block[i]);
    first[i] = basis.start[b];
    count[i] = basis.start[b + 1] - basis.start[b];
  }
  first_ = rows.scatter_indices(rank, first);
  count_ = rows.scatter_indices(rank, count);
  value_.resize(static_cast<std::size_t>(rows.unknowns() * most_));
  std::vector<T> column(n);
  for (Index c = 0; c < most_; ++c) {
    for (std::size_t i = 0; i < n; ++i)
      column[i] = basis.value[i * static_cast<std::size_t>(most_) + static_cast<std::size_t>(c)];
    const std::vector<T> mine = rows.scatter(rank, column.data());
    for (std::size_t i = 0; i < mine.size(); ++i)
      value_[i * static_cast<std::size_t>(most_) + static_cast<std::size_t>(c)] = mine[i];
  }
  try {
    solver_ = factory(rank, is_root ? coarse_matrix(*A, basis) : SparseMatrix<T>());
  } catch (const Error& e) {
    if (e.status() != Status::singular) throw;
    throw Error(
        Status::singular,
        "the coarse level is singular: A between the vectors of the near null space, cut by blocks, has no "
        "inverse; give other vectors or another number of blocks, or coarse none");
  }
  is_root_ = is_root;
}

template <class T>
template <class Visit>
void CoarseLevel<T>::for_each_entry(Visit visit) const {
  for (std::size_t i = 0; i < first_.size(); ++i)
    for (Index k = 0; k < count_[i]; ++k)
      visit(i, static_cast<std::size_t>(first_[i] + k),
            value_[i * static_cast<std::size_t>(most_) + static_cast<std::size_t>(k)]);
}

template <class T>
std::vector<T> CoarseLevel<T>::restrict_residual(comm::Rank& rank, const T* r) const {
  std::vector<T> c(static_cast<std::size_t>(columns_));
  for_each_entry([&](std::size_t i, std::size_t k, const T& p) { c[k] += conjugate(p) * r[i]; });
  comm::collective::all_reduce(rank, std::span<T>(c), std::plus<>());
  return c;
}

template <class T>
void CoarseLevel<T>::add_coarse_solution(comm::Rank& rank, std::vector<T> c, T* x, bool is_adjoint) {
  ++solves_;
  if (is_root_) {
    std::vector<T> y(c.size());
    is_adjoint ? solver_->solve_adjoint(rank, c.data(), y.data()) : solver_->solve(rank, c.data(), y.data());
    c = std::move(y);
  }
  const comm::Body all = comm::collective::broadcast(rank, 0, comm::Body::copy_of(std::span<const T>(c)));
  const auto y = all.template as<T>();
  for_each_entry([&](std::size_t i, std::size_t k, const T& p) { x[i] += p * y[k]; });
}

#define OVERLAPACK_INSTANTIATE(T)                                                             \
  template CoarseBasis<T> coarse_basis(std::span<const int>, int, std::span<const T>, Index); \
  template SparseMatrix<T> coarse_matrix(const SparseMatrix<T>&, const CoarseBasis<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
OVERLAPACK_INSTANTIATE_CLASS(CoarseLevel);

}  // namespace overlapack::iterative
