#pragma once
#include "comm/values.hpp"
#include "dist/moves/block_broadcast.hpp"
#include "dist/moves/pivot_row.hpp"
#include "dist/moves/row_interchange.hpp"

#include <string>

namespace overlapack::dist {

/// Data movement of the dense algorithms: the operations ("verbs") they are written in. Each discipline (docs/names.md)
/// implements them in a folder beside this file, and refuses those it lacks (BadPlan). A verb moves a panel, a row or a block.
/// All verbs  key: identifies this use of the verb, the same on all participants; the verb sets its piece, and for interchanges,
///            pivots and share also its part
template <class T>
class Moves {
 public:
  using Group = comm::collective::Group;
  using Merge = comm::FunctionRef<comm::Body(const comm::Body&, const comm::Body&)>;
  enum class Verb : std::uint8_t { broadcast, sum, pivots, all_reduce, interchange };

  Moves(comm::Rank& rank, Discipline discipline) : rank_(rank), discipline_(discipline) {}
  virtual ~Moves() = default;
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  comm::Rank& rank() const { return rank_; }
  /// Whether every process of the grid must take part in every verb, if only by take_part_in_syncs.
  bool is_lockstep() const { return discipline_ == Discipline::superstep; }

  /// Start a broadcast of the root's body to the group.
  /// Shapes  root: a position in the group; body: on the root only, of `bytes` bytes
  /// Sync    none: never blocks; all of the group start it with the same root, bytes and key
  virtual std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root,
                                                                       const comm::Key& key,
                                                                       std::size_t bytes,
                                                                       comm::Body body) = 0;
  /// Start a broadcast of head bytes and a block of the root's part of A, which must not change until wait_for_readers.
  /// Shapes  mine: the block, on the root only
  /// Sync    as start_broadcast
  virtual std::unique_ptr<BlockBroadcast<T>> start_block(const Group& group, int root, const comm::Key& key,
                                                         const BlockHead& head, const LocalBlock& at,
                                                         MatrixView<const T> mine);
  /// Wait until no rank of the group reads this rank's broadcast blocks any more: then they may change.
  /// Sync    collective over the group, if blocks are read in place
  virtual void wait_for_readers(const Group& group);

  /// x of the root <- the sum over the group, entry by entry, in an order that depends on the group's size only; x of the
  /// others is overwritten.
  /// Sync    collective over the group
  virtual void sum_to_root(const Group& group, int root, const comm::Key& key, std::vector<T>& x);

  /// All-gather: returns the bodies of all in the group, by position.
  /// Shapes  bytes: of each position; mine: of bytes[group.me] bytes
  /// Sync    collective over the group; in lockstep, over the grid
  virtual std::vector<comm::Body> all_gather(const Group& group, const comm::Key& key,
                                             std::span<const std::size_t> bytes, comm::Body mine);

  /// Pivot search without rows: best <- the best candidate of the process column, on all its processes; in lockstep on all
  /// processes of the grid.
  /// Shapes  column: my process column, which is number process_column unless in lockstep
  /// Sync    collective over the process column; in lockstep, over the grid
  virtual void find_pivot(const Group& column, int process_column, const comm::Key& key,
                          PivotCandidate<T>& best);
  /// Pivot search and row exchange in one: each process of the column offers its best row, the owner of the displaced row adds
  /// that, and all end with the best pivot (largest size, of equal ones the smallest row) and the displaced row.
  /// Shapes  entries, displaced: the same length everywhere, where they are not empty
  /// Sync    collective over the column
  virtual void reduce_to_best_pivot(const Group& column, const comm::Key& key, PivotRow<T>& best) = 0;
  /// Simulation by shapes: let the time of reduce_to_best_pivot for `columns` columns in succession pass; bytes: of all their rows.
  virtual void charge_pivot_search(const Group& column, const comm::Key& key, Index columns,
                                   std::size_t bytes);

  /// All-reduce of bodies by merge(earlier, later), in the order of positions and with a tree that depends on the group's size only
  /// (butterfly.hpp); returns the result on all.
  /// Sync    collective over the group
  virtual comm::Body all_reduce(const Group& group, const comm::Key& key, comm::Body mine, Merge merge);

  /// Start to move the rows that a panel exchanged to their targets, and, if the discipline's plan says so, its block row to all of
  /// my process column.
  /// Shapes  rows.moves.first .. + count: of one process
  /// Sync    collective over my process column; never blocks
  virtual std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows,
                                                               const comm::Key& key) = 0;
  /// The same, but the block row stays with its owner; the rows may be of any processes, and rows of `also` are moved, too.
  virtual std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key);

  /// Take part in the syncs of a verb that other processes of the grid use `times` times, in groups as large as this one, without
  /// this process: does nothing, except in lockstep.
  virtual void take_part_in_syncs(Verb verb, const Group& group, Index times = 1);

  /// Simulations by shapes: number of columns of a panel whose verbs may be replaced by one use in repeat_verbs().
  virtual Index columns_charged_together() const { return 1; }
  /// Run verbs() `times` times; with columns_charged_together() > 1 once, with the time and cost of all.
  virtual void repeat_verbs(Index times, comm::FunctionRef<void()> verbs);

  /// B <- A, the same matrix in another layout: other grid, other blocks, other sources. With a grid of one process this is a
  /// gather or scatter.
  /// Shapes  A, B: m x n; their memories do not overlap. On a rank outside of a matrix's grid its local part and `me` are ignored.
  /// Sync    collective over the ranks of both grids: every rank in one of them calls it, with the same layouts; returns when my
  ///         part of B is complete
  /// Errors  BadInput if A and B differ in m or n
  virtual void redistribute(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                            const comm::Key& key);

 protected:
  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(Status::bad_plan, "the discipline " + std::string(to_string(discipline_)) + " has no " +
                                      std::string(what) + "; choose messages");
  }

 private:
  comm::Rank& rank_;
  Discipline discipline_;
};

template <class T>
std::unique_ptr<BlockBroadcast<T>> Moves<T>::start_block(const Group& group, int root, const comm::Key& key,
                                                         const BlockHead& head, const LocalBlock& at,
                                                         MatrixView<const T> mine) {
  const std::size_t bytes = PackedBlock<T>::bytes(head.bytes, at);
  comm::Body body;
  if (group.me == root)
    body = comm::pack_body(rank_, bytes, [&] { return PackedBlock<T>::packed(head, at, mine); });
  return std::make_unique<PackedBlock<T>>(head.bytes, at,
                                          start_broadcast(group, root, key, bytes, std::move(body)));
}

template <class T>
void Moves<T>::wait_for_readers(const Group&) {}

template <class T>
void Moves<T>::sum_to_root(const Group&, int, const comm::Key&, std::vector<T>&) {
  refuse("sums");
}

/// One broadcast for each position, all at the same time.
template <class T>
std::vector<comm::Body> Moves<T>::all_gather(const Group& group, const comm::Key& key,
                                             std::span<const std::size_t> bytes, comm::Body mine) {
  std::vector<std::unique_ptr<comm::collective::Broadcast>> parts(bytes.size());
  for (int position = 0; position < group.size(); ++position)
    if (const std::size_t size = bytes[static_cast<std::size_t>(position)]; size > 0)
      parts[static_cast<std::size_t>(position)] = start_broadcast(
          group, position, {key.move, key.step, position}, size, position == group.me ? mine : comm::Body());
  std::vector<comm::Body> bodies;
  for (const auto& part : parts) bodies.push_back(part ? part->finish() : comm::Body());
  return bodies;
}

template <class T>
void Moves<T>::find_pivot(const Group&, int, const comm::Key&, PivotCandidate<T>&) {
  refuse("search for pivots without their rows");
}

template <class T>
void Moves<T>::charge_pivot_search(const Group&, const comm::Key&, Index, std::size_t) {
  refuse("simulation by shapes");
}

template <class T>
comm::Body Moves<T>::all_reduce(const Group&, const comm::Key&, comm::Body mine, Merge) {
  refuse("tournament");
  return mine;  // not reached: g++ 12 does not see that refuse does not return
}

template <class T>
std::unique_ptr<RowInterchange<T>> Moves<T>::start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key) {
  if (also.rows > 0) refuse("interchanges in two matrices at once");
  return start_interchange(rows, key);
}

template <class T>
void Moves<T>::take_part_in_syncs(Verb, const Group&, Index) {}

template <class T>
void Moves<T>::repeat_verbs(Index times, comm::FunctionRef<void()> verbs) {
  for (Index i = 0; i < times; ++i) verbs();
}

template <class T>
void Moves<T>::redistribute(const DistributedMatrix<T>&, const DistributedMatrix<T>&, const comm::Key&) {
  refuse("redistributions");
}

}  // namespace overlapack::dist
