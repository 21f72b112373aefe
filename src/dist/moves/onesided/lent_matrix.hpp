#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "overlapack/choices.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace overlapack::dist {

/// Whether a new matrix that is going to be lent should be allocated in a window.
bool should_be_in_window(const comm::Rank& rank, std::optional<LentMemory> memory);

/// A distributed matrix that the other ranks access one-sidedly, in a window: the caller's window (user), a copy in a window
/// (copy), or the caller's memory attached to one (attach).
/// Source  paper 3, section 3.1, which weighs the three kinds of memory
template <class T>
class LentMatrix {
 public:
  /// memory: nullopt chooses user if the matrix is in a window; else attach if the engine accesses attached memory directly; else
  /// copy, because the owner would have to serve each access element by element
  /// Sync    collective over the team; ranks outside of the grid lend nothing
  /// Errors  BadPlan, on all ranks, for user if the matrix is in no window, and for attach between nodes if the engine cannot
  ///         access attached memory directly, as Open MPI 4.1 may then end the whole job
  LentMatrix(comm::Rank& rank, const DistributedMatrix<T>& A, std::optional<LentMemory> memory = {});

  const DistributedMatrix<T>& view() const { return view_; }
  LentMemory memory() const { return memory_; }
  comm::Window& window() { return own_ ? *own_ : *A_.window; }
  /// Whether every rank can read all parts by plain loads.
  bool is_within_reach() const { return is_within_reach_; }
  /// View of a block of a rank's part, in place, by local indices there. Only if is_within_reach().
  MatrixView<const T> view_block(int rank, Index i, Index j, Index rows, Index cols) {
    return {reinterpret_cast<const T*>(window().direct(rank) + offset(rank, i, j)), rows, cols,
            ld_[static_cast<std::size_t>(rank)]};
  }
  /// Offset of entry (i, j) of a rank's part in its window, and its column stride, in bytes.
  std::size_t offset(int rank, Index i, Index j) const {
    return static_cast<std::size_t>(i) * sizeof(T) + static_cast<std::size_t>(j) * column_stride(rank);
  }
  std::size_t column_stride(int rank) const {
    return static_cast<std::size_t>(ld_[static_cast<std::size_t>(rank)]) * sizeof(T);
  }
  /// Copy the entries back to the caller's memory, if they were copied; no rank may access the window any more.
  void copy_back() const;

 private:
  LentMemory choose_memory(const comm::Rank& rank, std::optional<LentMemory> memory, bool is_in_window,
                           bool is_on_one_node) const;
  bool can_reach_all_ranks(comm::Rank& rank);

  DistributedMatrix<T> A_, view_;
  LentMemory memory_;
  std::vector<Index> ld_;  ///< leading dimension of each rank's part
  std::unique_ptr<comm::Window> own_;
  bool is_within_reach_ = false;
};

}  // namespace overlapack::dist
