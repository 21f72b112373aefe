#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "api/iterative/iteration_report.hpp"
#include "api/iterative/residual_history.hpp"
#include "api/run/interruption.hpp"
#include "api/run/session.hpp"
#include "comm/call_mutex.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"
#include "iterative/multisplitting/schwarz_operator.hpp"
#include "overlapack/iterative.hpp"

#include <memory>
#include <vector>

namespace overlapack::iterative {

/// The implementation of Iteration. It owns the matrix as it was given, the session with its ranks, and each local rank's block.
template <class T>
struct Iteration<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options, std::span<const T> near_null_space);
  /// x0: the start vectors; empty: zeros
  Solution<T> solve(std::span<const T> b, std::span<const T> x0, Index nrhs);
  std::vector<T> apply(std::span<const T> b, Index nrhs, Transpose op);
  void refactorize(SparseMatrix<T> matrix);

  Options options;
  comm::CallMutex calls;  ///< serialises calls, since threads share what is below
  api::Interruption interruption;
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  /// One rank of this process.
  struct RankShare {
    std::unique_ptr<DistributedBlock<T>> block;     ///< null on ranks that serve the leader of their group
    std::unique_ptr<SchwarzOperator<T>> operation;  ///< in the place of `block`, if uses_operator()
    std::vector<std::unique_ptr<InnerSolver<T>>> serving;  ///< this rank's shares of the group's solvers
    BlockGroup* group = nullptr;                           ///< set during a run of a multisplitting
    SparseFigures factors;                                 ///< figures of the blocks that this rank leads
    Index coarse_unknowns = 0;                             ///< on rank 0
    Index raised = 0;                                      ///< this rank's blocks whose diagonal was raised

    bool is_leader() const { return block || operation; }
  };
  /// The result for right-hand sides that are iterated on together.
  struct Columns {
    api::IterationTotals totals;
    std::vector<T> x;  ///< on rank 0
  };
  bool is_multisplitting() const { return options.method == Method::multisplitting; }
  /// Whether the blocks are a preconditioner in step: a SchwarzOperator, which may have weights, a coarse level and an adjoint.
  bool uses_operator() const;
  /// The number of ranks that iterate: the leaders of groups.
  int groups() const { return session->ranks() / options.multisplitting.ranks_per_block; }
  int blocks() const { return is_multisplitting() ? blocks_of(schwarz_plan(), groups()) : groups(); }
  SchwarzPlan schwarz_plan() const {
    const MultisplittingOptions& asked = options.multisplitting;
    return {.overlap = asked.overlap, .damping = asked.damping, .blocks = asked.blocks};
  }
  SharedFactory<T> inner_factory(RankShare& share) const;
  void analyse();
  void choose_inner();
  void choose_blocks();
  void require_near_null_space() const;
  void require_ready() const;
  void require_definite() const;
  void bound_spectral_radius();
  std::vector<int> blocks_of_rows();
  void distribute();
  void distribute_blocks(comm::Rank& rank, RankShare& share, int number, const SparseMatrix<T>* A,
                         std::span<const int> owner);
  Index make_blocks(RankShare& share, const SparseMatrix<T>* A, std::span<const int> block);
  /// Run fn() on the leader of each group, while the other ranks of the group take part in its solves. Returns the number of solves in which
  /// this rank took part in this way.  Collective over the group
  Index run_on_leader(RankShare& here, comm::FunctionRef<void()> fn);
  /// How many of the `left` remaining right-hand sides are iterated on together; the same on all ranks.
  Index columns_at_once(const RankShare& here, Index left) const;
  /// Solve for `count` columns together. b, x0 (if given): those columns, on rank 0; empty on the other ranks.
  Columns solve_columns(comm::Rank& rank, RankShare& here, std::span<const T> b, std::span<const T> x0,
                        Index count, api::ResidualHistory& history);
  void iterate_on(comm::Rank& leaders, RankShare& here, std::span<const T> b, std::span<const T> x0,
                  Index count, api::ResidualHistory& history, Columns& found);
  std::vector<T> start_of_krylov(comm::Rank& leaders, RankShare& here, std::span<const T> b,
                                 std::span<const T> x0, std::span<const double> row_max);
  /// Solve for one column by the Krylov method that the iteration preconditions.
  void solve_by_krylov(comm::Rank& leaders, RankShare& here, std::span<const T> b, std::span<const T> x0,
                       api::ResidualHistory& history, Columns& column);
  template <class Krylov>
  void run_krylov(Krylov& krylov, const IterationPlan& plan,
                  const std::function<void(const T* r, T* z)>& precondition);
  using Right = typename SchwarzOperator<T>::Right;
  /// x <- M b, or M^H b.
  void apply_preconditioner(comm::Rank& leaders, RankShare& here, const T* b, T* x, bool is_adjoint,
                            Right right = Right::any);
  void run(comm::FunctionRef<void(comm::Rank&, RankShare&, int)> fn);

  IterationPlan plan_;
  SparseMatrix<T> A_;  ///< rank 0
  std::vector<T> near_null_space_;
  std::vector<int> block_;  ///< the block of each row, on rank 0
  std::vector<RankShare> shares_;
  bool is_ready_ = false;  ///< all shares are complete
};

}  // namespace overlapack::iterative
