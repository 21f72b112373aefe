#pragma once
#include "overlapack/options.hpp"

#include <string>

/// Options that what is kept was made with. Of an analysis: those of the table that say so (OptionEntry::shapes_analysis), user_order
/// and signs. Of factors: what becomes of small pivots (for_each_factor_option).
namespace overlapack::api {

/// visit(name, field of the options) for each option that a file of factors keeps; the fields need no memory of their own.
template <class AnyOptions, class Visit>
void for_each_factor_option(AnyOptions& options, Visit&& visit) {
  visit("pivot_threshold", options.sparse.pivot_threshold);
  visit("perturbation", options.sparse.perturbation);
  visit("regularization", options.sparse.regularization);
  visit("null_pivots", options.sparse.null_pivots);
  visit("singular", options.singular);
}

/// Them alone as a JSON object; options_from_json reads it.
std::string analysis_options_json(const Options& options);

/// `given`, with those that shape an analysis as it was made.
/// Errors  BadPlan: one that is given, and another than that of the analysis
Options with_analysis_options(const Options& given, const Options& analysed);

/// The same of factors.
Options with_factor_options(const Options& given, const Options& factorized);

}  // namespace overlapack::api
