#pragma once
#include "sparse/factors/memory_account.hpp"
#include "sparse/factors/sparse_factors.hpp"

#include <memory>

namespace overlapack::sparse::supernodal {

template <class T>
struct NodeState;
template <class T>
class Steps;
template <class T>
class BorderSums;

/// How a phantom rank, which simulates by shapes alone, decides what depends on numbers; reports print this
/// policy.
inline constexpr const char* phantom_node_policy = "every pivot is taken where it stands; no solve";

/// One rank's part of a supernodal LU with static pivoting, as in SuperLU_DIST. A node has its own lists of
/// rows and columns. If the plan says so, each leaf subtree is on one rank, which eliminates it left-looking;
/// the nodes above are on a grid of ranks, which eliminate them right-looking. Pivots are exchanged inside of
/// a node's square only, so that lists, memory and messages are known beforehand. A pivot that is too small
/// is replaced. methods/make_factors.cpp makes the object.
/// Source  paper 1, section 5; docs/supernodal.md
template <class T>
class Supernodal final : public SparseFactors<T> {
 public:
  Supernodal();
  ~Supernodal() override;

  /// Errors  BadPlan: a grid of more ranks than there are, or an option that is for fronts; else as SparseFactors, but never
  ///         Singular: stats().pivots.perturbed counts replaced pivots
  void factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                 const FactorPlan& plan) override;
  /// Reuses memory and lists.
  void refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                   const FactorPlan& plan) override;
  /// Shapes  b, x: n x nrhs by columns on rank 0, ignored elsewhere
  /// Cost    one multiply-add for each entry of the factors and each right-hand side
  void solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) override;
  /// Errors  BadPlan, always: static pivoting finds no null pivots
  void null_space(comm::Rank& rank, kernels::Op op, T* Z) override;
  dense::ScaledNumber<T> determinant(comm::Rank& rank) const override;
  comm::Body packed() const override;
  void unpack(const comm::Body& body, const FactorPlan& plan) override;
  const FactorStats& stats() const override;

 private:
  void compute(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A, const FactorPlan& plan,
               double begin_s, bool keeps_positions);
  void distribute_entries(comm::Rank& rank);
  void run(comm::Rank& rank, const FactorPlan& plan);
  double eliminate_subtrees(comm::Rank& rank, const FactorPlan& plan, Steps<T>& steps, BorderSums<T>& border,
                            AccountPart& account);

  std::unique_ptr<NodeState<T>> state_;
};

}  // namespace overlapack::sparse::supernodal
