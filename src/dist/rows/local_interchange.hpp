#pragma once
#include "dist/rows/interchange.hpp"

namespace overlapack::dist {

/// One process has all rows: they are moved at once, and U is the block row in A itself.
template <class T>
class LocalInterchange final : public RowInterchange<T> {
 public:
  LocalInterchange(comm::Rank& rank, const DistributedMatrix<T>& A, const RowMoves& moves,
                   MatrixView<T> columns, MatrixView<T> also);
  MatrixView<T> finish() override { return U_; }

 private:
  MatrixView<T> U_;
};

}  // namespace overlapack::dist
