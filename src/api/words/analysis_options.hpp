#pragma once
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"

#include <string>

/// Options that a kept analysis, or kept factors, were made with, and that later calls therefore cannot change. For an analysis these are
/// the options with OptionEntry::shapes_analysis, user_order and signs. For factors they are the options for small pivots.
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

/// The options that shape an analysis, as a JSON object that options_from_json reads.
std::string analysis_options_json(const Options& options);

/// `given`, with the options that shape an analysis taken from `analysed`.
/// Errors  BadPlan: `given` sets one of these options to another value
Options with_analysis_options(const Options& given, const Options& analysed);

/// The names of options that shape an analysis, and that factors of a file do not read, since they have their own.
/// report: of these factors; an option with the value that it tells is not named
std::string unread_by_factors(const Options& given, const Report& report);

/// `given`, with the options that shape factors taken from `factorized`.
Options with_factor_options(const Options& given, const Options& factorized);

}  // namespace overlapack::api
