#pragma once
#include "dist/grid/distributed_matrix.hpp"

#include <memory>

namespace overlapack::dist {

/// A distributed matrix whose part here has its own memory. Ranks outside of the grid have an empty part.
template <class T>
class OwnedMatrix {
 public:
  OwnedMatrix() = default;
  /// Entries are not set.  Errors  std::bad_alloc
  OwnedMatrix(const ProcessGrid& grid, int rank, const BlockCyclic& rows, const BlockCyclic& cols)
      : view_{&grid, {}, rows, cols, {}} {
    if (!grid.holds(rank)) return;
    view_.me = grid.place_of(rank);
    const Index m = rows.local_size(view_.me.row), n = cols.local_size(view_.me.col), ld = padded_ld(m);
    memory_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(ld * n));
    view_.local = {memory_.get(), m, n, ld};
  }

  const DistributedMatrix<T>& view() const { return view_; }

 private:
  std::unique_ptr<T[]> memory_;
  DistributedMatrix<T> view_;
};

}  // namespace overlapack::dist
