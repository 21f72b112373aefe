#include "base/instantiate.hpp"
#include "dense/lu/schedule/steps.hpp"
#include "dist/moves/superstep/superstep_moves.hpp"

#include <algorithm>

namespace overlapack::dense {
namespace {

/// A(k+1:m, columns) -= L21 U. The constructor updates the next panel's columns at once; next() updates one slice of those behind it.
template <class T>
class TrailingUpdate final : public dist::WorkBetween {
 public:
  TrailingUpdate(Steps<T>& steps, const Panel<T>& L, const RowPanel<T>& U)
      : steps_(steps),
        L_(L),
        U_(U.U),
        C_(steps.A().part({L.end()}, {steps.A().m()}, U.columns.begin, U.columns.end)),
        done_(steps.A().first_col({steps.end_of(L.number + 1)}) - steps.A().first_col(U.columns.begin)),
        width_(std::max<Index>(1, (C_.cols - done_ + steps.plan().slices - 1) / steps.plan().slices)) {
    update(0, done_);
  }
  bool is_done() const override { return done_ == C_.cols; }
  void next() override {
    const Index begin = std::exchange(done_, std::min(done_ + width_, C_.cols));
    update(begin, done_ - begin);
  }
  void finish() {
    while (!is_done()) next();
  }

 private:
  void update(Index begin, Index count) {
    if (count > 0)
      steps_.subtract(L_.below, U_.block(0, begin, U_.rows, count), C_.block(0, begin, C_.rows, count));
  }

  Steps<T>& steps_;
  const Panel<T>& L_;
  MatrixView<const T> U_;
  MatrixView<T> C_;
  Index done_, width_;  ///< number of columns updated so far; columns of a slice
};

}  // namespace

/// Source  the order of HPL's pdgesvK2 with depth 1; split syncs: docs/bsp.md
template <class T>
void run_look_ahead_in_supersteps(Steps<T>& steps, dist::SuperstepMoves<T>& moves) {
  if (steps.panels() == 0) return;
  const auto make = [&](Index k) {
    steps.factor_panel(k);     // P_k A(k:m, k) = L_k U_kk
    steps.start_broadcast(k);  // along the process rows
    return steps.finish_broadcast(k);
  };
  Panel<T> L = make(0);
  for (Index k = 0; k < steps.panels(); ++k) {
    RowPanel<T> U = steps.start_interchange(L, steps.columns_behind(k));
    steps.finish_rows(L, U);  // U = L11^-1 P_k A(k, k+1:n), down the process columns
    if (k + 1 == steps.panels()) return steps.update(L, U);
    TrailingUpdate<T> trailing(steps, L, U);  // A(k+1:m, k+1) -= L21 U
    moves.set_work_between(&trailing);  // A(k+1:m, k+2:n) -= L21 U while the next panel's supersteps travel
    Panel<T> next = make(k + 1);
    moves.set_work_between(nullptr);
    trailing.finish();
    L = std::move(next);
    ++steps.result().panels_ahead;
  }
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void run_look_ahead_in_supersteps(Steps<T>&, dist::SuperstepMoves<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
