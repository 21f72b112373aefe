#include "comm/team.hpp"
#include "dense/look_ahead.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/schedule/steps.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "distributed.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

/// The verbs of dist::Moves carry the algorithms, not messages: a second discipline, slow and obvious, in which the ranks
/// of one process pin what others need to a board, leads to the same numbers.
namespace overlapack::dense::testing {
namespace {

using comm::Body;
using comm::Key;
using comm::collective::Broadcast;
using dist::DistributedMatrix;
using dist::GridOrder;
using dist::MovedRows;
using dist::ProcessGrid;

/// What each rank has pinned, by the name of its use.
class Board {
 public:
  void pin(int rank, const Key& key, Body body) {
    const std::lock_guard lock(mutex_);
    if (!pinned_.try_emplace({rank, key}, std::move(body)).second) throw std::logic_error("pinned twice");
    changed_.notify_all();
  }
  Body read(int rank, const Key& key) {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] { return pinned_.contains({rank, key}); };
    if (!changed_.wait_for(lock, std::chrono::minutes(2), is_there)) throw std::logic_error("never pinned");
    return pinned_.at({rank, key});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, Key>, Body> pinned_;
};

class BoardBroadcast final : public Broadcast {
 public:
  BoardBroadcast(Board& board, int root, const Key& key) : board_(board), root_(root), key_(key) {}
  bool is_done() const override { return false; }
  Body finish() override { return board_.read(root_, key_); }

 private:
  Board& board_;
  int root_;
  Key key_;
};

template <class T>
Body row_of(MatrixView<T> M, Index i) {
  std::vector<T> values;
  for (Index j = 0; j < M.cols; ++j) values.push_back(M(i, j));
  return Body::adopt(std::move(values));
}

/// Each row that leaves its position is pinned whole, and read by whoever owns the position it goes to.
template <class T>
class BoardInterchange final : public dist::RowInterchange<T> {
 public:
  BoardInterchange(Board& board, int rank, const MovedRows<T>& rows, const Key& key)
      : board_(board), A_(rows.A), moves_(rows.moves), columns_(rows.columns()), key_(key) {
    moves_.for_each([&](Index, Index from) {
      if (A_.owns_row({from})) board.pin(rank, named(from), row_of(columns_, A_.rows.local({from}).value));
    });
  }
  MatrixView<T> finish() override {
    moves_.for_each([&](Index to, Index from) {
      if (!A_.owns_row({to})) return;
      const Body row = board_.read(A_.grid->rank_at(A_.rows.owner({from}), A_.me.col), named(from));
      for (Index j = 0; j < columns_.cols; ++j) columns_(A_.rows.local({to}).value, j) = row.as<T>()[j];
    });
    const Index begin = A_.first_row({moves_.first}), end = A_.first_row({moves_.first + moves_.count});
    return end - begin == moves_.count ? columns_.block(begin, 0, moves_.count, columns_.cols)
                                       : MatrixView<T>{};
  }
  dist::SwapKind kind() const override { return dist::SwapKind::direct; }

 private:
  Key named(Index row) const { return {key_.move, key_.step, row}; }

  Board& board_;
  DistributedMatrix<T> A_;
  dist::RowMoves moves_;
  MatrixView<T> columns_;
  Key key_;
};

template <class T>
class BoardMoves final : public dist::Moves<T> {
 public:
  using typename dist::Moves<T>::Group;

  BoardMoves(comm::Rank& rank, Board& board) : dist::Moves<T>(rank, Discipline::messages), board_(board) {}

  std::unique_ptr<Broadcast> start_broadcast(const Group& group, int root, const Key& key, std::size_t bytes,
                                             Body body) override {
    EXPECT_TRUE(group.me != root || body.size() == bytes);
    if (group.me == root) board_.pin(me(), key, std::move(body));
    return std::make_unique<BoardBroadcast>(board_, at(group, root), key);
  }
  void sum_to_root(const Group& group, int root, const Key& key, std::vector<T>& x) override {
    board_.pin(me(), key, Body::copy_of(std::span<const T>(x)));
    if (group.me != root) return;
    std::ranges::fill(x, T(0));
    for (const int rank : group.ranks) {
      const Body part = board_.read(rank, key);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += part.as<T>()[i];
    }
  }
  void reduce_to_best_pivot(const Group& column, const Key& key, dist::PivotRow<T>& best) override {
    Key name = key;
    const auto pinned = [&](const auto& values, std::int64_t piece) {
      name.piece = piece;
      board_.pin(me(), name, Body::copy_of(std::span(values)));
    };
    pinned(std::vector<double>{static_cast<double>(best.size), static_cast<double>(best.row)}, 0);
    pinned(best.entries, 1);
    pinned(best.displaced, 2);
    for (const int rank : column.ranks) {
      const auto read = [&](std::int64_t piece) {
        name.piece = piece;
        return board_.read(rank, name);
      };
      const Body head = read(0), entries = read(1), displaced = read(2);
      const auto size = static_cast<Real<T>>(head.as<double>()[0]);
      const auto row = static_cast<Index>(head.as<double>()[1]);
      if (row >= 0 && (best.row < 0 || size > best.size || (size == best.size && row < best.row))) {
        best.size = size;
        best.row = row;
        best.entries.assign(entries.as<T>().begin(), entries.as<T>().end());
      }
      if (!displaced.empty()) best.displaced.assign(displaced.as<T>().begin(), displaced.as<T>().end());
    }
  }
  void charge_pivot_search(const Group&, const Key&, Index, std::size_t) override {
  }  // a board has no latency
  std::unique_ptr<dist::RowInterchange<T>> start_interchange(const MovedRows<T>& rows,
                                                             const Key& key) override {
    return std::make_unique<BoardInterchange<T>>(board_, me(), rows, key);
  }
  std::unique_ptr<dist::RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T>,
                                                                    const Key& key) override {
    return start_interchange(rows, key);
  }
  void redistribute(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B, const Key& key) override {
    if (A.grid->holds(me())) board_.pin(me(), key, Body::adopt(packed(A.local)));
    if (!B.grid->holds(me())) return;
    for (Index j = 0; j < B.local.cols; ++j)
      for (Index i = 0; i < B.local.rows; ++i) {
        const dist::Global r = B.rows.global({i}, B.me.row), c = B.cols.global({j}, B.me.col);
        const int p = A.rows.owner(r), q = A.cols.owner(c);
        B.local(i, j) =
            board_.read(A.grid->rank_at(p, q), key)
                .template as<T>()[A.rows.local(r).value + A.cols.local(c).value * A.rows.local_size(p)];
      }
  }

 private:
  int me() const { return this->rank().rank(); }
  static int at(const Group& group, int position) { return group.ranks[static_cast<std::size_t>(position)]; }
  static std::vector<T> packed(MatrixView<T> M) {
    std::vector<T> values;
    for (Index j = 0; j < M.cols; ++j) values.insert(values.end(), M.column(j), M.column(j) + M.rows);
    return values;
  }

  Board& board_;
};

constexpr Index n = 45, block = 4;

Owned<double> random_matrix(const ProcessGrid& grid, int rank, Index cols, std::uint64_t seed) {
  return make<double>(grid, rank, {n, block, grid.rows(), 0}, {cols, block, grid.cols(), 0},
                      [=](Index i, Index j) { return entry<double>(seed, i, j); });
}

/// What a factorisation leaves: the whole matrix and the pivots.
struct Factors {
  std::vector<double> all;
  std::vector<Index> pivots = std::vector<Index>(n, -1);
  bool operator==(const Factors&) const = default;
};

void expect_same_on_board(comm::Rank& rank, Board& board, const ProcessGrid& grid, const LuPlan& plan) {
  Factors messages, pinned;
  const auto A = random_matrix(grid, rank.rank(), n, 1), B = random_matrix(grid, rank.rank(), n, 1);
  LuPlan by_messages = plan;
  by_messages.messages.swap = dist::SwapKind::direct;  // the same arithmetic
  lu_factor<double>(rank, A.A, messages.pivots, by_messages);
  if (grid.holds(rank.rank())) {
    BoardMoves<double> moves(rank, board);
    Steps<double> steps(moves, B.A, pinned.pivots, plan);
    if (plan.schedule == Schedule::flat) run_flat(steps);
    if (plan.schedule == Schedule::look_ahead) look_ahead(steps, plan.depth);
    if (plan.schedule == Schedule::split) run_split_update(steps);
    EXPECT_EQ(steps.finish().direct_interchanges > 0, true);
  }
  messages.all = collected(rank, A.A);
  pinned.all = collected(rank, B.A);
  EXPECT_EQ(messages, pinned) << grid.rows() << " x " << grid.cols() << ", schedule "
                              << to_string(plan.schedule);
}

TEST(Moves, LuOnABoardIsLuByMessages) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 3}, {3, 1}, {2, 2}})
    for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split}) {
      Board board;
      comm::run({.ranks = rows * cols}, [&, p = rows, q = cols](comm::Rank& rank) {
        expect_same_on_board(rank, board, ProcessGrid(p, q, GridOrder::row_major, p * q),
                             {.schedule = schedule, .depth = 2});
      });
    }
}

TEST(Moves, SweepsAndRedistributionOnABoard) {
  Board board;
  comm::run({.ranks = 6}, [&](comm::Rank& rank) {
    const ProcessGrid grid(2, 3, GridOrder::row_major, 6), column(6, 1, GridOrder::row_major, 6);
    const auto A = random_matrix(grid, rank.rank(), n, 2), B = random_matrix(column, rank.rank(), n, 3);
    BoardMoves<double> moves(rank, board);
    std::vector<double> x(n, 1.0);  // L x = L e, L the lower triangle of A made diagonally dominant
    for (Index k = 0; k < n; ++k)
      if (A.A.owns_row({k}) && A.A.owns_col({k})) A.A.local(A.A.first_row({k}), A.A.first_col({k})) = 2 * n;
    const std::vector<double> all = collected(rank, A.A);
    for (Index i = 0; i < n; ++i) {
      x[i] = 0;
      for (Index j = 0; j <= i; ++j) x[i] += all[i + j * n];
    }
    triangular_sweep<double>(moves, {A.A, n, Triangle::lower}, {x.data(), n, 1, n}, 1);
    for (const double one : x) EXPECT_NEAR(one, 1, 4 * n * eps<double>());
    moves.redistribute(A.A, B.A, {.move = 2});
    EXPECT_EQ(collected(rank, B.A), all);
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
