#pragma once
#include "api/report_table.hpp"

#include <cmath>
#include <type_traits>

/// From members of Report to the fields of its table.
namespace overlapack::api {

/// JSON knows neither NaN nor infinity: null.
inline nlohmann::ordered_json number_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

/// Counts of bytes and flops are whole; printed so while a double holds them exactly.
inline nlohmann::ordered_json whole_json(double value) {
  return std::abs(value) < 0x1p53 ? nlohmann::ordered_json(static_cast<Index>(value)) : number_json(value);
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

/// The field that `reach` finds in a Report, const or not.
template <class V, class Reach>
ReportField report_field(Reach reach) {
  ReportField field{.type = type_of<V>(), .json = [reach](const Report& r) -> nlohmann::ordered_json {
                      if constexpr (std::is_same_v<V, double>)
                        return number_json(reach(r));
                      else
                        return reach(r);
                    }};
  if constexpr (std::is_same_v<V, int> || std::is_same_v<V, Index> || std::is_same_v<V, double>)
    field.number = [reach](Report& r) -> ReportNumber { return &reach(r); };
  return field;
}

template <class V>
ReportField field(V Report::*member) {
  return report_field<V>([member](auto& r) -> auto& { return r.*member; });
}

/// Bytes and flops: held as double, told as whole numbers.
inline ReportField whole(double Report::*member) {
  ReportField found = field(member);
  found.type = "int";
  found.json = [member](const Report& r) { return whole_json(r.*member); };
  return found;
}

/// A number below zero is not known.
inline ReportField known(Index Report::*member) {
  ReportField found = field(member);
  found.json = [member](const Report& r) {
    return r.*member < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(r.*member);
  };
  return found;
}

/// Makes fields of the members of one struct of a Report, be it there always or sometimes.
template <class Group>
auto report_fields_of(Group Report::*group) {
  return [group]<class V>(V Group::*member) {
    return report_field<V>([ group, member ](auto& r) -> auto& { return r.*group.*member; });
  };
}
template <class Group>
auto report_fields_of(std::optional<Group> Report::*group) {
  return [group]<class V>(V Group::*member) {
    return report_field<V>([ group, member ](auto& r) -> auto& { return *(r.*group).*member; });
  };
}

template <class S, class... Fields>
std::any counted(Fields... from) {
  return Counter<S>{{from...}};
}

}  // namespace overlapack::api
