#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dense {

// Each Discipline has a folder in dist/moves.
using overlapack::Discipline;
using overlapack::PivotSearch;
using overlapack::Schedule;
using overlapack::SwapKind;

/// Errors  BadPlan for a discipline that cannot run the schedule
void require_discipline_for_schedule(Discipline discipline, Schedule schedule);
/// Errors  BadPlan for a search that the schedule does not support
void require_search_for_schedule(PivotSearch search, Schedule schedule);
/// Errors  BadPlan for interchanges that the discipline or the schedule does not support
void require_swap_for_discipline(SwapKind swap, Discipline discipline, Schedule schedule);

}  // namespace overlapack::dense
