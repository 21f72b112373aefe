#pragma once
#include "overlapack/scalar.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// A sparse assignment problem: choose as many entries as possible, no two in a row or column. If every column gets one, the sum of their costs
/// is to be least. Column j has the rows row[start[j] .. start[j+1]) with costs >= 0; an infinite cost means that there is no entry.
struct AssignmentProblem {
  Index n = 0;
  const Index* start = nullptr;
  const Index* row = nullptr;
  std::vector<double> cost;
};

/// The solution of an assignment problem, and the dual variables that prove it: cost(i, j) - row_dual_i - col_dual_j >= 0 for all entries, with
/// equality (up to rounding) if i is matched to j. If columns stay unmatched, the dual variables prove nothing.
struct Assignment {
  std::vector<Index> row_of_column;
  std::vector<Index> col_of_row;  ///< -1 where unmatched, as in row_of_column
  std::vector<double> row_dual;
  std::vector<double> col_dual;
  Index size = 0;
  Index scanned = 0;  ///< entries, by searches and bids
  /// rows that columns took from each other before the last searches; 0: searches were short
  Index bids = 0;
};

/// The thresholds of solve_assignment.
struct AssignmentPlan {
  /// Columns with more than long_column sqrt(n) entries, and more than least_long_column, come last (AMD calls such columns dense).
  double long_column = 10, least_long_column = 16;
  Index passes_before_bids =
      4;  ///< columns begin to bid when searches have scanned so many times the number of entries
  Index most_passes_of_bids = 40;  ///< bids scan at most so many times the number of entries
  double bid_step = 0.1;           ///< by how much a bid raises the cost of a row beyond what is necessary
  Index progress_entries =
      10000;  ///< entries scanned between two calls of before_column, some tens of microseconds
};

/// Solve an assignment problem by shortest augmenting paths, with an auction (bids) if searches get long.
/// before_column: called from time to time with the share of columns that are done. It may throw, which ends the search
/// Cost    O(n (nnz + n) log n) in the worst case; near O(nnz) where the cheap start matches most columns
/// Source  I. Duff, J. Koster, SIAM J. Matrix Anal. Appl. 22 (2001), section 4; bids: D. Bertsekas, Annals of Operations Research 14
///         (1988)
Assignment solve_assignment(const AssignmentProblem& problem,
                            const std::function<void(double share)>& before_column = {},
                            const AssignmentPlan& plan = {});

}  // namespace overlapack::sparse
