#pragma once
#include "comm/values.hpp"
#include "dist/moves/block_broadcast.hpp"
#include "dist/moves/pivot_row.hpp"
#include "dist/moves/row_interchange.hpp"

#include <string>

namespace overlapack::dist {

/// How the dense algorithms move data: the verbs they are written in. A discipline (docs/names.md) implements them in a
/// folder beside this file, and refuses those that it has not (BadPlan). A verb moves a panel, a row or a block.
/// All of them  key: names this use of the verb, alike on all who take part; its piece, and of interchanges, pivots and what is
///              shared also its part, are the verb's
template <class T>
class Moves {
 public:
  using Group = comm::collective::Group;
  using Merge = comm::FunctionRef<comm::Body(const comm::Body&, const comm::Body&)>;
  enum class Verb : std::uint8_t { broadcast, sum, pivots, combine, interchange };

  Moves(comm::Rank& rank, Discipline discipline) : rank_(rank), discipline_(discipline) {}
  virtual ~Moves() = default;
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  comm::Rank& rank() const { return rank_; }
  /// Every process of the grid takes part in every verb, if only by stand_by.
  bool is_lockstep() const { return discipline_ == Discipline::superstep; }

  /// The root's body sets out for the whole group.
  /// Shapes  root: a position in the group; body: on the root only, of `bytes` bytes
  /// Sync    none: never blocks; all of the group start it with the same root, bytes and key
  virtual std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root,
                                                                       const comm::Key& key,
                                                                       std::size_t bytes,
                                                                       comm::Body body) = 0;
  /// A block of the root's part of A, which stays as it is until `wait_for_readers`, sets out for the whole group, with some bytes before
  /// it.
  /// Shapes  head: on the root only, of `head_bytes` bytes; mine: the block, on the root only
  /// Sync    as start_broadcast
  virtual std::unique_ptr<BlockBroadcast<T>> start_block(const Group& group, int root, const comm::Key& key,
                                                         std::size_t head_bytes, const comm::Body& head,
                                                         const LocalBlock& at, MatrixView<const T> mine);
  /// Nobody of the group reads any more in the blocks of mine that set out: they may change.
  /// Sync    collective over the group, where blocks are read where they stand
  virtual void wait_for_readers(const Group& group);

  /// x of the root <- the sum over the group, entry by entry, in an order that depends on the group's size only; x of the
  /// others is used up.
  /// Sync    collective over the group
  virtual void add_up(const Group& group, int root, const comm::Key& key, std::vector<T>& x);

  /// Each of a group has a body of its own, and all end with all of them, by position.
  /// Shapes  bytes: of each position; mine: of bytes[group.me] bytes
  /// Sync    collective over the group; in lockstep, over the grid
  virtual std::vector<comm::Body> share(const Group& group, const comm::Key& key,
                                        std::span<const std::size_t> bytes, comm::Body mine);

  /// The search for a pivot alone: each process of a process column has a candidate, and all of them end with the best; in
  /// lockstep all processes of the grid, as if they had searched.
  /// Shapes  column: mine, which is that one unless in lockstep
  /// Sync    collective over the process column; in lockstep, over the grid
  virtual void find_pivot(const Group& column, int process_column, const comm::Key& key,
                          PivotCandidate<T>& best);
  /// The search for a pivot and the exchange of its row in one: every process of a column offers its best row, the owner of
  /// the displaced row gives that along, and all end with the same: largest size, of equal ones the smallest row.
  /// Shapes  entries, displaced: the same length everywhere, where they are not empty
  /// Sync    collective over the column
  virtual void combine_pivots(const Group& column, const comm::Key& key, PivotRow<T>& best) = 0;
  /// The time of that for so many columns one after the other, where there are no entries; `bytes`: of all their rows.
  virtual void charge_pivots(const Group& column, const comm::Key& key, Index columns, std::size_t bytes);

  /// What all of a group have is merged in pairs into one body that all end with: merge(earlier, later) by position, in an order
  /// that depends on the group's size only (butterfly.hpp).
  /// Sync    collective over the group
  virtual comm::Body combine(const Group& group, const comm::Key& key, comm::Body mine, Merge merge);

  /// The rows that a panel exchanged set out for where they belong, and its block row for all of my process column if the
  /// discipline's plan is so.
  /// Shapes  rows.moves.first .. + count: of one process
  /// Sync    collective over my process column; never blocks
  virtual std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows,
                                                               const comm::Key& key) = 0;
  /// Each row to where it belongs, no further: the block row stays with its owner. Rows of any processes, and of `also`.
  virtual std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key);

  /// Others of the grid use a verb in groups as large as mine, so many times, and I have no part in it: nothing to be done,
  /// unless the discipline needs everybody for everything.
  virtual void stand_by(Verb verb, const Group& group, Index times = 1);

  /// Simulations by shapes: one use of some verbs may stand for that of so many columns of a panel, if it is repeated.
  virtual Index columns_together() const { return 1; }
  /// Use them so many times; with columns_together() > 1 once, with the time and cost of all.
  virtual void repeat(Index times, comm::FunctionRef<void()> verbs);

  /// B <- A, the same matrix in another layout: other grid, other blocks, other sources. A grid of one process gathers
  /// to it or scatters from it.
  /// Shapes  A, B: m x n; their memories do not overlap. On a rank that has no place in a grid, that matrix has no local
  ///         part and its `me` is not looked at.
  /// Sync    collective over the ranks of both grids: every rank that has a position in one of them calls, with the same
  ///         layouts; returns when my part of B is complete
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
                                                         std::size_t head_bytes, const comm::Body& head,
                                                         const LocalBlock& at, MatrixView<const T> mine) {
  const std::size_t bytes = PackedBlock<T>::bytes(head_bytes, at);
  comm::Body body;
  if (group.me == root)
    body = comm::body_of(rank_, bytes, [&] { return PackedBlock<T>::packed(head, at, mine); });
  return std::make_unique<PackedBlock<T>>(head_bytes, at,
                                          start_broadcast(group, root, key, bytes, std::move(body)));
}

template <class T>
void Moves<T>::wait_for_readers(const Group&) {}

template <class T>
void Moves<T>::add_up(const Group&, int, const comm::Key&, std::vector<T>&) {
  refuse("sums");
}

/// A broadcast each, at once.
template <class T>
std::vector<comm::Body> Moves<T>::share(const Group& group, const comm::Key& key,
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
void Moves<T>::charge_pivots(const Group&, const comm::Key&, Index, std::size_t) {
  refuse("simulation by shapes");
}

template <class T>
comm::Body Moves<T>::combine(const Group&, const comm::Key&, comm::Body mine, Merge) {
  refuse("tournament");
  return mine;  // never: g++ 12 does not see that refuse does not return
}

template <class T>
std::unique_ptr<RowInterchange<T>> Moves<T>::start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key) {
  if (also.rows > 0) refuse("interchanges in two matrices at once");
  return start_interchange(rows, key);
}

template <class T>
void Moves<T>::stand_by(Verb, const Group&, Index) {}

template <class T>
void Moves<T>::repeat(Index times, comm::FunctionRef<void()> verbs) {
  for (Index i = 0; i < times; ++i) verbs();
}

template <class T>
void Moves<T>::redistribute(const DistributedMatrix<T>&, const DistributedMatrix<T>&, const comm::Key&) {
  refuse("redistributions");
}

}  // namespace overlapack::dist
