#include "sparse/multifrontal/factorize/grid_root.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/values.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/update/extend_add.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/front_check.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/message/root_messages.hpp"
#include "sparse/multifrontal/plan/placement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
GridRoot<T>::GridRoot(const FrontContext<T>& here, Real<T> replacement)
    : here_(here),
      replacement_(replacement),
      flops_of_rank_(here.structure.flops[here.structure.grid_root] / here.rank.size()) {
  here_.tally.add_expected_flops(flops_of_rank_);
}

template <class T>
void GridRoot<T>::add_waits_of_front(Index root) {
  here_.walk.add_hold();  // until this rank's part is assembled
  for (Index c = here_.structure.first_child[root]; c >= 0; c = here_.structure.next_sibling[c])
    if (here_.state.is_mine(c)) here_.walk.add_hold();  // until what it delayed has set out
}

// ---- The owner's side

template <class T>
bool GridRoot<T>::start(Index task) {
  Front<T>& front = here_.assembly.begin(here_.structure.task_front[task]);  // its names alone
  std::vector<Index> delayed;
  for (const auto& child : here_.assembly.children()) delayed.push_back(child.delayed);
  front.eliminated = front.summed;  // by all ranks, after the walk
  send_description(front, delayed);
  return true;
}

template <class T>
void GridRoot<T>::send_description(const Front<T>& front, const std::vector<Index>& delayed) {
  const dist::ProcessGrid grid = dist::squarest_grid(here_.rank.size(), dist::GridOrder::row_major);
  const Index block = here_.plan.fronts.root.block;
  const dist::BlockCyclic rows{front.summed, block, grid.rows(), 0},
      cols{front.summed, block, grid.cols(), 0};
  // the original entries, each by its position in the part of the rank that has it
  const auto ranks = static_cast<std::size_t>(here_.rank.size());
  std::vector<std::vector<std::int32_t>> row(ranks), col(ranks);
  std::vector<std::vector<T>> value(ranks);
  const Index to_root = std::accumulate(delayed.begin(), delayed.end(), Index{0}) -
                        here_.structure.tree.first_pivot[front.number];
  const EntryList<T> mine = here_.entries.of_slot(here_.state.fronts.position(front.number));
  for (std::size_t k = 0; k < mine.value.size(); ++k) {
    const dist::Global i{mine.row[k] + to_root}, j{mine.col[k] + to_root};
    const auto to = static_cast<std::size_t>(grid.rank_at(rows.owner(i), cols.owner(j)));
    row[to].push_back(static_cast<std::int32_t>(rows.local(i).value));
    col[to].push_back(static_cast<std::int32_t>(cols.local(j).value));
    value[to].push_back(mine.value[k]);
  }
  for (int i = 1; i <= here_.rank.size(); ++i) {
    const auto to = static_cast<std::size_t>((here_.rank.rank() + i) % here_.rank.size());
    auto [header, body] = RootDescription<T>{delayed, row[to], col[to], value[to]}.pack(front.number);
    here_.walk.post(static_cast<int>(to), header, std::move(body));
  }
}

// ---- What children leave, to its positions

/// Sends what a child of this rank delayed to its positions on the grid. The child's rows of C follow
/// (send_rows).
template <class T>
void GridRoot<T>::send_delayed(Index front) {
  const Contribution<T> all = contribution_of(here_.state.front(front));
  const Child& to = child(front);
  const Index d = all.delayed;
  send_part(to, {0, 0, d, d, all.square, !is_lower()});
  if (is_lower())
    send_part(to, {d, 0, all.border, d, all.rows, false});
  else
    send_part(to, {0, d, d, all.border, all.rows, true});
  here_.walk.release_hold();
}

template <class T>
void GridRoot<T>::send_rows(const Piece<T>& rows) {
  const Child& to = child(rows.front);
  const Index d = to.delayed, first = d + rows.first_row;
  send_part(to, {first, 0, rows.delayed.rows, rows.delayed.cols, rows.delayed, false});
  send_part(to, {first, d + rows.first_col, rows.block.rows, rows.block.cols, rows.block, false});
}

/// Each process gets the entries of its rows and columns, column by column.
template <class T>
void GridRoot<T>::send_part(const Child& child, const Part& part) {
  if (part.rows == 0 || part.cols == 0) return;
  const dist::ProcessGrid& grid = *here_.state.root.matrix().grid;
  const RootPiece<T> piece{
      child.front, part.first_row, part.first_row + part.rows, part.first_col, part.first_col + part.cols,
      {}};
  for (int q = 0; q < grid.cols(); ++q)
    for (int p = 0; p < grid.rows(); ++p) {
      const auto rows = entries_between(child.positions.rows[static_cast<std::size_t>(p)], piece.first_row,
                                        piece.end_row),
                 cols = entries_between(child.positions.cols[static_cast<std::size_t>(q)], piece.first_col,
                                        piece.end_col);
      std::size_t count = 0;
      for (const std::int32_t j : cols) count += below(rows, j, is_lower()).size();
      if (count == 0) continue;
      auto [header, body] = piece.pack(count, [&](T* to) {
        here_.rank.compute({"pack", 0, static_cast<double>(2 * count * sizeof(T))}, [&] {
          for (const std::int32_t j : cols)
            for (const std::int32_t i : below(rows, j, is_lower()))
              *to++ = part.is_transposed ? part.values(j - piece.first_col, i - piece.first_row)
                                         : part.values(i - piece.first_row, j - piece.first_col);
        });
      });
      const int rank = grid.rank_at(p, q);
      here_.state.stats.pieces += rank != here_.rank.rank();
      here_.walk.post(rank, header, std::move(body));
    }
}

// ---- Everybody's side

template <class T>
void GridRoot<T>::on_message(comm::Message message) {
  if (message.header.kind == MessageKind::root_description)
    return here_.walk.add_urgent_job([this, message = std::move(message)] { prepare(message); });
  HeldMessage piece = hold(std::move(message), here_.state.ledger);
  if (is_described_) return store(std::move(piece));
  ++here_.state.stats.parked;
  early_.push_back(std::move(piece));
}

/// On every rank, once the description is here: allocates this rank's part of the root, counts the entries
/// that each child will send, and lets this rank's children and strips send theirs.
template <class T>
void GridRoot<T>::prepare(const comm::Message& description) {
  const auto [delayed, row, col, value] = RootDescription<T>::parse(description);
  const Index f = here_.structure.grid_root;
  DelayedToRoot to_root{.all = std::accumulate(delayed.begin(), delayed.end(), Index{0})};
  const Index order = here_.structure.tree.pivots(f) + to_root.all;
  RootFactors<T>& root = here_.state.root;
  root = RootFactors<T>(here_.rank.size(), here_.rank.rank(), order, here_.plan.fronts.root.block);
  entry_ = here_.state.ledger.make_entry(static_cast<std::size_t>(root.bytes()));
  comm::run_unless_phantom(here_.rank, [&] {
    for (std::size_t k = 0; k < value.size(); ++k) root.matrix().local(row[k], col[k]) += value[k];
  });

  std::size_t i = 0;
  for (Index c = here_.structure.first_child[f]; c >= 0; c = here_.structure.next_sibling[c], ++i) {
    Child& next = children_.emplace_back();
    next.front = c;
    next.delayed = to_root.mine = delayed[i];
    next.positions = root_positions(here_.structure.tree, c, to_root, root.matrix().rows, root.matrix().cols);
    to_root.before += next.delayed;
    next.entries_left = entries_of(next);
    if (here_.state.is_mine(c)) {
      if (delayed[i] > 0)
        here_.walk.add_job([this, c] { send_delayed(c); });
      else  // it delayed nothing
        here_.walk.release_hold();
    }
  }
  is_described_ = true;
  for (HeldMessage& piece : std::exchange(early_, {})) store(std::move(piece));
  if (!has_job_) add_received_pieces_in_order();  // there may be nothing to wait for
  for (const Child& next : children_) here_.kind_of(next.front).send_contribution_when_final(next.front);
}

template <class T>
typename GridRoot<T>::Child& GridRoot<T>::child(Index front) {
  return *std::ranges::lower_bound(children_, front, {}, &Child::front);
}

/// Number of entries of a child's matrix that are in this rank's part of the root.
template <class T>
Index GridRoot<T>::entries_of(const Child& child) const {
  const dist::GridPosition me = here_.state.root.matrix().me;
  const std::vector<std::int32_t>& rows = child.positions.rows[static_cast<std::size_t>(me.row)];
  Index entries = 0;
  for (const std::int32_t j : child.positions.cols[static_cast<std::size_t>(me.col)])
    entries += static_cast<Index>(below(rows, j, is_lower()).size());
  return entries;
}

template <class T>
void GridRoot<T>::store(HeldMessage piece) {
  child(front_of(piece.message)).pieces.push_back(std::move(piece));
  if (std::exchange(has_job_, true)) return;
  here_.walk.add_job([this] { add_received_pieces_in_order(); });
}

/// Child after child: sums come out the same whatever the order of arrival.
template <class T>
void GridRoot<T>::add_received_pieces_in_order() {
  has_job_ = false;
  for (; next_child_ < children_.size(); ++next_child_) {
    Child& child = children_[next_child_];
    for (HeldMessage& piece : child.pieces) {
      add(child, piece.message);
      piece = {};
    }
    child.pieces.clear();
    if (child.entries_left > 0) return;
  }
  here_.walk.release_hold();
}

template <class T>
void GridRoot<T>::add(Child& child, const comm::Message& message) {
  const auto piece = RootPiece<T>::parse(message);
  child.entries_left -= static_cast<Index>(piece.values.size());
  const dist::DistributedMatrix<T>& A = here_.state.root.matrix();
  const auto rows = entries_between(child.positions.rows[static_cast<std::size_t>(A.me.row)], piece.first_row,
                                    piece.end_row),
             cols = entries_between(child.positions.cols[static_cast<std::size_t>(A.me.col)], piece.first_col,
                                    piece.end_col);
  std::vector<std::int32_t> row_map, col_map;  // to this rank's part of the root
  for (const std::int32_t i : rows)
    row_map.push_back(static_cast<std::int32_t>(
        A.rows.local({child.positions.position[static_cast<std::size_t>(i)]}).value));
  for (const std::int32_t j : cols)
    col_map.push_back(static_cast<std::int32_t>(
        A.cols.local({child.positions.position[static_cast<std::size_t>(j)]}).value));
  const comm::Work work{"extend_add", 0, 0, static_cast<Index>(rows.size()), static_cast<Index>(cols.size())};
  here_.rank.compute(work, [&] {
    const T* column = piece.values.data();
    for (std::size_t j = 0; j < cols.size(); ++j) {
      const auto count = static_cast<Index>(below(rows, cols[j], is_lower()).size());
      const std::int32_t* map = row_map.data() + row_map.size() - count;
      kernels::extend_add<T>(MatrixView<const T>{column, count, 1, count}, map, col_map.data() + j, A.local);
      column += count;
    }
  });
}

// ---- After the walk

template <class T>
void GridRoot<T>::factorize() {
  const double before = here_.tally.done_flops();
  const auto on_progress = [&](double share) {
    here_.tally.set_done(before + share * flops_of_rank_);
    here_.tally.report();
  };
  RootFactors<T>& root = here_.state.root;
  const bool is_owner = here_.state.is_mine(here_.structure.grid_root);
  if (here_.structure.kind == FactorKind::ldlt) {
    const Ledger::Entry copy = here_.state.ledger.make_entry(static_cast<std::size_t>(root.bytes()));
    root.mirror_lower(here_.rank, here_.structure.hermitian, here_.plan.fronts.walk);
  }
  const Index info = root.factorize(here_.rank, here_.structure.kind, here_.plan.fronts.walk, on_progress);
  here_.state.stats.factor_bytes += root.bytes();
  if (here_.structure.kind == FactorKind::cholesky && info > 0 && is_owner)
    refuse_pivot(here_.structure, here_.state.front(here_.structure.grid_root), info - 1);
  std::vector<double> sizes(static_cast<std::size_t>(root.order()), 0);
  comm::run_unless_phantom(here_.rank, [&] {
    dense::for_my_diagonal(root.matrix(), [&](Index k, T pivot) {
      const double size = kernels::magnitude(pivot);
      sizes[static_cast<std::size_t>(k)] = here_.structure.kind == FactorKind::cholesky ? size * size : size;
    });
  });
  comm::collective::all_reduce(here_.rank, std::span<double>(sizes), std::plus<>());
  comm::run_unless_phantom(here_.rank, [&] { check(sizes); });
  if (is_owner) count(here_.state.front(here_.structure.grid_root));
}

/// Checks the pivots, and enlarges those that are too small. That may come after the factorisation: no entry
/// of L in a pivot's column is above 1, so that no entry of the root changes by more than twice the
/// replacement.
/// sizes: magnitudes of all pivots, by position
template <class T>
void GridRoot<T>::check(const std::vector<double>& sizes) {
  const Index root = here_.structure.grid_root;
  if (!std::ranges::all_of(sizes, [](double size) { return std::isfinite(size); }))
    refuse_overflow(here_.structure, root, static_cast<Index>(sizes.size()));
  std::vector<Real<T>> replacements;  // in the order of their pivots
  if (here_.state.is_mine(root)) replacements = check_sizes(here_.state.front(root), sizes);
  std::vector<Index> position;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (is_replaced(sizes[k])) position.push_back(static_cast<Index>(k));
  if (position.empty()) return;
  const comm::Body body = comm::collective::broadcast(here_.rank, here_.structure.owner[root],
                                                      comm::Body::adopt(std::move(replacements)));
  const std::span<const Real<T>> grown = body.as<Real<T>>();
  dense::for_my_diagonal(here_.state.root.matrix(), [&](Index k, T& pivot) {
    const auto at = std::ranges::lower_bound(position, k);
    if (at == position.end() || *at != k) return;
    const Real<T> size = grown[static_cast<std::size_t>(at - position.begin())];
    pivot = T(std::real(pivot) < 0 ? -size : size);
  });
}

/// On the root's owner, which has the names: checks all sizes. Returns the replacements of those that are too
/// small, in order.
template <class T>
std::vector<Real<T>> GridRoot<T>::check_sizes(const Front<T>& front, const std::vector<double>& sizes) {
  PivotCheck<T>& check = here_.tally.pivots();
  std::vector<std::int32_t> row_name(front.row_name, front.row_name + front.summed);
  const std::vector<Index>& pivots = here_.state.root.pivots();  // none of Cholesky
  for (std::size_t k = 0; k < pivots.size(); ++k)
    std::swap(row_name[k], row_name[static_cast<std::size_t>(pivots[k])]);
  const bool is_static = replacement_ > 0;
  if (!is_static && !check.replaces_zeros())
    check.check_left(std::ranges::count(sizes, 0.0), here_.structure.tree.n);
  std::vector<Real<T>> replacements;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::int32_t row = row_name[k], col = front.col_name[k];
    if (!is_replaced(sizes[k])) {
      check.check(sizes[k], row, col);
    } else if (is_static) {
      ++here_.state.stats.pivots.perturbed;
      check.check(replacement_, row, col);
      replacements.push_back(replacement_);
    } else {
      replacements.push_back(check.replace_zero(row, col));
    }
  }
  return replacements;
}

template <class T>
void GridRoot<T>::count(const Front<T>& front) {
  FactorStats& stats = here_.state.stats;
  const FactorKind kind = grid_kind(here_.structure.kind);
  stats.flops += panel_flops<T>(kind, front.order(), front.eliminated);
  stats.factor_nnz += static_cast<Index>(front_factor_nnz(kind, front.summed, front.summed));
  ++stats.fronts;
  ++stats.grid_roots;
  stats.delayed_to_grid += front.summed - here_.structure.tree.pivots(front.number);
}

OVERLAPACK_INSTANTIATE_CLASS(GridRoot);

}  // namespace overlapack::sparse::multifrontal
