#pragma once
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <string>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::api {

/// Check a matrix as a caller hands it over, and put its columns into canonical form: rows ascending, duplicates added up.
/// Errors  BadInput: wrong offsets or indices, a value that is not finite, a matrix that is not square or is empty
template <class T>
void check_and_sort_entries(SparseMatrix<T>& A, comm::Tasks& tasks);
/// Check that the entries have the symmetry that the caller claims (general claims none).
/// Errors  BadInput
template <class T>
void require_symmetry(const SparseMatrix<T>& A, Symmetry claimed);
/// check_and_sort_entries, require_symmetry, and set A.symmetry by the entries.
/// wanted: whether a matrix that is both symmetric and Hermitian counts as one or the other, unless it claims to be Hermitian
template <class T>
void check_and_sort_matrix(SparseMatrix<T>& A, sparse::RealValued wanted, comm::Tasks& tasks);

/// The argument `wanted` of check_and_sort_matrix for the factors or inner iterations that the options ask for.
sparse::RealValued real_valued_as(const Options& options);

/// The first entries that show that A does not have this symmetry, as text: ": A(1, 2) = 3, but A(2, 1) = 4 (from 0)". Empty if A has it.
/// Shapes  A: square and canonical
template <class T>
std::string unequal_text(const SparseMatrix<T>& A, Symmetry symmetry);

/// The parts of an error message about a matrix that lacks the symmetry which the factorization needs.
struct Contradiction {
  std::string difference;  ///< ": A(1, 0) = 3, but A(0, 1) = 4 (from 0)"
  std::string remedy;      ///< ", or give ..."
};
/// The contradiction between A and the factorization that the options ask for; its texts are empty if there is none.
template <class T>
Contradiction contradiction_of(const SparseMatrix<T>& A, const Options& options);

/// The sentence for Report::hint, if a general matrix is nearly symmetric or has one triangle only; else empty.
template <class T>
std::string hint_of(const SparseMatrix<T>& A);

/// Whether a matrix of this symmetry has A = A^H, so that its eigenvalues are real.
bool is_self_adjoint(Symmetry symmetry, bool is_complex);

}  // namespace overlapack::api
