#include "api/plan/accept_matrix.hpp"
#include "api/plan/prepare.hpp"
#include "api/sparse/factorization.hpp"
#include "api/sparse/same_pattern.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "comm/tasks.hpp"
#include "comm/team.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/validate.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace overlapack {
namespace {

void require_count(std::size_t given, Index wanted) {
  if (static_cast<Index>(given) == wanted) return;
  throw Error(Status::bad_input, "there are " + std::to_string(given) +
                                     " values, but the matrix that was analysed has " +
                                     std::to_string(wanted) +
                                     " entries; give one for each, column after column, rows ascending");
}

/// A with other values at the same positions.
template <class T>
SparseMatrix<T> with_values(SparseMatrix<T> A, std::span<const T> value) {
  A.value.assign(value.begin(), value.end());
  return A;
}

}  // namespace

template <class T>
void Factorization<T>::Implementation::require_same_pattern(SparseMatrix<T>& matrix) const {
  const auto is_same = [&] {
    return matrix.rows == A.rows && matrix.cols == A.cols && matrix.value.size() == A.row.size() &&
           matrix.start == A.start && matrix.row == A.row;
  };
  if (is_same()) return;
  comm::Tasks tasks(api::analysis_threads(options));
  api::check_and_sort_entries(matrix, tasks);
  if (matrix.rows != A.rows) api::refuse_order(matrix.rows, A.rows, call::factorize);
  if (!is_same()) api::refuse_positions(matrix.nnz(), A.nnz(), call::factorize);
}

template <class T>
bool Factorization<T>::Implementation::has_same_symmetry(std::span<const T> value) {
  if (A.symmetry == Symmetry::general) return true;
  if (A.nnz() > std::numeric_limits<std::int32_t>::max())  // beyond what pairs can name
    return sparse::has_symmetry(with_values(A, value), A.symmetry);
  if (mirror_pairs_.empty()) mirror_pairs_ = sparse::mirror_pairs(A);
  return sparse::has_symmetry(value, mirror_pairs_, A.symmetry);
}

template <class T>
Symmetry Factorization<T>::Implementation::accept_values(std::span<const T> value, Symmetry claimed) {
  if (!sparse::are_finite(value)) sparse::validate(with_values(A, value));
  const bool alike = has_same_symmetry(value);
  if (prepared.analysis.kind != sparse::FactorKind::lu && !alike)
    api::refuse_symmetry(with_values(A, value), A.symmetry, call::factorize);
  const bool is_known = claimed == Symmetry::general || (claimed == A.symmetry && alike);
  if (!is_known) api::require_symmetry(with_values(A, value), claimed);
  return alike ? A.symmetry : Symmetry::general;
}

template <class T>
void Factorization<T>::Implementation::require_whole() const {
  if (!is_distributed()) return;
  throw Error(Status::bad_plan,
              "the factors were made by factorize_distributed; call refactorize_distributed with each "
              "rank's entries");
}

/// A hint is looked for again where there was one, or A was symmetric.
template <class T>
void Factorization<T>::Implementation::take_symmetry(Symmetry found) {
  if (!session->has_root()) return;
  const bool may_have_hint = !is_distributed() && (found != A.symmetry || !report.hint.empty());
  A.symmetry = found;
  report.symmetry = api::name(found);
  if (may_have_hint) report.hint = api::hint_of(A);
}

template <class T>
void Factorization<T>::Implementation::refactorize(SparseMatrix<T> matrix) {
  require_whole();
  Symmetry symmetry{};
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() != 0) return;
    require_same_pattern(matrix);
    symmetry = accept_values(matrix.value, matrix.symmetry);
    matrix.symmetry = A.symmetry;
  });
  if (session->has_root()) A = std::move(matrix);
  take_symmetry(symmetry);
  clear_error_figures();
  is_stale_ = true;
  factorize();
}

template <class T>
void Factorization<T>::Implementation::refactorize_values(std::span<const T> values) {
  require_whole();
  Symmetry symmetry{};
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() != 0) return;
    require_count(values.size(), A.nnz());
    symmetry = accept_values(values, Symmetry::general);
    A.value.assign(values.begin(), values.end());
  });
  take_symmetry(symmetry);
  clear_error_figures();
  is_stale_ = true;
  factorize();
}

#define OVERLAPACK_INSTANTIATE(T)                                               \
  template void Factorization<T>::Implementation::take_symmetry(Symmetry);      \
  template void Factorization<T>::Implementation::refactorize(SparseMatrix<T>); \
  template void Factorization<T>::Implementation::refactorize_values(std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
