#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "dist/moves/pivot_row.hpp"
#include "dist/moves/row_interchange.hpp"

namespace overlapack::dist {

/// How the dense algorithms move data: the verbs they are written in. A discipline (docs/names.md) implements them in a
/// folder beside this file; messages/ is the one that is built. A verb moves a panel, a row or a block, never a number.
/// All of them  key: names this use of the verb, alike on all who take part; its piece, and of interchanges and pivots also
///              its part, are the verb's
template <class T>
class Moves {
 public:
  using Group = comm::collective::Group;
  enum class Verb : std::uint8_t { broadcast, pivots, interchange };

  explicit Moves(comm::Rank& rank) : rank_(rank) {}
  virtual ~Moves() = default;
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  comm::Rank& rank() const { return rank_; }

  /// The root's body sets out for the whole group.
  /// Shapes  root: a place in the group; body: on the root only, of `bytes` bytes
  /// Sync    none: never blocks; all of the group start it with the same root, bytes and key
  virtual std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root,
                                                                       const comm::Key& key,
                                                                       std::size_t bytes,
                                                                       comm::Body body) = 0;
  /// x of the root <- the sum over the group, entry by entry, in an order that depends on the group's size only; x of the
  /// others is used up.
  /// Sync    collective over the group
  virtual void add_up(const Group& group, int root, const comm::Key& key, std::vector<T>& x) = 0;

  /// The search for a pivot alone: each process of a process column has a candidate, and all processes of the grid end with
  /// the best, as if they had searched.
  /// Sync    collective over the grid
  /// Errors  BadPlan where the discipline has none
  virtual void find_pivot(int process_column, const comm::Key& key, PivotCandidate<T>& best);
  /// The search for a pivot and the exchange of its row in one: every process of a column offers its best row, the owner of
  /// the displaced row gives that along, and all end with the same: largest size, of equal ones the smallest row.
  /// Shapes  entries, displaced: the same length everywhere, where they are not empty
  /// Sync    collective over the column
  virtual void combine_pivots(const Group& column, const comm::Key& key, PivotRow<T>& best) = 0;
  /// The time of that for so many columns one after the other, where there are no entries; `bytes`: of all their rows.
  virtual void charge_pivots(const Group& column, const comm::Key& key, Index columns, std::size_t bytes) = 0;

  /// The rows that a panel exchanged set out for where they belong, and its block row for all of my process column if the
  /// discipline's plan is so.
  /// Shapes  rows.moves.first .. + count: of one process
  /// Sync    collective over my process column; never blocks
  virtual std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows,
                                                               const comm::Key& key) = 0;
  /// Each row to where it belongs, no further: the block row stays with its owner. Rows of any processes, and of `also`.
  virtual std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows,
                                                                      MatrixView<T> also,
                                                                      const comm::Key& key) = 0;

  /// Others of the grid use a verb in groups as large as mine, so many times, and I have no part in it: nothing to be done,
  /// unless the discipline needs everybody for everything.
  virtual void stand_by(Verb verb, const Group& group, Index times = 1);

  /// B <- A, the same matrix in another layout: other grid, other blocks, other sources. A grid of one process gathers
  /// to it or scatters from it.
  /// Shapes  A, B: m x n; their memories do not overlap. On a rank that has no place in a grid, that matrix has no local
  ///         part and its `me` is not looked at.
  /// Sync    collective over the ranks of both grids: every rank that has a place in one of them calls, with the same
  ///         layouts; returns when my part of B is complete
  /// Errors  BadInput if A and B differ in m or n
  virtual void redistribute(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                            const comm::Key& key) = 0;

 private:
  comm::Rank& rank_;
};

template <class T>
void Moves<T>::find_pivot(int, const comm::Key&, PivotCandidate<T>&) {
  throw Error(ErrorKind::bad_plan, "moves",
              "this discipline finds pivots together with their rows; choose pivot_search combined");
}

template <class T>
void Moves<T>::stand_by(Verb, const Group&, Index) {}

}  // namespace overlapack::dist
