#pragma once
#include "overlapack/report.hpp"

#include <string>

namespace overlapack::cli {

/// What was chosen for a sparse matrix and why, what it cost, how good x is and what to try: a sentence a line, in everyday words.
std::string explanation(const Report& report);

/// A line on entries of the file that are zero; "" where there are none.
std::string explain_zeros(Index zeros, bool are_dropped);

}  // namespace overlapack::cli
