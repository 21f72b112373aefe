#pragma once
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <string>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::api {

/// Check a matrix as a caller hands it over, and put its columns into canonical form.
/// Errors  BadInput: offsets, indices, values that are not finite, not square, empty
template <class T>
void check_and_sort_entries(SparseMatrix<T>& A, comm::Tasks& tasks);
/// Errors  BadInput: entries that do not show the symmetry that is claimed (general claims none)
template <class T>
void require_symmetry(const SparseMatrix<T>& A, Symmetry claimed);
/// check_and_sort_entries and require_symmetry; sets A.symmetry by the entries. wanted: what a matrix both symmetric and Hermitian counts
/// as, unless it claims to be Hermitian.
template <class T>
void check_and_sort_matrix(SparseMatrix<T>& A, sparse::RealValued wanted, comm::Tasks& tasks);

/// `wanted` of check_and_sort_matrix for the factors or inner iterations that are asked for.
sparse::RealValued real_valued_as(const Options& options);

/// ": A(1, 2) = 3, but A(2, 1) = 4 (from 0)": the first entries that show that A has not this symmetry; "" if it has.
/// Shapes  A square and canonical
template <class T>
std::string unequal_text(const SparseMatrix<T>& A, Symmetry symmetry);

/// What a message says about a matrix that lacks the symmetry of the factorization.
struct Contradiction {
  std::string difference;  ///< ": A(1, 0) = 3, but A(0, 1) = 4 (from 0)"
  std::string remedy;      ///< ", or give ..."
};
/// How A contradicts the factorization that was asked for; empty if it does not.
template <class T>
Contradiction contradiction_of(const SparseMatrix<T>& A, const Options& options);

/// Report::hint: what a general matrix looks like.
template <class T>
std::string hint_of(const SparseMatrix<T>& A);

/// Is A = A^H, so that its eigenvalues are real?
bool is_self_adjoint(Symmetry symmetry, bool is_complex);

}  // namespace overlapack::api
