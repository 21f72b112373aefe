#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Z = B^{-1} where a front has rows and columns: Z(i, j) is that of the unknown at position i and the equation at position j.
/// With 1 for the pivots and o for all others, Z(o, o) of the inverse is that of the parent, and
///   Z(o, 1) = -Z(o, o) X,   Z(1, o) = -Y Z(o, o),   Z(1, 1) = U11^{-1} L11^{-1} - Y Z(o, 1),   X = L(o, 1) L11^{-1},  Y = U11^{-1} U(1, o)
/// A symmetric matrix has Y = X^T, a Hermitian one Y = X^H, and D^{-1} stands between U11^{-1} and L11^{-1}.
/// Source  Takahashi, Fagan, Chin, Proc. 8th PICA Conference (1973); Erisman, Tinney, CACM 18 (1975), for LU; Campbell, Davis,
///         Computing the sparse inverse subset, TR-95-021, University of Florida (1995), by fronts
template <class T>
class FrontInverter {
 public:
  explicit FrontInverter(const Structure& structure) : structure_(structure) {}

  /// Shapes  Z: order x order; Z(o, o) is given
  void compute_rest_of_inverse(const Front<T>& front, MatrixView<T> Z);

 private:
  MatrixView<T> x_trans(const Front<T>& front);
  MatrixView<T> y(const Front<T>& front);
  void set_pivots(const Front<T>& front, MatrixView<T> Z) const;
  void copy_to_upper(Index pivots, MatrixView<T> Z) const;

  const Structure& structure_;
  std::vector<T> x_, y_;
};

/// Real operations of FrontInverter for one front, where no pivot was delayed.
template <class T>
double inverse_flops(const Structure& structure, Index f);

}  // namespace overlapack::sparse::multifrontal
