#pragma once
#include "base/arena.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// A distributed matrix whose part here has its own memory. Ranks outside of the grid have an empty part.
template <class T>
class OwnedMatrix {
 public:
  OwnedMatrix() = default;
  /// Without storage: shapes only. Entries are zero; huge pages where the system has them.  Errors  out_of_memory
  OwnedMatrix(const ProcessGrid& grid, int rank, const BlockCyclic& rows, const BlockCyclic& cols,
              bool has_storage = true)
      : view_{&grid, {}, rows, cols, {}} {
    if (!grid.holds(rank)) return;
    view_.me = grid.place_of(rank);
    const Index m = rows.local_size(view_.me.row), n = cols.local_size(view_.me.col), ld = padded_ld(m);
    view_.local = {has_storage ? memory_.zeros<T>(static_cast<std::size_t>(ld * n)) : nullptr, m, n, ld};
  }

  const DistributedMatrix<T>& view() const { return view_; }

 private:
  Arena memory_;
  DistributedMatrix<T> view_;
};

}  // namespace overlapack::dist
