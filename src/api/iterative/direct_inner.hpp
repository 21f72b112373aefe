#pragma once
#include "iterative/multisplitting/inner_solver.hpp"
#include "overlapack/options.hpp"

namespace overlapack::api {

/// What the factorisation of one block was.
struct BlockFactors {
  Index factor_nnz = 0;
  Index fronts = 0;
  double flops = 0;
  double peak_bytes = 0;
};

/// The rank itself as a team of one, on which a block is factorised and solved; its polls move the whole team's bytes as
/// well, where bytes need that. Lives as long as a run of the session.
class OneRank {
 public:
  /// Sync    collective over the ranks of `rank`
  explicit OneRank(comm::Rank& rank) : alone_(rank.split(rank.rank(), 0)) {
    if (!rank.capabilities().shared_memory) progress_ = alone_->on_progress([&rank] { rank.poll(); });
  }
  comm::Rank& alone() { return *alone_; }

 private:
  std::unique_ptr<comm::Rank> alone_;
  std::shared_ptr<void> progress_;
};

/// Factorises a rank's block by the multifrontal method, as `options` say (factorization, ordering, matching,
/// pivot_threshold), and solves with the factors.
/// Shapes  here: the rank's OneRank, set in every run that factorises or solves; figures: filled when it is factorised
/// Sync    the factory is collective: the memory of all blocks of a node is compared with what there is
/// Errors  Singular, with the rank whose block it is; OutOfMemory
template <class T>
iterative::InnerFactory<T> direct_inner(const Options& options, OneRank*& here, BlockFactors& figures);

}  // namespace overlapack::api
