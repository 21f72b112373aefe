#pragma once
#include "comm/rank.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/message/piece.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::multifrontal {

/// A strip: the border rows [first, end) of a distributed front, on the rank to which the front's master gave
/// them.
///   lower  rows x S      LU: L21, kept for the solves
///   block  rows x width  C, until its pieces have left; width = m, symmetric: end (down to the diagonal)
template <class T>
struct Strip {
  Index front = -1;
  Index first = 0, end = 0;
  Index summed = 0, eliminated = 0;
  Index width = 0;
  T* lower_data = nullptr;  ///< null while it is in the file of factors alone
  FilePosition position;
  HeldBlock block;
  /// LU of a compressed front, else null: the blocks of L21, as `beside` of each panel, with rows counted
  /// from the strip's first row. While the strip is updated, L21 in full stands in low_rank->dense, to which
  /// lower_data points.
  std::unique_ptr<LowRankFactors<T>> low_rank;

  Index rows() const { return end - first; }
  MatrixView<T> L21() const { return {lower_data, rows(), summed, padded_ld(rows())}; }
  MatrixView<T> contribution() const { return {block.as<T>(), rows(), width, padded_ld(rows())}; }
};

/// Positions of the `count` variables that a child delayed among the fully summed ones of its parent.
/// delayed[i]: number of variables that the parent's i-th child delayed
std::vector<std::int32_t> delayed_positions(const Structure& structure, std::span<const Index> delayed,
                                            Index child, Index count);

/// The message from a master to its strips about the pivots [first, first + count) of a front.
template <class T>
PanelMessage<T> panel_of(const Structure& structure, const Front<T>& front,
                         const kernels::PanelSteps<T>& steps, Index first, Index count);

/// The same for a panel of a compressed front; cuts are not set.
template <class T>
PanelMessage<T> panel_of(const Structure& structure, const Front<T>& front, const LowRankPanel<T>& blocks);

/// The arithmetic of one strip, in the order of the calls: assemble, apply each panel of the master,
/// add_border. HeldStrips calls it.
template <class T>
class StripWork {
 public:
  /// delayed[i]: number of variables that the front's i-th child delayed; they stand before the front's own
  ///         pivots
  StripWork(const Structure& structure, const FactorPlan& plan, Strip<T>& strip, std::vector<Index> delayed);

  /// LU: L21 += original entries, and the children's rows in fully summed columns.
  void assemble(const StripEntries<T>& entries, std::span<const Piece<T>> pieces);
  /// One panel: LU  L21 <- L21 U11^{-1},  C -= L21 U12;  symmetric  C -= L21 D L21^T.
  void apply(comm::Rank& rank, const PanelMessage<T>& panel);
  /// C += the rest of the children's rows, after the last panel.
  void add_border(std::span<const Piece<T>> pieces);
  /// C <- 0, unless a panel has written it.
  void clear_block();
  double flops() const { return flops_; }

 private:
  void apply_lu(comm::Rank& rank, const PanelMessage<T>& panel);
  void apply_symmetric(comm::Rank& rank, const PanelMessage<T>& panel);
  /// Some columns of C, and the factor B with which they are updated.
  struct Update {
    MatrixView<T> C;
    MatrixView<const T> B;
    bool is_diagonal = false;  ///< only its lower triangle counts
  };
  void subtract_product(comm::Rank& rank, const comm::Work& work, MatrixView<const T> A,
                        std::span<const Update> updates, bool conjugated);

  const Structure& structure_;
  const FactorPlan& plan_;
  Strip<T>& strip_;
  std::vector<Index> delayed_;
  bool is_started_ = false;  ///< C holds numbers
  double flops_ = 0;
  std::vector<T> work_;
};

}  // namespace overlapack::sparse::multifrontal
