#pragma once
#include "comm/onesided/direct_broadcasts.hpp"
#include "dist/moves/moves.hpp"
#include "dist/moves/onesided/offers.hpp"
#include "dist/moves/onesided/onesided_plan.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// Buffer sizes of a group: bytes of the largest body that is broadcast in it, and of the largest vector that is summed in it.
struct GroupRoom {
  std::size_t body = 0, sum = 0;
};
/// Buffer sizes for process rows, for process columns, and for the grid.
struct DirectRoom {
  GroupRoom row = {}, column = {}, grid = {};
};

/// The moves of Cholesky, QR and triangular solves by puts and gets; LU, whose matrix is lent, has its own (onesided_moves.hpp).
/// A group is a process row, a process column or the grid.
///
/// | verb | synchronisations of a pair |
/// |---|---|
/// | broadcast | direct: the root signals that its body is ready, the others get it at once, and signal that they have it |
/// | all_gather | a broadcast for each position, one after the other |
/// | sum_to_root of P processes | in each round a process puts its sum to its partner: ceil(log2 P), one more if P is no power of
/// two |
/// Source  paper 3, section 2
template <class T>
class DirectMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using Key = comm::Key;

  /// Sync    collective over the team; ranks outside of the grid use no verb
  DirectMoves(comm::Rank& rank, const ProcessGrid& grid, DirectRoom room);

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  /// Here the x of all processes becomes the sum.
  void sum_to_root(const Group& group, int root, const Key& key, std::vector<T>& x) override;
  std::vector<comm::Body> all_gather(const Group& group, const Key& key, std::span<const std::size_t> bytes,
                                     comm::Body mine) override;

  void reduce_to_best_pivot(const Group&, const Key&, PivotRow<T>&) override {
    this->refuse("pivots of its own");
  }
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>&, const Key&) override {
    this->refuse("interchanges without a lent matrix");
  }

 private:
  using Signals = comm::onesided::Signals;
  /// A window with its signals.
  struct Signalled {
    Signalled(comm::Rank& rank, std::size_t bytes);

    std::unique_ptr<comm::Window> window;
    Signals signals;
  };
  /// The broadcasts and sums of one kind of group (process row, process column or grid). Each kind has counters of its own, since
  /// signals and buffers are known by counting, and only the ranks of one group count the same.
  struct Line {
    /// sums_at, bodies_at: offsets in the windows `all` and `ready`
    Line(Signalled& all, std::size_t sums_at, Signalled& ready, std::size_t bodies_at, GroupRoom room);
    static std::size_t bodies_bytes(GroupRoom room);

    comm::onesided::DirectBroadcasts broadcasts;
    Offers sums;
  };
  Line& line_of(const Group& group);

  const ProcessGrid& grid_;
  /// all_: sums, and signals that a body was read; lines_ready_, grid_ready_: bodies, and signals that they are ready, of rows and
  /// columns, and of the grid.
  std::unique_ptr<Signalled> all_, lines_ready_, grid_ready_;
  std::unique_ptr<Line> in_row_, in_column_, in_grid_;
};

}  // namespace overlapack::dist
