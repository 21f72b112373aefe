#pragma once
#include "api/dense/session_system.hpp"
#include "base/single.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/condition.hpp"

#include <vector>

namespace overlapack::dense {

/// One rank's share of the factors.
template <class F>
struct LuShare {
  dist::OwnedMatrix<F> LU;
  std::vector<Index> pivots;
};

/// The implementation of LuFactorization. It owns the matrix, and each local rank's share of its factors.
template <class T>
struct LuFactorization<T>::Implementation final : api::SessionSystem<T> {
  using Lent = typename api::SessionSystem<T>::Lent;

  /// With Lent::until_the_end only A X = B may be solved, without op.
  Implementation(View<T> A, const Options& options, Lent lent = Lent::until_distributed);
  Implementation(const Layout& layout, View<T> mine, const Options& options);
  /// Solve. If factors in single precision miss the accuracy, factorise A again in its own precision.
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op) override;
  Determinant<T> determinant() override;
  double reciprocal_condition() override;

 private:
  struct Share {
    LuShare<T> full;
    LuShare<Single<T>> single;
  };

  void factorize();
  void factorize_fully();
  /// This rank's part of A in type F, to be overwritten by factors: the distributed A itself if A is lent until the end, else a copy.
  template <class F>
  dist::OwnedMatrix<F> matrix_to_overwrite(comm::Rank& rank, int position);
  template <class F>
  FactorResult factorize_in_precision(comm::Rank& rank, int position, LuShare<F>& factors);
  /// Replace zero pivots, and note a pivot that is rounding, if there is one, for error messages.  Collective
  /// Errors  Singular: a row or column is zero
  void find_weak_pivots(comm::Rank& rank, int position, const FactorResult& result);
  void replace_zero_pivots(int position);
  void choose_row_scale();
  void scale_rows(MatrixView<T> X) const;
  void substitute(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X) override;
  void substitute_in_single(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X);
  /// Whether the factors in single precision prove that A is regular.  Collective
  bool is_regular_by_single_factors(comm::Rank& rank, int position);
  void set_precision(bool is_single);

  /// Scales of the rows, powers of two, if rows are so small or large that reciprocals of pivots overflow or underflow; else empty.
  std::vector<Real<T>> row_scale_;
  bool has_zero_pivot_ = false;  ///< a pivot was zero and was replaced
  bool is_single_ = false;       ///< the current factors are in single precision
  std::vector<Share> shares_;    ///< by position
};

}  // namespace overlapack::dense
