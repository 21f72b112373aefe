#pragma once
#include "kernels/pivoting/pivot_signs.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>
#include <span>

namespace overlapack::kernels {

struct LdltPanelResult {
  Index eliminated = 0;  ///< e: columns eliminated, two for each 2x2 pivot
  Index two_by_two = 0;  ///< number of 2x2 pivots
  Index negative = 0;    ///< negative eigenvalues of D (real and Hermitian; 0 for complex symmetric)
  Index exchanges = 0;   ///< symmetric exchanges made
  /// Least and largest size of a pivot: |d| of a 1x1, sqrt|det| of a 2x2 pivot; 0 when e = 0
  double smallest_pivot = 0;
  double largest_pivot = 0;
  MendedPivots mended;  ///< if the signs of the pivots are known
};

/// Eliminates the fully summed columns of a symmetric (or Hermitian) front with 1x1 and 2x2 threshold pivots:
///
///   P(order, order) = L D L^T   (L D L^H where `hermitian`),   P = [D; L21], lower part
///
/// On return, with e = eliminated:
///   P(:, 0:e)     below the diagonal: L (f x e, its unit diagonal is not stored: P(k,k) holds d[k]);
///                 L(k+1,k) = 0 inside a 2x2 pivot. Rows e..s-1 are L of the delayed columns, rows s..f-1 is L21.
///   P(e:f, e:s)   the delayed columns, lower part, updated by all e pivots
///   P(i, j), i < j < s   overwritten (workspace)
///   d(0:e), d_off(0:e)   D: d_off[k] != 0 marks the 2x2 pivot of columns k, k+1, d_off[k] = D(k+1,k),
///                        d_off[k+1] = 0
/// The caller then does  W = L21(:,0:e) D (scale_by_d);  C -= W L21^T (lower_update).
///
/// Tests, over the whole column (rows to f), sizes by magnitude():
///   1x1 at k:       |a_kk| >= u max_i |a_ik|
///   2x2 at (k, r):  |E^{-1}| (max_i |a_ik|, max_i |a_ir|)^T <= 1/u, i outside the pivot; r the largest of
///                   column k among the fully summed rows of the block in work; det(E) must not be lost in
///                   cancellation
/// least: a 1x1 pivot below it fails, too, and a 2x2 pivot whose |det| / largest entry is below it.
/// The tests give |l| <= 1/u for real numbers (a small factor more for complex ones). A zero column always fails.
/// Columns that fail are moved behind the others and tried again, next to their largest partners, until a
/// round finds no pivot. If the signs are known, nothing is tested or moved: each pivot is 1x1, stays in its place, and is mended
/// by its sign (PivotSigns).
///
/// Shapes  P: f x s, f >= s; order: s labels that travel with rows and columns; d, d_off: s entries
///         hermitian: imaginary parts on the diagonal are ignored and set to zero; has no effect on real types
/// Cost    ldlt_panel_cost(f, s)
/// Errors  none: e < s if columns failed
/// Source  Duff & Reid, ACM TOMS 9 (1983) and Duff, ACM TOMS 30 (2004, MA57) for the tests
template <class T>
LdltPanelResult ldlt_panel(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<std::int32_t> order,
                           std::span<Scalar<T>> d, std::span<Scalar<T>> d_off, Real<Scalar<T>> least = 0,
                           const PivotSigns<Scalar<T>>& signs = {});

/// Eliminates 1x1 pivots in order, without exchanges, up to the first one that fails the test of ldlt_panel: for fronts so small
/// that blocks and exchanges cost more than they save. Afterwards P(e:f, e:s) is updated by the e pivots, e = eliminated. It does
/// not set smallest_pivot and largest_pivot.
/// Shapes  as ldlt_panel
/// Cost    as ldlt_panel
template <class T>
LdltPanelResult ldlt_in_order(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<Scalar<T>> d,
                              Real<Scalar<T>> least, const PivotSigns<Scalar<T>>& signs = {});

/// W <- L D, column by column (pairs of columns for 2x2 pivots).  If hermitian, D(k,k+1) = conj(d_off[k]).
/// Shapes  L, W: m x e; d, d_off: at least e entries. W may be L itself.
template <class T>
void scale_by_d(ConstView<T> L, bool hermitian, std::span<const Scalar<T>> d,
                std::span<const Scalar<T>> d_off, MatrixView<T> W);

/// X <- X D^{-1}.  Shapes  X: m x e
template <class T>
void divide_by_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off,
                 MatrixView<T> X);

/// X <- D^{-1} X for the solve phase.  Shapes  X: e x nrhs
template <class T>
void solve_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off, MatrixView<T> X);

/// solve_d for right-hand sides stored as lines (lines_solve.hpp).  Shapes  X: nrhs x e
template <class T>
void solve_lines_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off,
                   MatrixView<T> X);

template <class T>
constexpr Cost ldlt_panel_cost(Index f, Index s) {
  const double df = f, ds = s;
  return cost_of<T>(ds * ds * (df - ds * 2 / 3) / 2, 2 * df * ds);
}

}  // namespace overlapack::kernels
