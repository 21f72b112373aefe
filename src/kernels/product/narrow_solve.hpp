#pragma once
#include "kernels/product/operand.hpp"

/// Substitutions with one right-hand side and a panel of few columns, without the set-up of the general kernels; a sparse solve has
/// thousands of them. A panel has at most sizes::narrow_solve columns, or U so many rows. w is contiguous: first the unknowns of
/// the panel's pivots, then those of its other rows.
namespace overlapack::kernels {

/// w(0:e) <- L11^{-1} w(0:e),  w(e:) <- w(e:) - L21 w(0:e).  Shapes  L = [L11; L21]: m x e, w: m
template <class T>
void solve_vector_forward(const ConstView<T>& L, bool unit, T* w);

/// solve_vector_forward with U = L^T in place of L.  Shapes  U: e x m, e <= m; the diagonal is not unit
template <class T>
void solve_vector_forward_upper(const ConstView<T>& U, T* w);

/// w <- w - L c, for m rows.  Shapes  L: m x e, c: e
template <class T>
void subtract_from_vector(const ConstView<T>& L, const T* c, T* w);

/// w(0:e) <- L11^{-T} (w(0:e) - L21^T w(e:)), with conj L^H.  Shapes  L = [L11; L21]: m x e, w: m
template <class T>
void solve_vector_backward(const ConstView<T>& L, bool unit, bool conj, T* w);

}  // namespace overlapack::kernels
