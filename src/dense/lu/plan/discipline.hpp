#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dense {

// Discipline: one folder of dist/moves each.
using overlapack::Discipline;
using overlapack::PivotSearch;
using overlapack::Schedule;
using overlapack::SwapKind;

/// Errors  BadPlan for a pair that makes no sense
void require_pair(Discipline discipline, Schedule schedule);
/// Errors  BadPlan for a search that the schedule does not support
void require_search(PivotSearch search, Schedule schedule);
/// Errors  BadPlan for interchanges that the discipline or the schedule does not support
void require_swap(SwapKind swap, Discipline discipline, Schedule schedule);

}  // namespace overlapack::dense
