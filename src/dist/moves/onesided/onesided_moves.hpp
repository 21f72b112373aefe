#pragma once
#include "comm/onesided/signals.hpp"
#include "dist/moves/moves.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "overlapack/choices.hpp"

#include <array>
#include <memory>

namespace overlapack::dist {

/// The moves of an LU as puts and gets into the memory of others, which call nothing for it.
///
/// | verb | synchronisations of a pair |
/// |---|---|
/// | broadcast | direct: the root says that its body is there, all get it at once, and say that they have |
/// | combine_pivots | all put what they have to all others of the column |
/// | interchange | 2, or 3 where generic |
/// Source  paper 3, section 2
template <class T>
class OnesidedMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using typename Moves<T>::Verb;
  using Key = comm::Key;

  /// Sync    collective over the team
  OnesidedMoves(comm::Rank& rank, LentMatrix<T>& A, RowSwap swap);

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override;
  void combine_pivots(const Group& column, const Key& key, PivotRow<T>& best) override;
  /// rows.A: the lent matrix
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override;
  /// Broadcasts of other groups count, since their bodies stand in turn in the same two places on all ranks.
  void stand_by(Verb verb, const Group&, Index times) override {
    if (verb == Verb::broadcast) broadcasts_ += times;
  }
  /// Exchanges of rows with another process so far.
  Index row_swaps() const { return row_swaps_; }

 private:
  class DirectBroadcast;
  class Interchange;
  /// Where things stand in the window: alike on all ranks, each part twice, so that the next use need not wait.
  struct Places {
    std::size_t pivot_bytes, body_bytes, row_bytes;
    std::size_t pivots, bodies, rows, end;
  };
  static Places places_for(const DistributedMatrix<T>& A);

  LentMatrix<T>& A_;
  RowSwap swap_;
  Places places_;
  std::unique_ptr<comm::Window> window_;
  comm::onesided::Signals signals_;
  /// Who has not said yet that it has read the body that stands there, and the number of that signal.
  std::array<std::vector<std::pair<int, std::int64_t>>, 2> readers_;
  std::int64_t searches_ = 0, broadcasts_ = 0;
  Index row_swaps_ = 0;
};

}  // namespace overlapack::dist
