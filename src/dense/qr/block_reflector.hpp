#pragma once
#include "dist/moves/moves.hpp"
#include "kernels/product/gemm.hpp"

#include <vector>

namespace overlapack::dense {

/// H = I - V S V^H, the product of a panel's Householder reflections, as each process receives it along its process row.
/// Source  compact WY form: Schreiber, Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989); S is LAPACK's T
template <class T>
struct BlockReflector {
  Index number = -1;
  Index first = 0;              ///< global number of V's first row
  MatrixView<const T> S;        ///< width x width, upper triangular, zeros below
  MatrixView<const T> V;        ///< my rows from `first` on x width: ones on the diagonal, zeros above
  comm::Body body;              ///< memory of the views
  MatrixView<const T> VH = {};  ///< V^H if many columns are to be reflected (form_adjoint); else empty
  comm::Body adjoined = {};     ///< memory of VH
};

/// Form VH if so many columns are to be reflected that it pays: V^H C is then a product in which kernels::gemm does not copy C.
/// Cost    V is read once and written once
template <class T>
void form_adjoint(comm::Rank& rank, BlockReflector<T>& H, Index columns);

/// The memory of a block reflector, which becomes its message body.
template <class T>
class ReflectorMemory {
 public:
  ReflectorMemory(Index width, Index rows);

  static std::size_t bytes(Index width, Index rows);
  MatrixView<T> S() { return {values_.data(), width_, width_, width_}; }
  MatrixView<T> V() { return {values_.data() + width_ * width_, rows_, width_, padded_ld(rows_)}; }
  comm::Body body() && { return comm::Body::adopt(std::move(values_)); }

 private:
  Index width_, rows_;
  std::vector<T> values_;
};

/// The reflector in a received body; a view of its memory.
template <class T>
BlockReflector<T> view_reflector(Index number, Index first, Index width, Index rows, comm::Body body);

/// The columns to reflect: their process column, and how to cut them.
struct ReflectionPosition {
  comm::collective::Group column;
  Index rows_in_all = 0;  ///< rows from the reflector's first on, over all processes of the process column
  /// Local number of the first column; the same on all processes of the process column
  Index first_column = 0;
  Index tile = 0;   ///< columns are cut so that about tile^2 entries are treated between polls; 0: not cut
  Index tiles = 1;  ///< tiles of a strip; the sum of a strip is one message
};

/// C <- op(H) C by two products: W = V^H C, summed over the process column, and C -= V op(S) W. While the sum of one strip of columns is
/// under way, the product of the next strip is formed.
/// Shapes  C: my rows from H.first on
/// Sync    collective over the process column; all processes pass the same number of columns
/// Cost    4 rows width columns flops; each strip of c columns costs 2 log2 P messages of width x c scalars
template <class T>
void reflect(dist::Moves<T>& moves, const ReflectionPosition& position, const BlockReflector<T>& H,
             kernels::Op op, MatrixView<T> C);

}  // namespace overlapack::dense
