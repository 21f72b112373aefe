#include "base/instantiate.hpp"
#include "dense/lu/schedule/steps.hpp"

#include <algorithm>
#include <optional>

namespace overlapack::dense {

/// Look-ahead of depth 1 with the trailing matrix in two halves, near and far. The rows of one half travel while the other half is
/// updated: those of the far half during the near update, those of the next panel's near half during the far update. No rank waits for
/// the next panel while it has an update left: between the pieces of the far update it looks whether the panel has arrived.
/// Source  rocHPL's split update, which waits for the panel before the far half
template <class T>
void run_split_update(Steps<T>& steps) {
  const Index panels = steps.panels(), b = steps.A().cols.block, n = steps.A().n();
  // The far half begins at a fixed column until the near half is no wider than the next panel.
  const Index boundary = static_cast<Index>((1 - steps.plan().split_share) * static_cast<double>(n)) / b * b;
  const auto far_begin = [&](Index k) { return std::max(boundary, std::min(steps.first_of(k + 2), n)); };
  const auto next = [&](Index k) { return k + 1 < panels ? steps.block(k + 1) : ColumnRange{{n}, {n}}; };
  const auto near = [&](Index k) {  // behind the next panel
    return ColumnRange{{k + 1 < panels ? steps.end_of(k + 1) : steps.end_of(k)}, {far_begin(k)}};
  };
  const auto far = [&](Index k) { return ColumnRange{{far_begin(k)}, {n}}; };
  const auto is_near_ready = [&](Index k) { return far_begin(k + 1) == far_begin(k); };

  if (panels == 0) return;
  steps.factor_panel(0);
  steps.start_broadcast(0);
  std::optional<RowPanel<T>> early;  // the next panel's near half, if its interchange has started
  Panel<T> L = steps.finish_broadcast(0);
  for (Index k = 0; k < panels; ++k) {
    RowPanel<T> U_next = steps.start_interchange(L, next(k));
    RowPanel<T> U_near = early ? std::move(*early) : steps.start_interchange(L, near(k));
    early.reset();
    RowPanel<T> U_far = steps.start_interchange(L, far(k));

    steps.finish_rows(L, U_next);
    steps.update(L, U_next);  // A(k+1:m, k+1) -= L21 U
    if (k + 1 < panels) {
      steps.factor_panel(k + 1);
      steps.start_broadcast(k + 1);
      ++steps.result().panels_ahead;
    }
    steps.finish_rows(L, U_near);
    steps.update(L, U_near);  // while the rows of the far half travel
    std::optional<Panel<T>> L_next;
    const auto take_next = [&] {
      L_next = steps.finish_broadcast(k + 1);
      if (is_near_ready(k)) early = steps.start_interchange(*L_next, near(k + 1));
    };
    steps.finish_rows(L, U_far);
    steps.update(L, U_far, steps.plan().slices, [&] {
      if (L_next || k + 1 == panels || !steps.has_arrived(k + 1)) return;
      take_next();  // the rest of the update runs while the rows of the next near half travel
      steps.result().split_updates += early.has_value();
    });
    if (k + 1 < panels && !L_next) take_next();
    if (L_next) L = std::move(*L_next);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void run_split_update(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
