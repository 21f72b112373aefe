#pragma once
#include "overlapack/choices.hpp"
#include "overlapack/report.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string_view>
#include <vector>

/// The one table of the report's entries. The report's JSON, docs/report.md and Python's type are made from it. The rows of counters come
/// from the lists of overlapack/sparse_figures.hpp, dense_figures.hpp and iteration_figures.hpp.
namespace overlapack::api {

/// Access to an entry in Report (report_field.hpp).
struct ReportField {
  std::string_view type;  ///< "bool", "int", "float", "str", "list", "dict"
  std::function<nlohmann::ordered_json(const Report&)> json;
};

/// The reports that have an entry: all, or those with figures of dense matrices, of iterations, or of multisplitting (blocks).
enum class Part : std::uint8_t { always, dense, iteration, blocks };

struct ReportEntry {
  std::string_view name;  ///< "pivots.delayed": delayed in the object pivots
  ReportField field;
  std::string_view help;  ///< with its unit
  OverRanks over = OverRanks::same;
  std::vector<Method> methods = {};  ///< that fill it; empty: all
  bool may_be_null = false;          ///< where it is not known
  std::string_view label = {};       ///< label in the command line's text of a count above 0
  Part part = Part::always;
};

const std::vector<ReportEntry>& report_table();

/// Whether this report has the entry.
bool has(const Report& report, const ReportEntry& entry);

}  // namespace overlapack::api
