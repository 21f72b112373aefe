#pragma once
#include "overlapack/report.hpp"

#include <string>

namespace overlapack::cli {

/// The text of --explain for a sparse matrix: what was chosen and why, what it cost, how good x is, and what to try. Each line is one sentence
/// in everyday words.
std::string explanation(const Report& report);

/// A line about zeros that are stored in the file; "" if there are none.
std::string explain_zeros(Index zeros, bool are_dropped);

}  // namespace overlapack::cli
