#include "api/words/report_table.hpp"

#include "overlapack/quiet_floats.hpp"

#include <sstream>
#include <string>

namespace overlapack {
namespace api {
namespace {

std::string_view text_of(OverRanks over) {
  constexpr std::string_view names[] = {"", "sum", "most", "least", "mean"};
  return names[static_cast<std::size_t>(over)];
}

std::string methods_text(const ReportEntry& entry) {
  std::string text;
  for (const Method method : entry.methods)
    text += (text.empty() ? "" : ", ") + std::string(to_string(method));
  return text.empty() ? "all" : text;
}

/// The place of the entry with this name in the JSON object. A name with a dot is an entry of an object inside.
nlohmann::ordered_json& position_of(nlohmann::ordered_json& object, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return object[std::string(name)];
  return object[std::string(name.substr(0, dot))][std::string(name.substr(dot + 1))];
}

}  // namespace

bool has(const Report& report, const ReportEntry& entry) {
  switch (entry.part) {
    case Part::always:
      return true;
    case Part::dense:
      return report.dense.has_value();
    case Part::iteration:
      return report.iteration.has_value();
    case Part::blocks:
      return report.iteration && !report.iteration->inner.empty();
  }
  return false;
}

}  // namespace api

std::string to_json(const Report& report, int indent) {
  const QuietFloats quiet;
  nlohmann::ordered_json object;
  for (const api::ReportEntry& entry : api::report_table())
    if (api::has(report, entry)) api::position_of(object, entry.name) = entry.field.json(report);
  return object.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string report_schema_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const api::ReportEntry& entry : api::report_table())
    list.push_back({{"name", entry.name},
                    {"type", entry.field.type},
                    {"may_be_null", entry.may_be_null},
                    {"ranks", api::text_of(entry.over)},
                    {"methods", api::methods_text(entry)},
                    {"help", entry.help}});
  return list.dump(2);
}

bool has_root_by_lu(const Report& r) {
  return r.grid_roots > 0 && r.factorization == to_string(FactorKind::ldlt);
}

std::string report_markdown() {
  std::ostringstream out;
  out << "# The report\n\nThe program writes this page: `overlapack info --report`. A test compares the page "
         "with "
         "the lists of include/overlapack (sparse_figures.hpp, dense_figures.hpp, iteration_figures.hpp) and "
         "src/api/words/report_rows.cpp.\n\n"
         "`--json` prints the report. Solves return it in C++ and, with `report=True`, in Python. Times are "
         "seconds of the "
         "caller. "
         "The column \"of ranks\" says how the figures of several ranks become one. An unknown value is "
         "null, in Python None. Under MPI rank 0 has the complete report.\n\n"
      << "| entry | type | what it tells | of ranks | methods |\n|---|---|---|---|---|\n";
  for (const api::ReportEntry& entry : api::report_table())
    out << "| `" << entry.name << "` | " << entry.field.type << (entry.may_be_null ? " or null" : "") << " | "
        << entry.help << " | " << api::text_of(entry.over) << " | " << api::methods_text(entry) << " |\n";
  return out.str();
}

std::vector<NamedCount> named_counts(const Report& report) {
  std::vector<NamedCount> counts;
  for (const api::ReportEntry& entry : api::report_table())
    if (!entry.label.empty() && api::has(report, entry))
      if (const Index count = entry.field.json(report).get<Index>(); count > 0)
        counts.push_back({entry.label, count});
  return counts;
}

}  // namespace overlapack
