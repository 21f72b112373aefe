#include "sparse/multifrontal/factorize/grid_root.hpp"

#include "comm/collective/collective.hpp"
#include "comm/values.hpp"
#include "dense/lu/diagonal.hpp"
#include "kernels/extend_add.hpp"
#include "kernels/operand.hpp"
#include "sparse/analysis/front_cost.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/message/root_messages.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include <utility>

namespace overlapack::sparse {

template <class T>
GridRoot<T>::GridRoot(FactorState<T>& state, const EntryStore<T>& entries, const FactorPlan& plan,
                      dist::TreeWalk& walk, FrontAssembly<T>& assembly, Tally<T>& tally)
    : rank_(walk.rank()),
      state_(state),
      structure_(state.structure),
      entries_(entries),
      plan_(plan),
      walk_(walk),
      assembly_(assembly),
      tally_(tally),
      flops_of_rank_(front_flops(state.structure, state.structure.grid_root) / walk.rank().size()) {
  tally_.expect(flops_of_rank_);
  walk_.hold();  // until my part is assembled
  for (Index c = structure_.first_child[structure_.grid_root]; c >= 0; c = structure_.next_sibling[c])
    if (state_.is_mine(c)) walk_.hold();  // until what it leaves has set out
}

// ---- The owner's side

template <class T>
bool GridRoot<T>::start(Index task) {
  constexpr OwnerPart names{
      .has_panel = false, .has_lower = false, .takes_blocks = false, .takes_delayed = false};
  Front<T>& front = assembly_.begin(structure_.task_front[task], names);
  std::vector<Index> delayed;
  for (const auto& child : assembly_.children()) delayed.push_back(child.delayed);
  front.eliminated = front.summed;  // by all ranks, after the walk
  describe(front, delayed);
  return true;
}

template <class T>
void GridRoot<T>::describe(const Front<T>& front, const std::vector<Index>& delayed) {
  const dist::ProcessGrid grid = dist::squarest_grid(rank_.size(), dist::GridOrder::row_major);
  const Index block = plan_.fronts.root.block;
  const dist::BlockCyclic rows{front.summed, block, grid.rows(), 0},
      cols{front.summed, block, grid.cols(), 0};
  // the original entries, each by its place in the part of the rank that has it
  const auto ranks = static_cast<std::size_t>(rank_.size());
  std::vector<std::vector<std::int32_t>> row(ranks), col(ranks);
  std::vector<std::vector<T>> value(ranks);
  const Index to_root =
      std::accumulate(delayed.begin(), delayed.end(), Index{0}) - structure_.tree.first_pivot[front.number];
  const EntryList<T> mine = entries_.of_slot(state_.fronts.place(front.number));
  for (std::size_t k = 0; k < mine.value.size(); ++k) {
    const dist::Global i{mine.row[k] + to_root}, j{mine.col[k] + to_root};
    const auto to = static_cast<std::size_t>(grid.rank_at(rows.owner(i), cols.owner(j)));
    row[to].push_back(static_cast<std::int32_t>(rows.local(i).value));
    col[to].push_back(static_cast<std::int32_t>(cols.local(j).value));
    value[to].push_back(mine.value[k]);
  }
  for (int i = 1; i <= rank_.size(); ++i) {
    const auto to = static_cast<std::size_t>((rank_.rank() + i) % rank_.size());
    auto [header, body] = RootDescription<T>{delayed, row[to], col[to], value[to]}.pack(front.number);
    walk_.post(static_cast<int>(to), header, std::move(body));
  }
}

// ---- What children leave, to its places

template <class T>
void GridRoot<T>::send_child(Index front) {
  Front<T>& left = state_.front(front);
  const Contribution<T> all = contribution_of(left);
  const Child& to = child(front);
  const Index d = all.delayed, m = all.border;
  send_part(to, {0, 0, d, d, all.square, true});
  send_part(to, {0, d, d, m, all.rows, true});
  if (!structure_.in_strips[front]) {
    if (all.cols.data != nullptr) send_part(to, {d, 0, m, d, all.cols, false});
    send_part(to, {d, d, m, m, all.block.whole(), false});
    left.block.give_back();
  }
  walk_.release();
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
  const dist::ProcessGrid& grid = *state_.root.matrix().grid;
  const RootPiece<T> piece{
      child.front, part.first_row, part.first_row + part.rows, part.first_col, part.first_col + part.cols,
      {}};
  for (int q = 0; q < grid.cols(); ++q)
    for (int p = 0; p < grid.rows(); ++p) {
      const auto rows =
                     between(child.places.rows[static_cast<std::size_t>(p)], piece.first_row, piece.end_row),
                 cols =
                     between(child.places.cols[static_cast<std::size_t>(q)], piece.first_col, piece.end_col);
      std::size_t count = 0;
      for (const std::int32_t j : cols) count += below(rows, j, is_lower()).size();
      if (count == 0) continue;
      auto [header, body] = piece.pack(count, [&](T* to) {
        rank_.compute({"pack", 0, static_cast<double>(2 * count * sizeof(T))}, [&] {
          for (const std::int32_t j : cols)
            for (const std::int32_t i : below(rows, j, is_lower()))
              *to++ = part.is_transposed ? part.values(j - piece.first_col, i - piece.first_row)
                                         : part.values(i - piece.first_row, j - piece.first_col);
        });
      });
      const int rank = grid.rank_at(p, q);
      state_.counts().pieces += rank != rank_.rank();
      walk_.post(rank, header, std::move(body));
    }
}

// ---- Everybody's side

template <class T>
void GridRoot<T>::received(comm::Message message) {
  if (message.header.kind == MessageKind::root_description)
    return walk_.add_urgent_job([this, message = std::move(message)] { prepare(message); });
  HeldMessage piece{{}, state_.ledger.hold(message.body.size())};
  piece.message = std::move(message);
  if (is_described_) return store(std::move(piece));
  ++state_.counts().parked;
  early_.push_back(std::move(piece));
}

template <class T>
void GridRoot<T>::prepare(const comm::Message& description) {
  const auto [delayed, row, col, value] = RootDescription<T>::parse(description);
  const Index f = structure_.grid_root;
  const Index order = structure_.tree.pivots(f) + std::accumulate(delayed.begin(), delayed.end(), Index{0});
  RootFactors<T>& root = state_.root;
  root = RootFactors<T>(rank_.size(), rank_.rank(), order, plan_.fronts.root.block);
  entry_ = state_.ledger.hold(static_cast<std::size_t>(root.bytes()));
  comm::on_values(rank_, [&] {
    for (std::size_t k = 0; k < value.size(); ++k) root.matrix().local(row[k], col[k]) += value[k];
  });

  std::size_t i = 0;
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c], ++i) {
    Child next{
        c, delayed[i], root_places(structure_, delayed, c, root.matrix().rows, root.matrix().cols), 0, {}};
    next.entries_left = entries_of(next);
    children_.push_back(std::move(next));
    if (state_.is_mine(c)) walk_.add_job([this, c] { send_child(c); });
  }
  is_described_ = true;
  for (HeldMessage& piece : std::exchange(early_, {})) store(std::move(piece));
  if (!has_job_) add_pieces();  // there may be nothing to wait for
  then_();
}

template <class T>
typename GridRoot<T>::Child& GridRoot<T>::child(Index front) {
  return *std::ranges::find(children_, front, &Child::front);
}

/// Entries of a child's matrix that are mine.
template <class T>
Index GridRoot<T>::entries_of(const Child& child) const {
  const dist::GridPlace me = state_.root.matrix().me;
  const std::vector<std::int32_t>& rows = child.places.rows[static_cast<std::size_t>(me.row)];
  Index entries = 0;
  for (const std::int32_t j : child.places.cols[static_cast<std::size_t>(me.col)])
    entries += static_cast<Index>(below(rows, j, is_lower()).size());
  return entries;
}

template <class T>
void GridRoot<T>::store(HeldMessage piece) {
  child(front_of(piece.message)).pieces.push_back(std::move(piece));
  if (std::exchange(has_job_, true)) return;
  walk_.add_job([this] { add_pieces(); });
}

/// Child after child: sums come out the same whatever the order of arrival.
template <class T>
void GridRoot<T>::add_pieces() {
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
  walk_.release();
}

template <class T>
void GridRoot<T>::add(Child& child, const comm::Message& message) {
  const auto piece = RootPiece<T>::parse(message);
  child.entries_left -= static_cast<Index>(piece.values.size());
  const dist::DistributedMatrix<T>& A = state_.root.matrix();
  const auto rows = between(child.places.rows[static_cast<std::size_t>(A.me.row)], piece.first_row,
                            piece.end_row),
             cols = between(child.places.cols[static_cast<std::size_t>(A.me.col)], piece.first_col,
                            piece.end_col);
  std::vector<std::int32_t> row_map, col_map;  // to my part of the root
  for (const std::int32_t i : rows)
    row_map.push_back(
        static_cast<std::int32_t>(A.rows.local({child.places.place[static_cast<std::size_t>(i)]}).value));
  for (const std::int32_t j : cols)
    col_map.push_back(
        static_cast<std::int32_t>(A.cols.local({child.places.place[static_cast<std::size_t>(j)]}).value));
  rank_.compute({"extend_add", 0, 0, static_cast<Index>(rows.size()), static_cast<Index>(cols.size())}, [&] {
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
  const double before = tally_.done_flops();
  const auto on_progress = [&](double share) {
    tally_.set_done(before + share * flops_of_rank_);
    tally_.report();
  };
  RootFactors<T>& root = state_.root;
  const bool is_owner = state_.is_mine(structure_.grid_root);
  const Index info = root.factorize(rank_, structure_.kind, plan_.fronts.walk, on_progress);
  state_.stats.factor_bytes += root.bytes();
  if (structure_.kind == FactorKind::cholesky && info > 0 && is_owner)
    refuse_pivot(structure_, state_.front(structure_.grid_root), info - 1);
  std::vector<double> sizes(static_cast<std::size_t>(root.order()), 0);
  comm::on_values(rank_, [&] {
    dense::for_my_diagonal(root.matrix(), [&](Index k, T pivot) {
      const double size = kernels::magnitude(pivot);
      sizes[static_cast<std::size_t>(k)] = structure_.is_symmetric() ? size * size : size;
    });
  });
  comm::collective::all_reduce(rank_, std::span<double>(sizes), std::plus<>());
  if (!is_owner) return;
  const Front<T>& front = state_.front(structure_.grid_root);
  comm::on_values(rank_, [&] { check_sizes(front, std::move(sizes)); });
  count(front);
}

template <class T>
void GridRoot<T>::check_sizes(const Front<T>& front, std::vector<double> sizes) {
  PivotCheck<T>& check = tally_.pivots();
  std::vector<std::int32_t> row_name(front.row_name, front.row_name + front.summed);
  const std::vector<Index>& pivots = state_.root.pivots();  // of LU
  for (std::size_t k = 0; k < pivots.size(); ++k)
    std::swap(row_name[k], row_name[static_cast<std::size_t>(pivots[k])]);
  Index zeros = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (sizes[k] == 0)
      ++zeros;
    else
      check.check(sizes[k], row_name[k], front.col_name[k]);
  check.check_left(zeros, structure_.tree.n);
}

template <class T>
void GridRoot<T>::count(const Front<T>& front) {
  FactorStats& stats = state_.stats;
  stats.flops += panel_flops<T>(structure_.kind, front.order(), front.eliminated);
  stats.factor_nnz += static_cast<Index>(front_factor_nnz(structure_.kind, front.summed, front.summed));
  FrontCounts& counts = state_.counts();
  ++counts.fronts;
  ++counts.grid_roots;
  counts.delayed_to_grid += front.summed - structure_.tree.pivots(front.number);
}

#define OVERLAPACK_INSTANTIATE(T) template class GridRoot<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
