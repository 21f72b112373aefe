#pragma once
#include "sparse/factors/sparse_factors.hpp"

#include <memory>

namespace overlapack::sparse::multifrontal {

template <class T>
struct FactorState;

/// How a phantom rank, which simulates by shapes alone, decides what depends on numbers; reports print this
/// policy.
inline constexpr const char* phantom_policy =
    "every pivot is taken where it stands, one by one: none is delayed, none perturbed; no solve";

/// One rank's part of a multifrontal factorisation. The ranks eliminate the fronts of the assembly tree from
/// the leaves up (factorize/, FactorWalk). Each keeps the factors of its own fronts and strips for the solves
/// (solve/). A variable without an acceptable pivot in its front is delayed to the parent.
/// methods/make_factors.cpp makes the object.
/// Source  paper 1, section 2; pivoting as in docs/multifrontal.md
template <class T>
class Multifrontal final : public SparseFactors<T> {
 public:
  Multifrontal();
  Multifrontal(Multifrontal&&) noexcept;
  Multifrontal& operator=(Multifrontal&&) noexcept;
  ~Multifrontal() override;

  /// A phantom rank has shapes alone: its lists and messages are those of a real run, its pivots follow
  /// phantom_policy.
  /// Errors  Singular when pivots are left at a root; BadPlan for a phantom rank that steals or compresses,
  ///         and for a simulated rank with factors on disk; else as SparseFactors
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const FactorPlan& plan) override;
  /// The memory for factors grows only if more pivots are delayed than in any factorisation before.
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const FactorPlan& plan) override;
  /// Shapes  b, x: n x nrhs by columns on rank 0, ignored elsewhere
  /// Cost    2 factor_nnz multiply-adds a right-hand side for LU and LDL^T alike; the forward solve skips a
  ///         front if b is zero in its whole subtree, in all columns of a block
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
