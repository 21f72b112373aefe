#pragma once
#include "base/arena.hpp"
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <memory>

namespace overlapack::dist {

/// Initial content of a new matrix; shape: it gets no memory.
enum class Content : std::uint8_t { zeros, unset, shape };

/// A distributed matrix that owns the memory of its local part. Ranks outside of the grid have an empty part.
template <class T>
class OwnedMatrix {
 public:
  OwnedMatrix() = default;
  /// Allocates the local part, on huge pages if the system has them.  Errors  out_of_memory
  OwnedMatrix(const ProcessGrid& grid, int rank, const BlockCyclic& rows, const BlockCyclic& cols,
              Content content = Content::zeros)
      : view_{&grid, {}, rows, cols, {}} {
    shape(rank);
    if (content == Content::zeros) view_.local.data = memory_.zeros<T>(entries());
    if (content == Content::unset) view_.local.data = memory_.unset<T>(entries());
  }
  /// Allocates the local part in a window, so that the other ranks can access it in place.
  /// Sync    collective over the team
  OwnedMatrix(comm::Rank& rank, const ProcessGrid& grid, const BlockCyclic& rows, const BlockCyclic& cols)
      : view_{&grid, {}, rows, cols, {}} {
    shape(rank.rank());
    window_ = rank.make_window(entries() * sizeof(T));
    view_.local.data = reinterpret_cast<T*>(window_->local().data());
    view_.window = window_.get();
  }

  const DistributedMatrix<T>& view() const { return view_; }

 private:
  void shape(int rank) {
    if (!view_.grid->holds(rank)) return;
    view_.me = view_.grid->position_of(rank);
    const Index m = view_.rows.local_size(view_.me.row), n = view_.cols.local_size(view_.me.col);
    view_.local = {nullptr, m, n, padded_ld(m)};
  }
  std::size_t entries() const { return static_cast<std::size_t>(view_.local.ld * view_.local.cols); }

  Arena memory_;
  std::unique_ptr<comm::Window> window_;
  DistributedMatrix<T> view_;
};

}  // namespace overlapack::dist
