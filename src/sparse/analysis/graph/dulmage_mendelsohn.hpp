#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// The part of the coarse decomposition to which a row or column belongs.
enum class CoarsePart : std::uint8_t {
  under,   ///< more columns than rows: reachable from an unmatched column
  square,  ///< as many rows as columns, all matched
  over,    ///< more rows than columns: reachable from an unmatched row
};

struct DulmageMendelsohn {
  std::vector<CoarsePart> row, column;
  Index under_rows = 0, under_columns = 0;
  Index over_rows = 0, over_columns = 0;
};

/// Compute the coarse decomposition of a pattern by alternating paths from the rows and columns that a maximum matching leaves unmatched. The
/// result is the same for every maximum matching. strong_components gives the fine decomposition of the square part.
/// Shapes  A: n x n by compressed columns (start, row); row_of_column: the matching, -1 where there is none
/// Cost    O(n + nnz)
/// Source  Dulmage and Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10 (1958); Pothen and Fan, Computing the
///         block triangular form of a sparse matrix, ACM TOMS 16 (1990)
DulmageMendelsohn dulmage_mendelsohn(std::span<const Index> start, std::span<const Index> row,
                                     std::span<const Index> row_of_column);

}  // namespace overlapack::sparse
