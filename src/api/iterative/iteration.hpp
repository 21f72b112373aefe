#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "api/iterative/iteration_report.hpp"
#include "api/iterative/residual_history.hpp"
#include "api/run/interruption.hpp"
#include "api/run/session.hpp"
#include "comm/call_mutex.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/iterative.hpp"

#include <memory>
#include <vector>

namespace overlapack::iterative {

/// What an Iteration owns: the matrix as read, the team, and each local rank's rows.
template <class T>
struct Iteration<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs);

  Options options;
  comm::CallMutex calls;  ///< serialises calls, since threads share what is below
  api::Interruption interruption;
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  /// One rank of this process.
  struct RankShare {
    std::unique_ptr<DistributedBlock<T>> block;  ///< null on ranks that serve the leader of their group
    std::unique_ptr<InnerSolver<T>> serving;     ///< its share of the group's solver
    BlockGroup* group = nullptr;                 ///< during a run of a multisplitting
    SparseFigures factors;                       ///< of the block that it leads
  };
  /// The result for one right-hand side.
  struct Column {
    api::IterationTotals totals;
    std::vector<T> x;  ///< on rank 0
  };
  bool is_multisplitting() const { return options.method == Method::multisplitting; }
  /// Number of blocks.
  int blocks() const { return session->ranks() / options.multisplitting.ranks_per_block; }
  SharedFactory<T> inner_factory(RankShare& share) const;
  void analyse();
  void bound();
  void distribute();
  void distribute_blocks(comm::Rank& rank, RankShare& share, int number, const SparseMatrix<T>* A,
                         std::span<const int> owner);
  Column iterate_on(comm::Rank& rank, RankShare& here, const T* b, api::ResidualHistory& history);
  void run(comm::FunctionRef<void(comm::Rank&, RankShare&, int)> fn);

  IterationPlan plan_;
  SparseMatrix<T> A_;  ///< rank 0
  std::vector<RankShare> shares_;
};

}  // namespace overlapack::iterative
