#pragma once
#include "sparse/factors/sparse_factors.hpp"

#include <memory>

namespace overlapack::sparse::multifrontal {

template <class T>
struct FactorState;

/// What a simulation by shapes alone takes for granted.
inline constexpr const char* phantom_policy =
    "every pivot is taken where it stands, one by one: none is delayed, none perturbed; no solve";

/// One rank's share of a multifrontal factorisation: its fronts' factors. Pivots are delayed to parents where a front has none.
/// Source  paper 1, section 2; pivoting as in docs/multifrontal.md
template <class T>
class Multifrontal final : public SparseFactors<T> {
 public:
  Multifrontal();
  Multifrontal(Multifrontal&&) noexcept;
  Multifrontal& operator=(Multifrontal&&) noexcept;
  ~Multifrontal() override;

  /// Of a phantom rank, by its shapes alone: lists and messages as ever, pivots by phantom_policy.
  /// Errors  Singular when pivots are left at a root; BadPlan: a phantom rank that steals; else as SparseFactors
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const FactorPlan& plan) override;
  /// Memory for factors grows only where more pivots are delayed than ever before.
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const FactorPlan& plan) override;
  /// Shapes  b, x: n x nrhs by columns on rank 0, ignored elsewhere
  /// Cost    2 factor_nnz multiply-adds a right-hand side for LU and LDL^T alike; forward, fronts below which b is zero
  ///         in all columns of a block cost nothing
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) override;
  void solve(comm::Rank& rank, const T* b, T* x, Index nrhs) { solve(rank, kernels::Op::none, b, x, nrhs); }
  /// Cost    half a solve each
  void null_space(comm::Rank& rank, kernels::Op op, T* Z) override;
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const override;
  /// Cost    about twice that of the elimination of the fronts that are needed; memory: their inverses along a path to the root
  InverseEntries<T> inverse_entries(comm::Rank& rank, std::span<const Index> rows,
                                    std::span<const Index> cols, double solve_flops) override;
  std::optional<TriangularFactors<T>> triangular_factors() const override;
  std::optional<SymmetricFactors<T>> symmetric_factors() const override;
  comm::Body packed() const override;
  void unpack(const comm::Body& body, const FactorPlan& plan) override;
  const FactorStats& stats() const override;

 private:
  void compute(comm::Rank& rank, const EntryStore<T>& entries, const FactorPlan& plan);
  void report_reading(comm::Rank& rank) const;

  std::unique_ptr<FactorState<T>> state_;
};

}  // namespace overlapack::sparse::multifrontal
