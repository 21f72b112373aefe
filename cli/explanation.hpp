#pragma once
#include "overlapack/report.hpp"

#include <string>

namespace overlapack::cli {

/// What was chosen for a sparse matrix and why, what it cost, how good x is and what to try: a sentence a line, for people who
/// do not know the solver's words.
std::string explanation(const Report& report);

}  // namespace overlapack::cli
