#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// Which symmetry a symmetric matrix of complex type counts as if it has no imaginary parts.
enum class RealValued : std::uint8_t { symmetric, hermitian };

/// The strongest symmetry that the entries show exactly, bit for bit: symmetric, hermitian (complex types only),
/// skew or general. An entry without a counterpart counts as general unless it is zero. Entries decide, not A.symmetry.
/// Shapes  A canonical
/// Cost    a search in one column for each entry
template <class T>
Symmetry detect_symmetry(const SparseMatrix<T>& A, RealValued as, comm::Tasks& tasks);
template <class T>
Symmetry detect_symmetry(const SparseMatrix<T>& A, RealValued as = RealValued::symmetric);

/// Which relations between A(i, j) and A(j, i) hold, for a part of a matrix or all of it.
struct Relations {
  bool symmetric = true, skew = true, hermitian = true;
  bool none() const { return !symmetric && !skew && !hermitian; }
};
/// Shapes  A: some rows of a matrix, B: the same rows of its transpose; both canonical
template <class T>
Relations relations(const SparseMatrix<T>& A, const SparseMatrix<T>& B);
/// The strongest symmetry of these relations; `as` matters for complex types alone.
template <class T>
Symmetry strongest(const Relations& relations, bool is_zero, RealValued as);

/// True if the entries show this symmetry exactly; every matrix is general.
/// Shapes  A canonical
template <class T>
bool has_symmetry(const SparseMatrix<T>& A, Symmetry symmetry);

/// An entry and its mirror image, by their numbers among the entries. image = -1: none is stored, so that the
/// entry must be zero.
struct MirrorPair {
  std::int32_t entry = 0, image = 0;
};
/// All pairs, each once, and each diagonal entry with itself. For matrices of one pattern, whose symmetry is
/// tested again and again.
/// Shapes  A square and canonical, of at most 2^31 - 1 entries
template <class T>
std::vector<MirrorPair> mirror_pairs(const SparseMatrix<T>& A);
/// has_symmetry of the matrix that has these values in the pattern of the pairs.
/// Cost    one pass over the pairs
template <class T>
bool has_symmetry(std::span<const T> value, std::span<const MirrorPair> pairs, Symmetry symmetry);

/// Where an entry is.
struct EntryPosition {
  Index row = 0, col = 0;
};
/// The first entry by columns that breaks this symmetry; nothing if none does.
/// Shapes  A square and canonical
/// Cost    as detect_symmetry
template <class T>
std::optional<EntryPosition> first_unequal(const SparseMatrix<T>& A, Symmetry symmetry);

/// How far a matrix is from this symmetry: the largest difference between an entry and the value that its
/// mirror image asks for, as a share of the largest entry of their two columns. Nothing if that is above
/// `most`.
/// Shapes  A square and canonical; symmetry: symmetric or hermitian
/// Cost    a pass, then O(nnz log nnz) at most, and less for a matrix that is far from it
template <class T>
std::optional<double> asymmetry(const SparseMatrix<T>& A, Symmetry symmetry, double most);

/// A(i, j), zero where there is no entry.
/// Shapes  A canonical
template <class T>
T entry(const SparseMatrix<T>& A, Index i, Index j);

/// The share of off-diagonal entries (i, j) that have a partner (j, i); 1 for a matrix without any.
/// Shapes  A square and canonical
template <class T>
double pattern_symmetry(const SparseMatrix<T>& A);

/// Where the entries of a matrix are, by columns.
struct Pattern {
  Index n = 0;
  std::vector<Index> start{0};
  std::vector<Index> row;
};

/// The pattern of A + A^T without its diagonal, rows ascending: the input of orderings.
/// Shapes  A square and canonical
/// Cost    O(nnz + n)
template <class T>
Pattern symmetrised_pattern(const SparseMatrix<T>& A);

}  // namespace overlapack::sparse
