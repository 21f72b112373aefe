#pragma once
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::kernels {

struct LuPanelResult {
  Index eliminated = 0;       ///< e: pivots accepted
  Index exchanges = 0;        ///< pivots that were not on the diagonal when they were chosen
  double smallest_pivot = 0;  ///< least and largest magnitude of the accepted pivots; 0 when e = 0
  double largest_pivot = 0;
};

/// Eliminates the fully summed rows of an unsymmetric front, columns exchanged, threshold pivoting along the row.
///
/// Storage: P holds the fully summed rows of the front as its columns, P = [D^T; U12^T]. Column k of P is row
/// k of A's front; rows 0..s-1 of P are its fully summed columns, rows s..f-1 the others (U12^T).
///
///   P(row_order, column_order) = [ Lp ] Up,   Lp unit lower (f x e), Up upper (e x e),
///
/// so that for A's front L11 = Up^T (its diagonal holds the pivots) and U11 = Lp(0:e)^T (unit upper).
///
/// On return, with e = eliminated:
///   P(0:e, 0:e)   strictly lower: Lp (= U11^T); diagonal and above: Up (= L11^T)
///   P(e:s, 0:e)   Lp: (U of A's delayed columns)^T. Factor entries of this front.
///   P(s:f, 0:e)   Lp: U12^T, final.
///   P(0:e, e:s)   Up: (L of A's delayed rows)^T. Factor entries of this front: delayed row j needs, in the
///                 forward solve,  y_j -= P(0:e, j)^T y_(0:e).
///   P(e:s, e:s)   the delayed square, P(s:f, e:s) the rest of the delayed rows: fully updated by the e pivots,
///                 both go to the parent.
/// The caller then completes L21 (m x s, its columns are A's fully summed columns in the entry's order):
///   permute_columns(L21, row_order);
///   L21(:,0:e) <- L21(:,0:e) U11^{-1} = solve_right_lower_trans(P(0:e,0:e), unit);
///   L21(:,e:s) -= L21(:,0:e) P(e:s,0:e)^T;   C -= L21(:,0:e) P(s:f,0:e)^T.
///
/// least: pivots below it fail, too, so that rounding errors of a singular matrix do not become pivots.
///
/// Pivot test: in column k the candidate is the largest of rows k..s-1, or the diagonal where it is at least
/// a tenth of that. It is accepted if it is at least the smallest normal number and >= u * largest of rows
/// k..f-1. Sizes are magnitude(): |l| <= 1/u, for complex numbers sqrt(2)/u. Columns that fail are moved
/// behind the others and tried again until a round finds no pivot.
///
/// Shapes  P: f x s, f >= s; row_order, column_order: s entries, labels that travel with P's first s rows (A's
///         columns) and with P's columns (A's rows). Pass 0..s-1 to get permutations: new position i holds old
///         row_order[i]. pivot_rows: work space that the caller may keep from one front to the next
/// Cost    lu_panel_cost(f, s)
/// Errors  none: e < s if columns failed
/// Source  recursion by halves: Toledo, SIAM J. Matrix Anal. 18 (1997); threshold test: Duff, Erisman, Reid, ch. 7
template <class T>
LuPanelResult lu_panel(MatrixView<T> P, Real<Scalar<T>> u, std::span<std::int32_t> row_order,
                       std::span<std::int32_t> column_order, Real<Scalar<T>> least = 0,
                       std::vector<std::int32_t>* pivot_rows = nullptr);

template <class T>
constexpr Cost lu_panel_cost(Index f, Index s) {
  const double df = f, ds = s;
  return cost_of<T>(ds * ds * (df - ds / 3) / 2, 2 * df * ds);
}

}  // namespace overlapack::kernels
