#pragma once
#include "api/words/report_table.hpp"

#include <cmath>
#include <type_traits>

/// Makes the fields of the report's table (report_table.hpp) from members of Report.
namespace overlapack::api {

/// A number in JSON, which has neither NaN nor infinity: they become null.
inline nlohmann::ordered_json number_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

/// A count of bytes or flops in JSON. It is whole except for rounding of sums over ranks, and is printed as a whole number as long as a
/// double holds such numbers exactly.
inline nlohmann::ordered_json whole_json(double value) {
  return std::abs(value) < 0x1p53 ? nlohmann::ordered_json(static_cast<Index>(std::round(value)))
                                  : number_json(value);
}

template <class V>
constexpr std::string_view type_of() {
  if constexpr (std::is_same_v<V, bool>)
    return "bool";
  else if constexpr (std::is_same_v<V, int> || std::is_same_v<V, Index>)
    return "int";
  else if constexpr (std::is_same_v<V, double>)
    return "float";
  else if constexpr (std::is_same_v<V, std::string>)
    return "str";
  else
    return "list";
}

/// A field for the member of type V that reach(report) returns.
template <class V, class Reach>
ReportField report_field(Reach reach) {
  return {.type = type_of<V>(), .json = [reach](const Report& r) -> nlohmann::ordered_json {
            if constexpr (std::is_same_v<V, double>)
              return number_json(reach(r));
            else
              return reach(r);
          }};
}

/// A field of bytes or operations, which are held as double and printed as whole numbers.
template <class Reach>
ReportField whole_field(Reach reach) {
  return {.type = "int",
          .json = [reach](const Report& r) { return whole_json(static_cast<double>(reach(r))); }};
}

template <class V>
ReportField field(V Report::*member) {
  return report_field<V>([member](const Report& r) -> const auto& { return r.*member; });
}

inline ReportField whole(double Report::*member) {
  return whole_field([member](const Report& r) { return r.*member; });
}

/// A field for a member that is negative while it is not known; it is null then.
inline ReportField known(Index Report::*member) {
  ReportField found = field(member);
  found.json = [member](const Report& r) {
    return r.*member < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(r.*member);
  };
  return found;
}

/// Makes fields from the members of one optional struct of Report (dense, iteration).
template <class Group>
auto report_fields_of(std::optional<Group> Report::*group) {
  return [group]<class V>(V Group::*member) {
    return report_field<V>([ group, member ](const Report& r) -> const auto& { return *(r.*group).*member; });
  };
}

/// The rows of the table for the figures of list S (figure.hpp); reach(report) returns the struct S in a Report.
template <class S, class Reach>
std::vector<ReportEntry> figure_rows(Reach reach) {
  std::vector<ReportEntry> rows;
  for (const Figure<S>& figure : figures_of<S>)
    std::visit(
        [&]<class V>(V S::*member) {
          const auto found = [reach, member](const Report& r) { return reach(r).*member; };
          rows.push_back({.name = figure.entry,
                          .field = figure.is_whole ? whole_field(found) : report_field<V>(found),
                          .help = figure.help,
                          .over = figure.over,
                          .label = figure.label});
        },
        figure.member);
  return rows;
}

}  // namespace overlapack::api
