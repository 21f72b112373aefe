#pragma once
#include "overlapack/choices.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace overlapack::dense {

// The folders of dist/moves.
using overlapack::Discipline;
using overlapack::PivotSearch;
using overlapack::Schedule;

/// Errors  BadPlan for a pair that is not built yet, or that makes no sense
void require_pair(Discipline discipline, Schedule schedule);
/// Errors  BadPlan for a search that the discipline has no verb for
void require_pair(Discipline discipline, PivotSearch search);

/// The disciplines of which nothing is built: options refuse their names.
std::vector<std::string_view> planned_disciplines();

}  // namespace overlapack::dense
