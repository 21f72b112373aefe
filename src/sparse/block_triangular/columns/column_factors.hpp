#pragma once
#include "base/large_memory.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// Entries by columns, column k in start[k] .. start[k + 1).
template <class T>
struct EntryColumns {
  std::vector<Index> start;
  LargeVector<Node> row;
  LargeVector<T> value;

  Index size() const { return static_cast<Index>(row.size()); }
  void reserve(std::size_t entries) {
    row.reserve(entries);
    value.reserve(entries);
  }
  void clear(Index columns) {
    start.assign(static_cast<std::size_t>(columns) + 1, 0);
    row.clear();
    value.clear();
  }
};

/// Sets of columns that do not depend on each other, and the rest of the columns, which may depend on them
/// (find_column_sets).
struct ColumnSets {
  std::vector<Node> column;  ///< set after set, then the rest, each in ascending order
  std::vector<Index> start;  ///< of each set and of the rest, and its end; empty: not computed
  int threads = 0;           ///< number of threads for which the sets were made

  Index count() const { return static_cast<Index>(start.size()) - 2; }
  std::span<const Node> set(Index s) const {
    return std::span(column).subspan(static_cast<std::size_t>(start[s]),
                                     static_cast<std::size_t>(start[s + 1] - start[s]));
  }
  std::span<const Node> rest() const { return set(count()); }
};

/// The rows of L of L D L^T by nodes: the columns that the column of a row's pivot is computed from.
struct RowNodes {
  /// Columns first .. end - 1 of one node, all of which have an entry in the row.
  struct Part {
    Index at;  ///< position of the entry of column end - 1; later entries of that column are in later rows
    Node first, end;
  };
  std::vector<Index> start;  ///< row -> its first part; empty: not listed
  LargeVector<Part> parts;   ///< those of a row have ascending columns

  std::span<const Part> of_row(Index k) const {
    return std::span(parts).subspan(static_cast<std::size_t>(start[k]),
                                    static_cast<std::size_t>(start[k + 1] - start[k]));
  }
};

/// The factors of a matrix in block upper triangular form, where the rows of each block are in the order of
/// their pivots.
///   LU:     B(b, b) = L U for each block b that is factorised column by column. The columns of `upper` have
///           U above its diagonal and, for every block, the entries of B above it, in rows of earlier blocks.
///   LDL^T:  B = L D L^T, or L D L^H, as a single block, whose columns have the order of its rows; `upper` is
///           empty.
template <class T>
struct ColumnFactors {
  std::vector<Index> block_start;
  std::vector<char> by_fronts;   ///< block -> 1: its factors are elsewhere
  EntryColumns<T> lower, upper;  ///< L without its diagonal of ones
  LargeVector<T> pivot;          ///< the diagonal of U, or of D
  /// LDL^T: pivot_off[k] = D(k + 1, k), and where it is not 0, k and k + 1 are a 2x2 pivot; LU: empty.
  LargeVector<T> pivot_off;
  bool is_hermitian = false;
  LargeVector<Node> row_of_pivot;  ///< pivot -> position of its row in the analysed order
  Index off_diagonal = 0;          ///< pivots that were not taken from the diagonal
  std::vector<Node> node_end;  ///< LU: column -> the end of its node (arrange_by_nodes); empty: not arranged
  RowNodes rows;               ///< LDL^T: made by list_rows
  ColumnSets sets;

  Index columns() const { return static_cast<Index>(pivot.size()); }
  Index blocks() const { return static_cast<Index>(block_start.size()) - 1; }
  bool is_symmetric() const { return !pivot_off.empty(); }
  bool is_pair(Index k) const { return pivot_off[k] != T(0); }  ///< LDL^T: do k and k + 1 share a 2x2 pivot?
};

/// Set the blocks of the factors, and which of them have inner factors (by_fronts).
template <class T>
void set_blocks(const Analysis& analysis, ColumnFactors<T>& factors) {
  factors.block_start = analysis.block_start;
  factors.by_fronts.assign(static_cast<std::size_t>(analysis.blocks()), 0);
  for (const Index b : analysis.inner_block) factors.by_fronts[b] = 1;
}

/// factors <- the pattern that the analysis predicted, with pivots on the diagonal; numbers are allocated,
/// not set.
/// Shapes  analysis.columns: not empty; factors: their memory is reused
template <class T>
void predicted_columns(const Analysis& analysis, ColumnFactors<T>& factors);

/// Solves with one diagonal block and the entries above it; x: positions x width, row by row.
/// L U x = x in block b, then x <- x - U(:, b) x in earlier blocks; or L D L^T x = x.
template <class T>
void solve_block(const ColumnFactors<T>& factors, Index block, T* x, Index width);
/// x <- x - U(:, b)^T x of earlier blocks, then (L U)^T x = x in block b.
template <class T>
void solve_block_transposed(const ColumnFactors<T>& factors, Index block, T* x, Index width);

}  // namespace overlapack::sparse::block_triangular
