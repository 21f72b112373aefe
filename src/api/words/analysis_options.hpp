#pragma once
#include "overlapack/options.hpp"

#include <string>

/// Options that what is kept was made with. Of an analysis: those of the table that say so (OptionEntry::shapes_analysis), user_order
/// and signs. Of factors: what becomes of small pivots.
namespace overlapack::api {

/// Them alone as a JSON object; options_from_json reads it.
std::string analysis_options_json(const Options& options);

/// `given`, with those that shape an analysis as it was made.
/// Errors  BadPlan: one that is given, and another than that of the analysis
Options with_analysis_options(const Options& given, const Options& analysed);

/// The same of factors.
Options with_factor_options(const Options& given, const Options& factorized);

}  // namespace overlapack::api
