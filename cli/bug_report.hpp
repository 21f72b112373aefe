#pragma once
#include "overlapack/options.hpp"

#include <string>

namespace overlapack::cli {

/// What somebody who looks for a defect asks first, as one block to paste: version, engines, machine, what was asked for where it
/// is not the default, and how it ended.
std::string bug_report(const std::string& matrix, const Options& options, const std::string& ended);

}  // namespace overlapack::cli
