#pragma once
#include "dense/lu/panel/panel_message.hpp"

namespace overlapack::dense {

/// A simulation by shapes has no entries to choose pivots by, so it imitates the panel of a random matrix. Text for reports:
inline constexpr const char* phantom_pivot_policy =
    "pivots are rows drawn at random (seed: the panel); their search is one exchange for several columns, "
    "with the time of the others; rows of wide updates roll by binary exchange; no solve";

/// Random pivot rows for the columns first .. first + width - 1, each drawn from the rows that are left; the same on every rank.
std::vector<Index> phantom_pivots(Index first, Index width, Index rows);

/// A panel as it is after its broadcast, but without storage.
template <class T>
Panel<T> phantom_panel(Index number, Index first, Index width, Index rows_below, std::vector<Index> pivots);

/// Charges the work and the pivot searches of factor_panel; one exchange serves capabilities().columns_per_exchange columns.
/// Sync    collective over the process column that owns the panel
template <class T>
void charge_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                  comm::Key key);

}  // namespace overlapack::dense
