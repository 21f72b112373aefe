#include "dist/grid/process_grid.hpp"

#include "overlapack/error.hpp"

#include <algorithm>

namespace overlapack::dist {

namespace {

[[noreturn]] void refuse_grid(const std::string& message) { throw Error(Status::bad_plan, message); }

std::string shape_text(int rows, int cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

/// rank_at(p, q) = p + q rows in column-major order, p cols + q in row-major order.
std::vector<int> ranks_in_order(int rows, int cols, GridOrder order) {
  std::vector<int> ranks;
  for (int q = 0; q < cols; ++q)
    for (int p = 0; p < rows; ++p)
      ranks.push_back(order == GridOrder::column_major ? p + q * rows : p * cols + q);
  return ranks;
}

void check_shape(int rows, int cols, int team_size) {
  if (rows < 1 || cols < 1)
    refuse_grid("a process grid of " + shape_text(rows, cols) +
                " has no processes; choose P >= 1 and Q >= 1");
  if (Index{rows} * cols > team_size)
    refuse_grid("a process grid of " + shape_text(rows, cols) + " needs " +
                std::to_string(Index{rows} * cols) + " ranks, but there are " + std::to_string(team_size) +
                "; start more ranks or choose a smaller grid");
}

}  // namespace

ProcessGrid::ProcessGrid(int rows, int cols, GridOrder order, int team_size) : rows_(rows), cols_(cols) {
  check_shape(rows, cols, team_size);
  ranks_ = ranks_in_order(rows, cols, order);
}

ProcessGrid::ProcessGrid(int rows, int cols, std::vector<int> ranks, int team_size)
    : rows_(rows), cols_(cols), ranks_(std::move(ranks)) {
  check_shape(rows, cols, team_size);
  if (ranks_.size() != static_cast<std::size_t>(size()))
    refuse_grid("a process grid of " + shape_text(rows, cols) + " was given " +
                std::to_string(ranks_.size()) + " ranks; give one for each place");
  std::vector<bool> is_placed(static_cast<std::size_t>(team_size));
  for (const int rank : ranks_) {
    if (rank < 0 || rank >= team_size || is_placed[static_cast<std::size_t>(rank)])
      refuse_grid("rank " + std::to_string(rank) + " in a process grid of " + shape_text(rows, cols) +
                  " stands there twice or does not exist; give each place a rank of its own below " +
                  std::to_string(team_size));
    is_placed[static_cast<std::size_t>(rank)] = true;
  }
}

bool ProcessGrid::holds(int rank) const { return std::ranges::find(ranks_, rank) != ranks_.end(); }

GridPosition ProcessGrid::position_of(int rank) const {
  const auto position = static_cast<int>(std::ranges::find(ranks_, rank) - ranks_.begin());
  if (position == size())
    throw Error(Status::internal, "rank " + std::to_string(rank) + " has no place in a process grid of " +
                                      shape_text(rows_, cols_));
  return {.row = position % rows_, .col = position / rows_};
}

comm::collective::Group ProcessGrid::row_group(GridPosition me) const {
  comm::collective::Group group{.ranks = {}, .me = me.col};
  for (int q = 0; q < cols_; ++q) group.ranks.push_back(rank_at(me.row, q));
  return group;
}

comm::collective::Group ProcessGrid::column_group(GridPosition me) const {
  comm::collective::Group group{.ranks = {}, .me = me.row};
  for (int p = 0; p < rows_; ++p) group.ranks.push_back(rank_at(p, me.col));
  return group;
}

comm::collective::Group ProcessGrid::everyone(GridPosition me) const {
  return {.ranks = ranks_, .me = me.row + me.col * rows_};
}

Scope ProcessGrid::scope_of(const comm::collective::Group& group) const {
  const GridPosition me = position_of(group.ranks[static_cast<std::size_t>(group.me)]);
  if (group.ranks == row_group(me).ranks) return Scope::row;
  return group.ranks == column_group(me).ranks ? Scope::column : Scope::all;
}

ProcessGrid squarest_grid(int ranks, GridOrder order) {
  int rows = 1;
  for (int p = 1; Index{p} * p <= ranks; ++p)
    if (ranks % p == 0) rows = p;
  return ProcessGrid(rows, ranks / rows, order, ranks);
}

}  // namespace overlapack::dist
