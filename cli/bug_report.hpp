#pragma once
#include "overlapack/options.hpp"

#include <string>

namespace overlapack::cli {

/// The text of a bug report, as one block to paste: version, engines, machine, options that differ from their defaults, and how the run
/// ended.
std::string bug_report(const std::string& matrix, const Options& options, const std::string& ended);

}  // namespace overlapack::cli
