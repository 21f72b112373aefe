#pragma once
#include "comm/rank.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <cstdint>
#include <span>

namespace overlapack::sparse::multifrontal {

/// Applies the pivots k..k+e-1 of a front of LU to rows of its L21, in slices if that takes more flops than
/// one:
///   L21(:, k:k+e) <- L21(:, k:k+e) U11^{-1},   L21(:, k+e:s) -= L21(:, k:k+e) U(k:k+e, k+e:s)
/// Shapes  exchanged: e, as PanelSteps::exchanged; Lp: rows k..s-1 and more of the panel's columns k..k+e-1
///         (kernels/pivoting/lu_panel.hpp); L21: any rows, s columns
/// Returns its flops
template <class T>
double apply_panel(comm::Rank& rank, const FactorPlan& plan, Index k, std::span<const std::int32_t> exchanged,
                   kernels::ConstView<T> Lp, MatrixView<T> L21);

}  // namespace overlapack::sparse::multifrontal
