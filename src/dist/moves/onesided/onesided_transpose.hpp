#pragma once
#include "comm/onesided/addresses.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "dist/moves/transpose_parts.hpp"

#include <optional>

namespace overlapack::dist {

/// B <- A^T by one-sided transfers; run() may be called many times.
///
/// | form | how | synchronisations of a pair |
/// |---|---|---|
/// | native | each rank signals that its A is final, gets B's columns (A's rows) by strided gets, and signals that it has read
/// them | 2 | | generic | general transfers through buffers: packed, put, unpacked | 3 |
///
/// If A is attached, its address is sent with the first signal (the pointer method); else its offset is known to all ranks.
/// Shapes  A: m x n; B: n x m, in any layout
/// Source  paper 3, section 3.1: the block transpose, and its variant with sends and receives replaced one by one
template <class T>
class OnesidedTranspose {
 public:
  /// Sync    collective over the team
  /// Errors  BadInput if the shapes do not fit
  OnesidedTranspose(comm::Rank& rank, LentMatrix<T>& A, const DistributedMatrix<T>& B, RowSwap form);

  /// Sync    collective over the team; afterwards my A may change
  void run();

 private:
  void run_native();
  void run_generic();
  comm::onesided::Address borrowed(int from);
  std::size_t largest_transfer() const;

  comm::Rank& rank_;
  LentMatrix<T>& A_;
  DistributedMatrix<T> B_;
  RowSwap form_;
  TransposeParts<T> parts_;
  std::optional<comm::onesided::Addresses> addresses_;  ///< native, A attached
  /// For signals, unless addresses_ has them; generic: also the receive buffer
  std::unique_ptr<comm::Window> window_;
  std::optional<comm::onesided::Signals> signals_;
};

}  // namespace overlapack::dist
