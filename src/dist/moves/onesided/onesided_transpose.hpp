#pragma once
#include "comm/onesided/addresses.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "dist/moves/transpose_parts.hpp"

#include <optional>

namespace overlapack::dist {

/// B <- A^T by one-sided transfers, as often as it is run.
///
/// | form | how | synchronisations of a pair |
/// |---|---|---|
/// | native | each says that its A is final, gets B's columns, which are A's rows, by strided gets from where they lie, and says that it has read | 2 |
/// | generic | messages as general transfers, each safe by itself: packed, put, unpacked | 3 |
///
/// Where A is attached its address is told with the first signal (the pointer method); else it is at the same position everywhere.
/// Shapes  A: m x n; B: n x m, in any layout
/// Source  paper 3, section 3.1: the block transpose, and what becomes of it if sends and receives are replaced one by one
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
  std::unique_ptr<comm::Window> window_;  ///< of the other signals; generic: with a position for what comes
  std::optional<comm::onesided::Signals> signals_;
};

}  // namespace overlapack::dist
