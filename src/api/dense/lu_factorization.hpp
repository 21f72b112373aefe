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

/// What an LuFactorization owns: the matrix, and each local rank's share of its factors.
template <class T>
struct LuFactorization<T>::Implementation final : api::SessionSystem<T> {
  using Lent = typename api::SessionSystem<T>::Lent;

  /// Of a matrix that is lent until the end no other solves than A X = B are made.
  Implementation(View<T> A, const Options& options, Lent lent = Lent::until_distributed);
  Implementation(const Layout& layout, View<T> mine, const Options& options);
  /// Where factors in single precision do not lead to the accuracy asked for, A is factorised again.
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op) override;
  Determinant<T> determinant();
  double reciprocal_condition() override;

 private:
  struct Share {
    LuShare<T> full;
    LuShare<Single<T>> single;
  };

  void factorize();
  void factorize_fully();
  template <class F>
  dist::OwnedMatrix<F> to_factorize(comm::Rank& rank, int position);
  template <class F>
  FactorResult factorize_as(comm::Rank& rank, int position, LuShare<F>& factors);
  /// Errors  Singular: a row or column of zeros
  void look_for_weak_pivots(comm::Rank& rank, int position, const FactorResult& result);
  void replace_zero_pivots(int position);
  void choose_row_scale();
  void scale_rows(MatrixView<T> X) const;
  Factorized<T> factorized(int position) const;
  void substitute(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X) override;
  void substitute_in_single(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X);
  bool is_sure_in_single(comm::Rank& rank, int position);
  void keep(bool is_single);

  /// By row, where some are so small or large that reciprocals of pivots are no numbers: powers of two; else empty.
  std::vector<Real<T>> row_scale_;
  bool has_zero_pivot_ = false;  ///< which was replaced
  bool is_single_ = false;       ///< the factors at hand are those in single precision
  std::vector<Share> shares_;    ///< by position
};

}  // namespace overlapack::dense
