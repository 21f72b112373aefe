#include "base/instantiate.hpp"
#include "sparse/supernodal/factorize/steps.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Look-ahead of depth d: before step K updates the trailing matrix, each of the next d block columns that no
/// later step updates is factorised and sent, and the other ranks post the receive. Line numbers are those of
/// Figure 7. Rows ahead (make_rows) are not in the figure, which sends a block row in the row's own step, and
/// waits.
template <class T>
void look_ahead(Steps<T>& steps) {
  const Index nodes = steps.nodes();
  std::vector<char> is_column_made(static_cast<std::size_t>(nodes), 0), is_row_made = is_column_made;
  const auto for_window = [&](Index k, auto&& visit) {
    for (Index j = k + 1; j <= std::min(k + steps.depth(), nodes - 1); ++j) visit(j);
  };
  const auto make_columns = [&](Index k) {
    for_window(k, [&](Index j) {
      if (is_column_made[j] || !steps.is_column_ready(j, k)) return;
      if (k >= 0) steps.update_column(k, j);  // 22
      steps.factor_column(j);                 // 2, 23
      steps.start_column(j);                  // 3, 5, 24, 26
      is_column_made[j] = 1;
      steps.count(&NodeFigures::columns_ahead);
    });
  };
  const auto make_rows = [&](Index k) {
    for_window(k, [&](Index j) {
      if (is_row_made[j] || !is_column_made[j] || !steps.is_row_ready(j, k)) return;
      steps.finish_column(j);
      steps.factor_row(j);
      steps.start_row(j);
      is_row_made[j] = 1;
      steps.count(&NodeFigures::rows_ahead);
    });
  };

  make_columns(-1);
  for (Index k = 0; k < nodes; ++k) {
    if (!is_row_made[k]) {
      steps.finish_column(k);  // 9, 11
      steps.factor_row(k);     // 14
      steps.send_row(k);       // 15
      steps.receive_row(k);    // 17
    }
    steps.finish_row(k);
    make_columns(k);  // (3.1)
    steps.update(k);  // (3.2), 28 to 35
    if (steps.has_rows_ahead()) make_rows(k);
    steps.report_progress(k);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void look_ahead(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
