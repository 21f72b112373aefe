#include "sparse/matching/assignment.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace overlapack::sparse {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Solves an assignment problem by shortest augmenting paths. All entries of the matching are tight: their reduced cost
/// cost(i, j) - u_i - v_j is zero. u are the dual variables of rows, v those of columns.
class Solver {
 public:
  Solver(const AssignmentProblem& problem, const AssignmentPlan& plan)
      : problem_(problem), plan_(plan), n_(problem.n) {
    solution_.row_of_column.assign(n_, -1);
    solution_.col_of_row.assign(n_, -1);
    solution_.row_dual.assign(n_, infinity);
    solution_.col_dual.assign(n_, infinity);
    matched_entry_.assign(n_, -1);
  }

  Assignment solve(const std::function<void(double share)>& before_column) {
    start_duals();
    order_columns();
    match_tight_diagonal();
    match_tight_entries();
    distance_.assign(n_, infinity);
    path_entry_.assign(n_, -1);
    path_column_.assign(n_, -1);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (row_of(order_[k]) >= 0) continue;
      const auto tell = [&] {
        if (!before_column || solution_.scanned < told_until_) return;
        told_until_ = solution_.scanned + plan_.progress_entries;
        before_column(static_cast<double>(k) / static_cast<double>(order_.size()));
      };
      tell();
      if (solution_.bids == 0 && solution_.scanned > plan_.passes_before_bids * problem_.start[n_]) {
        bid(tell);
        distance_.assign(n_, infinity);  // a column may have taken a row from which no free one was reached
        scatter_searches();
        for (const Index j : order_) {
          if (row_of(j) >= 0) continue;
          tell();
          augment_from(j);
        }
        break;
      }
      augment_from(order_[k]);
    }
    return std::move(solution_);
  }

 private:
  Index row_of(Index j) const { return solution_.row_of_column[j]; }
  Index col_of(Index i) const { return solution_.col_of_row[i]; }
  Index begin(Index j) const { return problem_.start[j]; }
  Index end(Index j) const { return problem_.start[j + 1]; }

  /// Whether the reduced cost of entry p of column j is zero up to rounding.
  bool is_tight(Index p, Index j) const {
    return problem_.cost[p] - solution_.row_dual[problem_.row[p]] - solution_.col_dual[j] <= 0;
  }

  /// Start with u_i = min_j c_ij and v_j = min_i (c_ij - u_i). They are feasible, and every column has a tight entry.
  void start_duals() {
    auto& u = solution_.row_dual;
    for (Index p = 0; p < problem_.start[n_]; ++p)
      u[problem_.row[p]] = std::min(u[problem_.row[p]], problem_.cost[p]);
    for (double& x : u)
      if (x == infinity) x = 0;  // a row without entries
    for (Index j = 0; j < n_; ++j) {
      double& v = solution_.col_dual[j];
      for (Index p = begin(j); p < end(j); ++p) v = std::min(v, problem_.cost[p] - u[problem_.row[p]]);
      if (v == infinity) v = 0;
    }
  }

  /// Put long columns last, the longest at the end, and leave them out of the cheap start. A search passes through matched columns only, so the
  /// searches for other columns do not scan the long ones again and again. A column is long if it has more than 10 sqrt(n) entries, AMD's
  /// definition of dense.
  void order_columns() {
    const auto length = [this](Index j) { return end(j) - begin(j); };
    const double limit =
        std::max(plan_.least_long_column, plan_.long_column * std::sqrt(static_cast<double>(n_)));
    order_.resize(n_);
    std::iota(order_.begin(), order_.end(), Index{0});
    const auto is_short = [&](Index j) { return static_cast<double>(length(j)) <= limit; };
    const auto first_long = std::stable_partition(order_.begin(), order_.end(), is_short);
    std::stable_sort(first_long, order_.end(), [&](Index j, Index k) { return length(j) < length(k); });
    short_columns_ = std::span(order_).first(first_long - order_.begin());
  }

  void match(Index p, Index j) {
    const Index i = problem_.row[p];
    if (row_of(j) < 0) ++solution_.size;
    solution_.row_of_column[j] = i;
    solution_.col_of_row[i] = j;
    matched_entry_[j] = p;
  }

  /// Match a column to its diagonal entry if that is tight, so that the permuted matrix stays close to A.
  void match_tight_diagonal() {
    for (Index j : short_columns_)
      for (Index p = begin(j); p < end(j); ++p)
        if (problem_.row[p] == j && is_tight(p, j)) match(p, j);
  }

  /// Match a column to a free row by a tight entry, or to the row of a column j1 that can move to a free row by a tight entry of its own.
  /// next_tried[j1] remembers how far the entries of j1 were tried, so that all these searches scan j1 once.
  void match_tight_entries() {
    std::vector<Index> next_tried(problem_.start, problem_.start + n_);
    for (Index j : short_columns_) {
      for (Index p = begin(j); p < end(j) && row_of(j) < 0; ++p)
        if (is_tight(p, j) && col_of(problem_.row[p]) < 0) match(p, j);
      for (Index p = begin(j); p < end(j) && row_of(j) < 0; ++p)
        if (is_tight(p, j) && move_away(col_of(problem_.row[p]), next_tried)) match(p, j);
    }
  }

  bool move_away(Index j, std::vector<Index>& next_tried) {
    for (Index& p = next_tried[j]; p < end(j); ++p)
      if (is_tight(p, j) && col_of(problem_.row[p]) < 0) {
        match(p, j);
        return true;
      }
    return false;
  }

  /// An auction, if searches get long. Columns without a row bid for one, and columns that lose their row bid again, until each has a row that is
  /// at most plan.bid_step worse than its best one. Columns whose row is worse than their best then give it back. Searches that begin with
  /// these dual variables are short.
  void bid(const std::function<void()>& before_bid) {
    std::vector<Index> bidders;
    for (const Index j : short_columns_)
      if (row_of(j) < 0) bidders.push_back(j);
    const Index most = solution_.scanned + plan_.most_passes_of_bids * problem_.start[n_];
    for (std::size_t k = 0; k < bidders.size() && solution_.scanned < most; ++k) {
      const Index j = bidders[k];
      before_bid();
      solution_.scanned += end(j) - begin(j);
      if (const Index loser = match_to_best_row(j); loser >= 0) bidders.push_back(loser);
    }
    for (Index j = 0; j < n_; ++j) {
      const BestRows best = best_rows(j);
      solution_.col_dual[j] = best.entry >= 0 ? best.cost : 0;
      if (row_of(j) >= 0 && !is_tight(matched_entry_[j], j)) unmatch(j);
    }
    match_tight_entries();
  }

  /// Shuffle the short columns. If the columns of a band matrix came one after the other, they would leave no free row behind them, and each
  /// search would go through all earlier columns before it takes the free row next to it.
  void scatter_searches() {
    Random random(1);
    for (Index k = static_cast<Index>(short_columns_.size()); k > 1; --k)
      std::swap(order_[k - 1], order_[random.below(k)]);
  }

  /// The smallest and the second smallest cost - u of a column; infinity if there is no such row.
  struct BestRows {
    double cost = infinity, second = infinity;
    Index entry = -1;
  };
  BestRows best_rows(Index j) const {
    BestRows best;
    for (Index p = begin(j); p < end(j); ++p) {
      const double cost = problem_.cost[p] - solution_.row_dual[problem_.row[p]];
      if (cost < best.cost)
        best = {cost, best.cost, p};
      else
        best.second = std::min(best.second, cost);
    }
    return best;
  }

  /// Match column j to its best row, and return the column that had this row before, or -1. The price of the row rises until the row is
  /// plan.bid_step dearer than j's second best row.
  Index match_to_best_row(Index j) {
    const BestRows best = best_rows(j);
    if (best.entry < 0) return -1;
    ++solution_.bids;
    const Index i = problem_.row[best.entry], loser = col_of(i);
    solution_.row_dual[i] -= (best.second < infinity ? best.second - best.cost : 0) + plan_.bid_step;
    if (loser >= 0) unmatch(loser);
    match(best.entry, j);
    return loser;
  }

  void unmatch(Index j) {
    solution_.col_of_row[row_of(j)] = -1;
    solution_.row_of_column[j] = -1;
    --solution_.size;
  }

  /// Find the shortest alternating path from the free column j0 to a free row by Dijkstra's algorithm in reduced costs, and match along it.
  /// distance_[i] is the length of the best path to row i. If no free row can be reached, j0 stays free, and later searches skip the rows
  /// that were reached.
  void augment_from(Index j0) {
    nearest_ = 0;
    free_row_ = -1;
    free_distance_ = infinity;
    relax_column(j0);
    while (free_distance_ > nearest_) {
      const Index i = next_row();
      if (i < 0) break;
      settled_.push_back(i);
      relax_column(col_of(i));
    }
    if (free_row_ >= 0) {
      update_duals(j0);
      flip_path(j0);
    }
    reset_distances(free_row_ >= 0 ? infinity : -infinity);
  }

  /// Relax the entries of column j, which is at distance nearest_.
  void relax_column(Index j) {
    const double* const cost = problem_.cost.data();
    const Index* const row = problem_.row;
    const double* const dual = solution_.row_dual.data();
    double* const distance = distance_.data();
    const double nearest = nearest_, column = solution_.col_dual[j];
    double free_distance = free_distance_;
    solution_.scanned += end(j) - begin(j);
    for (Index p = begin(j), last = end(j); p < last; ++p) {
      const Index i = row[p];
      const double d = nearest + std::max(0.0, cost[p] - dual[i] - column);
      if (!(d < std::min(free_distance, distance[i]))) continue;
      if (distance[i] == infinity) touched_.push_back(i);
      distance[i] = d;
      path_entry_[i] = p;
      path_column_[i] = j;
      if (col_of(i) < 0) {
        free_distance_ = free_distance = d;
        free_row_ = i;
        if (d <= nearest) return;  // no path is shorter
      } else if (d <= nearest) {
        at_nearest_.push_back(i);
      } else {
        heap_.emplace_back(d, i);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      }
    }
  }

  /// The unsettled row with the least distance, if that is below the distance of the free row; -1 if none is left. A heap entry is outdated if
  /// its distance is above the row's own.
  Index next_row() {
    if (!at_nearest_.empty()) {
      const Index i = at_nearest_.back();
      at_nearest_.pop_back();
      return i;
    }
    while (!heap_.empty() && heap_.front().first < free_distance_) {
      const auto [d, i] = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      if (d > distance_[i]) continue;
      nearest_ = d;
      return i;
    }
    return -1;
  }

  /// Update the dual variables: u_i += d_i - d_free for settled rows, and v of their columns so that matched entries stay tight.
  void update_duals(Index j0) {
    for (Index i : settled_) {
      const Index j = col_of(i);
      solution_.row_dual[i] += distance_[i] - free_distance_;
      solution_.col_dual[j] = problem_.cost[matched_entry_[j]] - solution_.row_dual[i];
    }
    solution_.col_dual[j0] += free_distance_;
  }

  /// Match along the path back from the free row to j0.
  void flip_path(Index j0) {
    Index i = free_row_;
    while (true) {
      const Index j = path_column_[i], p = path_entry_[i], previous = row_of(j);
      match(p, j);
      solution_.col_dual[j] = problem_.cost[p] - solution_.row_dual[i];
      if (j == j0) return;
      i = previous;
    }
  }

  /// Reset the distances of the rows that the search reached. distance: -infinity if no free row can be reached from them, so that no later
  /// search visits them
  void reset_distances(double distance) {
    for (Index i : touched_) distance_[i] = distance;
    touched_.clear();
    settled_.clear();
    at_nearest_.clear();
    heap_.clear();
  }

  const AssignmentProblem& problem_;
  const AssignmentPlan plan_;
  Index n_;
  Assignment solution_;
  std::vector<Index> matched_entry_;  ///< by column
  std::vector<Index> order_;          ///< columns, in the order of matching
  std::span<const Index> short_columns_;

  // State of one search, by row.
  std::vector<double> distance_;
  std::vector<Index> path_entry_, path_column_;
  std::vector<Index> touched_, settled_, at_nearest_;
  std::vector<std::pair<double, Index>> heap_;
  double nearest_ = 0;        ///< distance of the column scanned last
  double free_distance_ = 0;  ///< of the best free row so far
  Index free_row_ = -1;

  Index told_until_ = 0;  ///< so many scanned entries
};

}  // namespace

Assignment solve_assignment(const AssignmentProblem& problem,
                            const std::function<void(double share)>& before_column,
                            const AssignmentPlan& plan) {
  return Solver(problem, plan).solve(before_column);
}

}  // namespace overlapack::sparse
