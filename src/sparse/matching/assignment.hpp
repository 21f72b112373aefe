#pragma once
#include "overlapack/scalar.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// A sparse assignment problem: choose entries, no two in a row or column, as many as possible; if that is one
/// in every column, those with the least sum of costs. Column j holds rows row[start[j] .. start[j+1]) and their costs >= 0;
/// a cost of infinity is no entry.
struct AssignmentProblem {
  Index n = 0;
  const Index* start = nullptr;
  const Index* row = nullptr;
  std::vector<double> cost;
};

/// Its solution with the dual variables that prove it: cost(i, j) - row_dual_i - col_dual_j >= 0 everywhere,
/// with equality (up to rounding) where i is matched to j. Where columns stay unmatched they prove nothing.
struct Assignment {
  std::vector<Index> row_of_column;
  std::vector<Index> col_of_row;  ///< -1 where unmatched, as in row_of_column
  std::vector<double> row_dual;
  std::vector<double> col_dual;
  Index size = 0;
  Index scanned = 0;  ///< entries, by searches and bids
  Index bids =
      0;  ///< rows that columns took from each other before the last searches; 0: searches were short
};

/// How solve_assignment goes about it.
struct AssignmentPlan {
  /// Columns with more entries than long_column sqrt(n), and than least_long_column, come last (those that AMD calls dense).
  double long_column = 10, least_long_column = 16;
  Index passes_before_bids = 4;    ///< columns bid once searches have scanned so many times all entries,
  Index most_passes_of_bids = 40;  ///< and scan so many times all entries at most
  double bid_step = 0.1;           ///< of costs
  Index progress_entries = 10000;  ///< scanned between two calls of before_column: some tens of microseconds
};

/// before_column: called now and then with the share of columns that are done; what it throws ends the search
/// Cost    O(n (nnz + n) log n) in the worst case; near O(nnz) where the cheap start matches most columns
/// Source  I. Duff, J. Koster, SIAM J. Matrix Anal. Appl. 22 (2001), section 4; bids: D. Bertsekas, Annals of Operations Research 14
///         (1988)
Assignment solve_assignment(const AssignmentProblem& problem,
                            const std::function<void(double share)>& before_column = {},
                            const AssignmentPlan& plan = {});

}  // namespace overlapack::sparse
