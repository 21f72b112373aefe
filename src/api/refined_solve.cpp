#include "api/refined_solve.hpp"

#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "base/instantiate.hpp"

#include <cmath>
#include <limits>

namespace overlapack::api {
namespace {

/// The loop of a refined solve; other ranks than 0 only take part in the substitutions and residuals.
template <class T>
void refine(comm::Rank& rank, int place, const FactorizedSystem<T>& system, Interruption& interruption,
            Refinement<T>* refinement) {
  for (;;) {
    const Index columns = from_root(rank, refinement ? refinement->active() : Index{0});
    if (columns == 0) return;
    if (refinement) interruption.check("solve", 0);
    system.substitute(rank, place, refinement ? refinement->residual() : nullptr,
                      refinement ? refinement->corrections() : nullptr, columns);
    if (refinement)
      refinement->advance();
    else if (system.take_part)
      system.take_part(rank, place, columns);
  }
}

}  // namespace

template <class T>
void require_right_hand_sides(std::span<const T> b, Index n, Index nrhs) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::bad_input, "solve", message); };
  if (nrhs < 0) refuse("the number of right-hand sides is negative; give how many columns b has");
  if (static_cast<Index>(b.size()) != n * nrhs)
    refuse("the right-hand side has " + std::to_string(b.size()) + " entries, but the matrix has " +
           std::to_string(n) + " rows and there are " + std::to_string(nrhs) + " right-hand sides; give " +
           std::to_string(n * nrhs));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(std::abs(b[i])))
      refuse("entry " + std::to_string(i) +
             " of the right-hand side is not a finite number; remove NaN and infinity");
}

template <class T>
void share(comm::Rank& rank, std::vector<T>& x) {
  const bool is_root = rank.rank() == 0;
  const comm::Body body = comm::collective::broadcast(
      rank, 0, is_root ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body());
  const std::span<const T> values = body.as<T>();
  if (!is_root) x.assign(values.begin(), values.end());
}

template <class T>
std::vector<T> refined_solve(Session& session, Interruption& interruption, const Options& options,
                             const FactorizedSystem<T>& system, std::span<const T> b, Index nrhs,
                             Report& report) {
  const Stopwatch watch;
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const RefinementLimits limits{
      .steps = options.refinement.steps,
      .target = options.refinement.target > 0 ? options.refinement.target : 2 * eps};
  std::vector<T> x;
  session.run([&](comm::Rank& rank, int place) {
    if (rank.rank() != 0) {
      refine<T>(rank, place, system, interruption, nullptr);
    } else {
      require_right_hand_sides(b, system.n, nrhs);
      x.resize(b.size());
      Refinement<T> refinement(system.n, system.residuals(rank, place), b, std::span<T>(x), nrhs, limits);
      refine<T>(rank, place, system, interruption, &refinement);
      take(report, refinement.results());
    }
    const double error = from_root(rank, report.backward_error);
    if (place == 0) report.backward_error = error;
    if (system.is_for_all && session.local_ranks() < session.ranks()) share(rank, x);
    if (options.run.trace) session.gather_record(rank, place);
  });
  judge(report, eps, options, system.more_accuracy);
  report.solve_s = watch.s();
  return x;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void require_right_hand_sides(std::span<const T>, Index, Index);                                  \
  template void share(comm::Rank&, std::vector<T>&);                                                         \
  template std::vector<T> refined_solve(Session&, Interruption&, const Options&, const FactorizedSystem<T>&, \
                                        std::span<const T>, Index, Report&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
