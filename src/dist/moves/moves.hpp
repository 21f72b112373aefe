#pragma once
#include "comm/values.hpp"
#include "dist/moves/block_broadcast.hpp"
#include "dist/moves/pivot_row.hpp"
#include "dist/moves/row_interchange.hpp"

#include <string>

namespace overlapack::dist {

/// The operations ("verbs") for moving data in which the dense algorithms are written, so that one algorithm runs on messages, puts
/// and gets, or supersteps. Each discipline (docs/names.md) implements the verbs in a folder beside this file, and refuses those
/// that it lacks (BadPlan). A verb moves a panel, a row or a block.
/// All verbs  key: identifies this use of the verb, the same on all participants. The verb sets the key's piece; interchanges and
///            pivot searches also set its part
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
  /// Whether every process of the grid must take part in every verb, at least by take_part_in_syncs. True for supersteps.
  bool is_lockstep() const { return discipline_ == Discipline::superstep; }

  /// Start a broadcast of the root's body to the group.
  /// Shapes  root: a position in the group; body: on the root only, of `bytes` bytes
  /// Sync    none: never blocks; all of the group start it with the same root, bytes and key
  virtual std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root,
                                                                       const comm::Key& key,
                                                                       std::size_t bytes,
                                                                       comm::Body body) = 0;
  /// Start a broadcast of head bytes and a block of the root's part of A. The root must not change the block before
  /// wait_for_readers.
  /// Shapes  mine: the block, on the root only
  /// Sync    as start_broadcast
  virtual std::unique_ptr<BlockBroadcast<T>> start_block(const Group& group, int root, const comm::Key& key,
                                                         const BlockHead& head, const LocalBlock& at,
                                                         MatrixView<const T> mine);
  /// Wait until no rank of the group reads this rank's broadcast blocks any more, so that they may change.
  /// Sync    collective over the group, if blocks are read in place
  virtual void wait_for_readers(const Group& group);

  /// Reduction: x of the root <- the entrywise sum over the group, added in an order that depends on the group's size only. The x
  /// of the others is overwritten.
  /// Sync    collective over the group
  virtual void sum_to_root(const Group& group, int root, const comm::Key& key, std::vector<T>& x);

  /// All-gather: returns the bodies of all processes of the group, by position.
  /// Shapes  bytes: by position, the size of its body; mine: bytes[group.me] bytes
  /// Sync    collective over the group; in lockstep, over the grid
  virtual std::vector<comm::Body> all_gather(const Group& group, const comm::Key& key,
                                             std::span<const std::size_t> bytes, comm::Body mine);

  /// Pivot search that does not move rows: best <- the best candidate of the process column, on all its processes, and in lockstep
  /// on all processes of the grid.
  /// Shapes  column: my process column, which is number process_column unless in lockstep
  /// Sync    collective over the process column; in lockstep, over the grid
  virtual void find_pivot(const Group& column, int process_column, const comm::Key& key,
                          PivotCandidate<T>& best);
  /// Pivot search and row exchange in one: each process of the column offers its best row, and the owner of the displaced row adds
  /// that row. Afterwards all have the row of the best pivot (largest size; of equal sizes, the smallest row) and the displaced
  /// row.
  /// Shapes  entries, displaced: the same length on all processes, except where they are empty
  /// Sync    collective over the column
  virtual void reduce_to_best_pivot(const Group& column, const comm::Key& key, PivotRow<T>& best) = 0;
  /// Simulation by shapes: charge the time of reduce_to_best_pivot for `columns` columns in succession. bytes: of all their rows.
  virtual void charge_pivot_search(const Group& column, const comm::Key& key, Index columns,
                                   std::size_t bytes);

  /// All-reduce of bodies by merge(earlier, later), in the order of positions; the order of merges depends on the group's size only
  /// (butterfly.hpp). Returns the result on all processes.
  /// Sync    collective over the group
  virtual comm::Body all_reduce(const Group& group, const comm::Key& key, comm::Body mine, Merge merge);

  /// Start to move the rows that a panel has exchanged to their targets, and, if the discipline's plan says so, the panel's block
  /// row to all processes of my process column.
  /// Shapes  the block row rows.moves.first .. first + count - 1 is on one process
  /// Sync    collective over my process column; never blocks
  virtual std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows,
                                                               const comm::Key& key) = 0;
  /// start_interchange that leaves the block row with its owners. The rows may be on any processes, and the same rows of `also` are
  /// moved, too.
  virtual std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key);

  /// For a process that has no part in a verb which other processes of the grid use `times` times, in groups of the size of
  /// `group`: in lockstep, takes part in the verb's syncs; otherwise does nothing.
  virtual void take_part_in_syncs(Verb verb, const Group& group, Index times = 1);

  /// Simulation by shapes: number of columns of a panel whose verbs repeat_verbs() may replace by one use.
  virtual Index columns_charged_together() const { return 1; }
  /// Run verbs() `times` times. If columns_charged_together() > 1, run it once and charge the time and cost of all.
  virtual void repeat_verbs(Index times, comm::FunctionRef<void()> verbs);

  /// B <- A, the same matrix in another layout: other grid, other blocks, other sources. If one of the grids has one process,
  /// this is a gather or a scatter.
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

/// By default one broadcast from each position, all at the same time.
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
