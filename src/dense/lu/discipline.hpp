#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dense {

// The folders of dist/moves.
using overlapack::Discipline;
using overlapack::PivotSearch;
using overlapack::Schedule;

/// Errors  BadPlan for a pair that is not built yet, or that makes no sense
void require_pair(Discipline discipline, Schedule schedule);
/// Errors  BadPlan for a search that the discipline has no verb for
void require_pair(Discipline discipline, PivotSearch search);

}  // namespace overlapack::dense
