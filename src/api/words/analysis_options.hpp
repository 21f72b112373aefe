#pragma once
#include "overlapack/options.hpp"

#include <string>

/// The options that shape an analysis: those of the table that say so (OptionEntry::shapes_analysis), user_order and signs.
namespace overlapack::api {

/// Them alone as a JSON object; options_from_json reads it.
std::string analysis_options_json(const Options& options);

/// `given`, with those that shape an analysis as it was made.
/// Errors  BadPlan: one that is given, and another than that of the analysis
Options with_analysis_options(const Options& given, const Options& analysed);

}  // namespace overlapack::api
