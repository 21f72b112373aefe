#include "api/iterative/direct_inner.hpp"

#include "api/multifrontal_plan.hpp"
#include "api/node_sum.hpp"
#include "api/prepare.hpp"
#include "kernels/operand.hpp"
#include "overlapack/error.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

namespace overlapack::api {

namespace {

template <class T>
class DirectInner final : public iterative::InnerSolver<T> {
 public:
  DirectInner(OneRank*& here, const sparse::Analysis& analysis, const SparseMatrix<T>& block,
              const sparse::MultifrontalPlan& plan)
      : here_(here) {
    factors_.factorize(here_->alone(), &analysis, &block, plan);
  }
  void solve(comm::Rank&, const T* r, T* z) override { factors_.solve(here_->alone(), r, z, 1); }
  const sparse::FactorStats& stats() const { return factors_.stats(); }

 private:
  OneRank*& here_;
  sparse::Multifrontal<T> factors_;
};

/// The same error with the rank in whose block it was found.
template <class F>
auto with_rank(const comm::Rank& rank, F&& f) {
  try {
    return f();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::singular) throw;
    throw Error(e.kind(), "multisplitting",
                "the block of rank " + std::to_string(rank.rank()) + " cannot be factorised: " + e.what() +
                    "; try another number of ranks or overlap, or method multifrontal");
  }
}

}  // namespace

template <class T>
iterative::InnerFactory<T> direct_inner(const Options& options, OneRank*& here, BlockFactors& figures) {
  Options inner = options;
  inner.method = "multifrontal";
  return [inner, &here, &figures](comm::Rank& rank,
                                  SparseMatrix<T> block) -> std::unique_ptr<iterative::InnerSolver<T>> {
    Report report;
    sparse::Analysis analysis;
    if (block.rows > 0) analysis = with_rank(rank, [&] { return prepare(block, inner, report); });
    require_memory(inner, node_sum(rank, report.predicted_bytes),
                   "inner cg, more ranks or a smaller overlap");
    if (block.rows == 0) return nullptr;
    auto solver = with_rank(rank, [&] {
      return std::make_unique<DirectInner<T>>(here, analysis, block, multifrontal_plan(inner));
    });
    const sparse::FactorStats& stats = solver->stats();
    figures = {.factor_nnz = stats.factor_nnz,
               .fronts = stats.fronts,
               .flops = stats.flops,
               .peak_bytes = stats.peak_bytes};
    return solver;
  };
}

#define INSTANTIATE(T) \
  template iterative::InnerFactory<T> direct_inner(const Options&, OneRank*&, BlockFactors&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::api
