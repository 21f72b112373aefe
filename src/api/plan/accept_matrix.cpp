#include "api/plan/accept_matrix.hpp"

#include "api/words/option_use.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/validate.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace overlapack::api {

sparse::RealValued real_valued_as(const Options& options) {
  const bool is_definite = options.factorization == FactorKind::cholesky ||
                           options.factorization == FactorKind::quasidefinite ||
                           iterates_in_blocks(options);  // conjugate gradients
  return is_definite ? sparse::RealValued::hermitian : sparse::RealValued::symmetric;
}

bool is_self_adjoint(Symmetry symmetry, bool is_complex) {
  return symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !is_complex);
}

namespace {

/// How far the entries are from this symmetry: "2.2e-16 of the largest entries of their columns"; "" if that is more than rounding.
template <class T>
std::string distance_text(const SparseMatrix<T>& A, Symmetry symmetry) {
  if (symmetry == Symmetry::skew) return "";
  const double rounding = std::pow(std::numeric_limits<Real<T>>::epsilon(), 2.0 / 3);
  const std::optional<double> distance = sparse::asymmetry(A, symmetry, rounding);
  if (!distance) return "";
  return sparse::scientific(*distance) + " of the largest entries of their columns";
}

/// Whether A has off-diagonal entries, and all of them on one side of the diagonal.
template <class T>
bool is_one_triangle(const SparseMatrix<T>& A) {
  bool has_upper = false, has_lower = false;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      has_upper |= A.row[p] < j;
      has_lower |= A.row[p] > j;
    }
  return has_upper != has_lower;
}

std::string adjoint_of(Symmetry symmetry) { return symmetry == Symmetry::hermitian ? "A^H" : "A^T"; }

}  // namespace

template <class T>
std::string unequal_text(const SparseMatrix<T>& A, Symmetry symmetry) {
  const auto pair = sparse::first_unequal(A, symmetry);
  if (!pair) return "";
  std::ostringstream text;
  text.precision(std::numeric_limits<Real<T>>::max_digits10);
  const auto [i, j] = *pair;
  if (i == j && symmetry == Symmetry::hermitian) {
    text << ": its diagonal is not real, so it is not Hermitian: A(" << i << ", " << i
         << ") = " << sparse::entry(A, i, i) << " (from 0)";
    return text.str();
  }
  text << ": A(" << i << ", " << j << ") = " << sparse::entry(A, i, j) << ", but A(" << j << ", " << i
       << ") = " << sparse::entry(A, j, i) << " (from 0)";
  if (const std::string distance = distance_text(A, symmetry); !distance.empty())
    text << ", and no two differ by more than " << distance << ": give (A + " << adjoint_of(symmetry)
         << ") / 2 where that is rounding";
  return text.str();
}

template <class T>
Contradiction contradiction_of(const SparseMatrix<T>& A, const Options& options) {
  constexpr bool is_of_complex = ScalarTraits<T>::is_complex;
  const bool has_ldlt = A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian;
  Symmetry wanted = Symmetry::general;
  if (options.factorization == FactorKind::ldlt && !has_ldlt) wanted = Symmetry::symmetric;
  const bool needs_adjoint =
      options.factorization == FactorKind::cholesky || options.factorization == FactorKind::quasidefinite;
  if (needs_adjoint && !is_self_adjoint(A.symmetry, is_of_complex))
    wanted = is_of_complex ? Symmetry::hermitian : Symmetry::symmetric;
  if (wanted == Symmetry::general) return {};
  if (is_one_triangle(A))
    return {unequal_text(A, wanted), "; it has one triangle only: where that stands for both, give A + " +
                                         adjoint_of(wanted) + " - diag(A)"};
  const bool is_known = !distance_text(A, wanted).empty();
  return {
      unequal_text(A, wanted),
      is_known ? "" : ", or give (A + " + adjoint_of(wanted) + ") / 2 where only rounding sets them apart"};
}

template <class T>
std::string hint_of(const SparseMatrix<T>& A) {
  if (A.symmetry != Symmetry::general) return "";
  if (is_one_triangle(A))
    return "A has entries in one triangle alone, and was solved as a triangular matrix; if it stands for a "
           "symmetric matrix, declare that (Python: symmetric; C: half), or give A + A^T - diag(A)";
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
    if (const std::string distance = distance_text(A, symmetry); !distance.empty())
      return "A is " + std::string(name(symmetry)) +
             " up to rounding: no two entries that should be equal differ by more than " + distance +
             "; (A + " + adjoint_of(symmetry) +
             ") / 2, or one triangle (Python: symmetric, hermitian; C: half), takes half the work";
  return "";
}

template <class T>
void check_and_sort_entries(SparseMatrix<T>& A, comm::Tasks& tasks) {
  sparse::require_square(A.rows, A.cols);
  sparse::validate(A, tasks);
  sparse::make_canonical(A, tasks);
}

template <class T>
void require_symmetry(const SparseMatrix<T>& A, Symmetry claimed) {
  if (sparse::first_unequal(A, claimed))
    throw Error(Status::bad_input, "the matrix is said to be " + std::string(name(claimed)) +
                                       ", but its entries are not" + unequal_text(A, claimed) +
                                       "; correct them, or give it as general");
}

template <class T>
void check_and_sort_matrix(SparseMatrix<T>& A, sparse::RealValued wanted, comm::Tasks& tasks) {
  check_and_sort_entries(A, tasks);
  const Symmetry claimed = A.symmetry;
  A.symmetry = sparse::detect_symmetry(
      A, claimed == Symmetry::hermitian ? sparse::RealValued::hermitian : wanted, tasks);
  if (claimed != A.symmetry) require_symmetry(A, claimed);
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template std::string unequal_text(const SparseMatrix<T>&, Symmetry);             \
  template Contradiction contradiction_of(const SparseMatrix<T>&, const Options&); \
  template std::string hint_of(const SparseMatrix<T>&);                            \
  template void check_and_sort_entries(SparseMatrix<T>&, comm::Tasks&);            \
  template void require_symmetry(const SparseMatrix<T>&, Symmetry);                \
  template void check_and_sort_matrix(SparseMatrix<T>&, sparse::RealValued, comm::Tasks&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
