#pragma once
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <any>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The one table of what a report tells: its JSON, docs/report.md and Python's type come from it, and it says how the
/// counters of ranks become those of a report.
namespace overlapack::api {

/// How a figure of each rank becomes one of all ranks; `same`: they have the same, or rank 0 alone knows it.
enum class Over : std::uint8_t { same, sum, most, least, mean };

/// A number of a report that counters are put into.
using ReportNumber = std::variant<int*, Index*, double*>;

/// Where an entry stands in Report (report_field.hpp).
struct ReportField {
  std::string_view type;  ///< "bool", "int", "float", "str", "list", "dict"
  std::function<nlohmann::ordered_json(const Report&)> json;
  std::function<ReportNumber(Report&)> number = {};  ///< of a number
};

/// The fields of S, what a solver counts on each rank, whose sum is an entry.
template <class S>
struct Counter {
  std::vector<std::variant<Index S::*, double S::*>> from;
};

/// When a report has an entry: always, or with the figures that it has of dense matrices, iterations, multisplitting.
enum class Part : std::uint8_t { always, dense, iteration, blocks };

struct ReportEntry {
  std::string_view name;  ///< "pivots.delayed": delayed in the object pivots
  ReportField field;
  std::string_view help;                ///< with its unit
  Over over = Over::same;               ///< of several ranks
  std::vector<Method> methods = {};     ///< that fill it; empty: all
  bool may_be_null = false;             ///< where it is not known
  std::string_view told = {};           ///< what the text of the command line calls a count above 0
  std::vector<std::any> counters = {};  ///< Counter<S> of several S
  Part part = Part::always;
};

const std::vector<ReportEntry>& report_table();

/// Does this report have the entry?
bool has(const Report& report, const ReportEntry& entry);

/// The counter of type S of an entry; null if it has none.
template <class S>
const Counter<S>* counter_of(const ReportEntry& entry) {
  for (const std::any& counter : entry.counters)
    if (const auto* found = std::any_cast<Counter<S>>(&counter)) return found;
  return nullptr;
}

/// Each rank's counters become those of all ranks, as the table says.
/// Sync    collective
template <class S>
void combine(comm::Rank& rank, S& counters) {
  if (rank.size() == 1) return;  // sums, means and extremes of one are what it has
  std::vector<std::pair<const ReportEntry*, std::variant<Index S::*, double S::*>>> sums, extremes;
  for (const ReportEntry& entry : report_table())
    if (const Counter<S>* counter = counter_of<S>(entry); counter && entry.over != Over::same)
      for (const auto& from : counter->from)
        (entry.over == Over::most || entry.over == Over::least ? extremes : sums).emplace_back(&entry, from);
  const auto reduce = [&](const auto& fields, const auto& combined) {
    if (fields.empty()) return;
    std::vector<double> values;
    for (const auto& [entry, from] : fields) {
      const double value = std::visit([&](auto field) { return double(counters.*field); }, from);
      values.push_back(entry->over == Over::least ? -value : value);
    }
    comm::collective::all_reduce(rank, std::span<double>(values), combined);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Over over = fields[i].first->over;
      const double value = over == Over::least  ? -values[i]
                           : over == Over::mean ? values[i] / rank.size()
                                                : values[i];
      std::visit([&](auto field) { counters.*field = std::remove_cvref_t<decltype(counters.*field)>(value); },
                 fields[i].second);
    }
  };
  reduce(extremes, Larger());
  reduce(sums, std::plus<>());
}

/// Call put(entry, number of the report, value) for each entry that S has counters of.
template <class S, class Put>
void for_counters(Report& report, const S& counters, Put put) {
  for (const ReportEntry& entry : report_table())
    if (const Counter<S>* counter = counter_of<S>(entry)) {
      double value = 0;
      for (const auto& from : counter->from)
        value += std::visit([&](auto field) { return double(counters.*field); }, from);
      if (entry.field.number)
        std::visit([&](auto* number) { put(entry, *number, std::remove_cvref_t<decltype(*number)>(value)); },
                   entry.field.number(report));
    }
}

/// The counters of all ranks as the report has them.
template <class S>
void take_counters(Report& report, const S& counters) {
  for_counters(report, counters, [](const ReportEntry&, auto& number, auto value) { number = value; });
}

/// The same of one right-hand side after the other: extremes stay extremes, counts add up, of a mean the last one stays.
template <class S>
void add_counters(Report& report, const S& counters, bool is_first) {
  for_counters(report, counters, [&](const ReportEntry& entry, auto& number, auto value) {
    if (is_first || entry.over == Over::mean)
      number = value;
    else if (entry.over == Over::most)
      number = std::max(number, value);
    else if (entry.over == Over::least)
      number = std::min(number, value);
    else
      number += value;
  });
}

}  // namespace overlapack::api
