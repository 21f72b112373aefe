#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// A matrix that the others of the grid read in place. Where attached memory is reached the caller's own is lent; elsewhere
/// strided access to memory that MPI did not allocate is served by its owner, element by element, so a copy is made at the top
/// and brought back at the end (paper 3, section 3.1 weighs the two).
template <class T>
class LentMatrix {
 public:
  /// Sync    collective over the team; ranks outside of the grid lend nothing
  LentMatrix(comm::Rank& rank, const DistributedMatrix<T>& A);

  const DistributedMatrix<T>& view() const { return view_; }
  comm::Window& window() { return *window_; }
  /// Where entry (i, j) of a rank's part stands in its window, and how far apart its columns are: bytes.
  std::size_t offset(int rank, Index i, Index j) const {
    return static_cast<std::size_t>(i + j * ld_[static_cast<std::size_t>(rank)]) * sizeof(T);
  }
  std::size_t column_stride(int rank) const {
    return static_cast<std::size_t>(ld_[static_cast<std::size_t>(rank)]) * sizeof(T);
  }
  /// The caller's memory has the entries again. Nobody reads here any more.
  void take_back() const;

 private:
  DistributedMatrix<T> A_, view_;
  std::vector<Index> ld_;  ///< by rank
  std::unique_ptr<comm::Window> window_;
};

}  // namespace overlapack::dist
