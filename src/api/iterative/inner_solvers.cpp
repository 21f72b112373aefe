#include "api/iterative/inner_solvers.hpp"

#include "api/plan/factor_plan.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/session.hpp"
#include "base/each_figure.hpp"
#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "iterative/multisplitting/conjugate_gradients.hpp"
#include "iterative/multisplitting/incomplete_lu.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

namespace overlapack::api {

namespace {

template <class T>
class DirectInner final : public iterative::InnerSolver<T> {
 public:
  DirectInner(comm::Rank& rank, const sparse::Analysis& analysis, const SparseMatrix<T>& block,
              const sparse::FactorPlan& plan) {
    factors_.factorize(rank, &analysis, &block, plan);
    if (factors_.stats().pivots.zero > 0)  // solutions of a block are not refined
      sparse::refuse_singular("a pivot of the block is zero", "null_pivots");
  }
  void solve(comm::Rank& rank, const T* r, T* z) override { factors_.solve(rank, r, z, 1); }
  void solve_adjoint(comm::Rank& rank, const T* r, T* z) override {
    factors_.solve(rank, kernels::Op::conj_trans, r, z, 1);
  }
  bool is_direct() const override { return true; }
  const SparseFigures& figures() const { return factors_.stats(); }

 private:
  sparse::multifrontal::Multifrontal<T> factors_;
};

Options inner_options(Options options) {
  options.method = Method::multifrontal;
  options.precision = Precision::working;
  options.disk = {};
  options.compression = {};
  return options;
}

/// Return f(). If it throws Singular, add the ranks of the block to the message.
template <class F>
auto with_ranks(const iterative::BlockGroup& group, F&& f) {
  try {
    return f();
  } catch (const Error& e) {
    if (e.status() != Status::singular) throw;
    throw Error(e.status(), "the block of " + group.ranks_text() + " cannot be factorised: " + e.what() +
                                "; try another number of ranks or overlap, or method multifrontal");
  }
}

}  // namespace

template <class T>
sparse::FactorPlan inner_plan(const Options& options) {
  return plan_of(inner_options(options), {}, ScalarTraits<T>::type);
}

/// The blocks that a factory has made so far. It is not in an unnamed namespace, since factories in other translation units hold it.
struct MadeBlocks {
  bool has_one = false;
  double bytes_here = 0;  ///< of all ranks of this computer, as predicted
};

template <class T>
iterative::SharedFactory<T> make_direct_inner_factory(const Options& options, const sparse::FactorPlan& plan,
                                                      SparseFigures& figures) {
  const Options inner = inner_options(options);
  return
      [inner, plan, &figures, so_far = std::make_shared<MadeBlocks>()](
          iterative::BlockGroup& group, SparseMatrix<T> block) -> std::unique_ptr<iterative::InnerSolver<T>> {
        comm::Rank& ranks = group.ranks();
        Prepared made;
        Report unread;
        if (block.rows > 0)
          made = with_ranks(group, [&] {
            comm::Tasks tasks(1);  // every block's ranks have one
            return prepare(block, inner, unread, nullptr, tasks);
          });
        const double share_bytes = broadcast_from_root(ranks, made.prediction.bytes) / ranks.size();
        so_far->bytes_here += sum_over_node(group.world(), share_bytes);
        require_memory(inner, so_far->bytes_here, "inner cg, more ranks or a smaller overlap",
                       {.what = "the factorisation of the blocks"});
        if (broadcast_from_root(ranks, block.rows) == 0) return nullptr;
        auto solver = with_ranks(
            group, [&] { return std::make_unique<DirectInner<T>>(ranks, made.analysis, block, plan); });
        if (!group.is_leader()) return solver;
        if (std::exchange(so_far->has_one, true))
          add<SparseFigures>(figures, solver->figures());
        else
          figures = solver->figures();
        return solver;
      };
}

template <class T>
iterative::SharedFactory<T> make_gradient_inner_factory(const Options& options) {
  const iterative::GradientPlan plan{.tolerance = options.multisplitting.inner_tolerance};
  return [plan](iterative::BlockGroup& group, SparseMatrix<T> block) {
    std::vector<int> owner;
    if (group.is_leader()) {
      comm::Tasks alone(1);
      owner =
          sparse::metis_partition(sparse::pattern_graph(block.start, block.row, alone), group.ranks().size());
    }
    return iterative::conjugate_gradients<T>(group.ranks(), group.is_leader() ? &block : nullptr, owner,
                                             plan);
  };
}

template <class T>
iterative::SharedFactory<T> make_incomplete_inner_factory(SparseFigures& figures, Index& raised) {
  return [&figures, &raised](iterative::BlockGroup& group,
                             SparseMatrix<T> block) -> std::unique_ptr<iterative::InnerSolver<T>> {
    if (block.rows == 0) return nullptr;
    auto solver = with_ranks(group, [&] { return std::make_unique<iterative::IncompleteLu<T>>(block); });
    figures.factor_nnz += solver->entries();
    figures.factor_bytes += solver->bytes();
    raised += solver->raised_share() > 0;
    return solver;
  };
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template sparse::FactorPlan inner_plan<T>(const Options&);                                                \
  template iterative::SharedFactory<T> make_direct_inner_factory(const Options&, const sparse::FactorPlan&, \
                                                                 SparseFigures&);                           \
  template iterative::SharedFactory<T> make_incomplete_inner_factory(SparseFigures&, Index&);               \
  template iterative::SharedFactory<T> make_gradient_inner_factory(const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
