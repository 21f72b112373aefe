#pragma once
#include "api/dense/dense_plan.hpp"
#include "api/interruption.hpp"
#include "api/refinement.hpp"
#include "api/session.hpp"
#include "dense/check/entry_sizes.hpp"
#include "dense/lu/condition.hpp"
#include "dense/lu/lu.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "overlapack/dense.hpp"

#include <optional>

namespace overlapack::dense {

/// Single precision of the same kind; float is its own.
template <class T>
using Single = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<float>, float>;

/// One rank's share of the factors.
template <class F>
struct LuShare {
  dist::OwnedMatrix<F> LU;
  std::vector<Index> pivots;
};

/// What an LuFactorization owns: the team, and each local rank's share of the matrix and its factors.
template <class T>
struct LuFactorization<T>::Implementation {
  Implementation(View<T> A, const Options& options);
  Implementation(const Layout& layout, View<T> mine, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op);
  Solution<T> solve_distributed(const Layout& layout, View<T> mine, Transpose op);
  Determinant<T> determinant();
  double reciprocal_condition();

  Options options;
  api::Interruption interruption;
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  struct Share {
    dist::OwnedMatrix<T> A;
    LuShare<T> full;
    LuShare<Single<T>> single;
  };

  void prepare(View<T> A);
  void prepare(const Layout& layout, View<T> mine);
  void require_memory(comm::Rank& rank, int place);
  void take_sizes(comm::Rank& rank, int place);
  void describe(double seconds);
  void factorize();
  void factorize_fully();
  template <class F>
  LuResult factorize_as(comm::Rank& rank, int place, LuShare<F>& factors);
  void require_regular(comm::Rank& rank, int place, const LuResult& result);
  void finish_report(const LuResult& counters);
  Factorized<T> factorized(int place) const;
  std::vector<T> solve_refined(std::span<const T> b, Index nrhs, kernels::Op op);
  void substitute(comm::Rank& rank, int place, kernels::Op op, const T* r, T* d, Index columns);
  std::vector<api::BackwardError> residuals(comm::Rank& rank, int place, kernels::Op op,
                                            std::span<const api::ResidualColumn<T>> columns);
  void take_part(comm::Rank& rank, int place, kernels::Op op, Index columns);

  Index n_ = 0;
  api::DensePlan plan_;
  bool is_single_ = false;  ///< the factors at hand are those in single precision
  EntrySizes sizes_;
  std::vector<Share> shares_;  ///< by place
};

}  // namespace overlapack::dense
