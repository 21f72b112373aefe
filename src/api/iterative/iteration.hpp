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

/// What an Iteration owns: the matrix as read, the team, and each local rank's rows.
template <class T>
struct Iteration<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options, std::span<const T> near_null_space);
  /// x0: the start, empty for zeros
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
    std::unique_ptr<SchwarzOperator<T>> operation;  ///< instead, if uses_operator()
    std::vector<std::unique_ptr<InnerSolver<T>>> serving;  ///< its shares of the group's solvers
    BlockGroup* group = nullptr;                           ///< during a run of a multisplitting
    SparseFigures factors;                                 ///< of the blocks that it leads
    Index coarse_unknowns = 0;                             ///< rank 0
    Index raised = 0;                                      ///< its blocks whose diagonal was raised

    bool is_leader() const { return block || operation; }
  };
  /// The result for right-hand sides that are iterated on together.
  struct Columns {
    api::IterationTotals totals;
    std::vector<T> x;  ///< on rank 0
  };
  bool is_multisplitting() const { return options.method == Method::multisplitting; }
  /// Blocks precondition in step: with weights, a coarse level and an adjoint.
  bool uses_operator() const;
  /// Ranks that iterate: those that lead a group.
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
  /// Run fn() on the leader of each group, while the other ranks of the group take part in its solves. Returns the solves in which
  /// this rank took part so.  Collective over the group
  Index run_on_leader(RankShare& here, comm::FunctionRef<void()> fn);
  /// Of so many right-hand sides, those that go together; the same on all ranks.
  Index columns_at_once(const RankShare& here, Index left) const;
  /// Columns of b and, where there is one, of x0; empty elsewhere than on rank 0.
  Columns solve_columns(comm::Rank& rank, RankShare& here, std::span<const T> b, std::span<const T> x0,
                        Index count, api::ResidualHistory& history);
  void iterate_on(comm::Rank& leaders, RankShare& here, std::span<const T> b, std::span<const T> x0,
                  Index count, api::ResidualHistory& history, Columns& found);
  std::vector<T> start_of_krylov(comm::Rank& leaders, RankShare& here, std::span<const T> b,
                                 std::span<const T> x0, std::span<const double> row_max);
  /// One column.
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
  std::vector<int> block_;  ///< of each row, rank 0
  std::vector<RankShare> shares_;
  bool is_ready_ = false;  ///< all shares are complete
};

}  // namespace overlapack::iterative
