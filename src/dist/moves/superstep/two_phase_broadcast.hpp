#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "dist/bsp2d/two_phase.hpp"
#include "dist/moves/superstep/lockstep.hpp"

namespace overlapack::dist {

/// The root scatters its body, then each of the q processes puts its piece to all others. All processes of the grid do this at the
/// same time, in broadcasts of their own.
/// Cost    q = 1: nothing; q = 2: n g + l; more: 2 n (q - 1) / q g + 2 l. Supersteps depend on q only, since sizes may differ
///         between process rows, and all must synchronise equally often
/// Source  paper 4, section 2.2
class TwoPhaseBroadcast final : public comm::collective::Broadcast {
 public:
  using Buffer = comm::superstep::RegisteredBuffers::Buffer;

  /// processes: of the world; me, root: positions among them
  TwoPhaseBroadcast(Lockstep step, std::vector<int> processes, int me, int root, std::size_t bytes,
                    comm::Body body, std::shared_ptr<const Buffer> buffer);

  bool is_done() const override { return next_ == phases_.supersteps(); }
  comm::Body finish() override;

 private:
  using Piece = TwoPhase::Piece;
  int size() const { return phases_.processes; }
  bool is_root() const { return me_ == root_; }
  Piece piece_of(int position) const;
  void put(int position, Piece piece);
  void put_pieces();
  std::vector<int> senders() const;

  Lockstep step_;
  std::vector<int> processes_;
  TwoPhase phases_;
  int me_, root_;
  std::size_t bytes_;
  comm::Body body_;
  std::shared_ptr<const Buffer> buffer_;
  int next_ = 0;  ///< next superstep
};

}  // namespace overlapack::dist
