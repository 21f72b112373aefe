#pragma once
#include <string>
#include <vector>

#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/assembly_tree.hpp"

namespace overlapack::sparse {

/// What analysis decides, all of it data; nothing later looks at thresholds of its own.
struct AnalysisPlan {
  FactorKind kind = FactorKind::lu;
  std::string ordering = "auto";     ///< auto, metis, amd, scotch, natural, user
  std::vector<Index> user_order;     ///< ordering "user": user_order[k] is the variable eliminated k-th
  std::string matching = "auto";     ///< auto, on, off: maximum-product matching and its scalings
  /// Amalgamation: a child joins its parent while the joint width is at most width[i] and the share of explicit
  /// zeros at most zeros[i]; wider only if the predicted time falls (design: 4/16/48, 0.8/0.1/0.05).
  std::vector<Index> amalgamation_width{4, 16, 48};
  std::vector<double> amalgamation_zeros{0.8, 0.1, 0.05};
};

/// Everything known before the first number is eliminated. The factorised matrix is
///   B(i, j) = row_scale[r] * A(r, c) * col_scale[c]   with r = row_perm[i], c = col_perm[j];
/// for ldlt and cholesky row_perm == col_perm and row_scale == col_scale.
struct Analysis {
  FactorKind kind = FactorKind::lu;
  bool hermitian = false;               ///< complex ldlt: B = L D L^H instead of L D L^T
  std::vector<Index> row_perm, col_perm;
  std::vector<double> row_scale, col_scale;
  AssemblyTree tree;

  std::string ordering;                 ///< what was used, e.g. "metis"
  std::string matching;                 ///< e.g. "maximum product", "off"
  Index factor_nnz = 0;                 ///< entries of all factors, predicted without delayed pivots
  double flops = 0;                     ///< of the elimination, real operations of one scalar type unit
  double predicted_s = 0;               ///< one rank, by the cost model of src/sparse/analysis/front_cost.hpp
};

/// Matching, scaling, ordering, tree: from a square A with sorted columns.
/// Errors  Singular if A is structurally singular (names the structural rank); BadInput if n or nnz exceed 2^31 - 1
template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan);

}  // namespace overlapack::sparse
