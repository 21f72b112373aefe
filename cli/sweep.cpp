#include "sweep.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace overlapack::cli {
namespace {

constexpr std::size_t most_values = 64;

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The values FIRST, 2 FIRST, 4 FIRST, ... up to LAST; none if the two texts are no such range.
std::vector<std::string> doubling_values(const std::string& first, const std::string& last) {
  const auto from = whole_number(first), to = whole_number(last);
  std::vector<std::string> values;
  if (!from || !to || *from < 1) return values;
  for (std::int64_t value = *from; value <= *to; value *= 2) {
    values.push_back(std::to_string(value));
    if (value > *to / 2) break;
  }
  return values;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    values.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return values;
}

}  // namespace

Sweep sweep_from(const std::string& option, const std::string& text) {
  const auto refuse = [&](const std::string& what) {
    throw Error(Status::bad_plan, option + " is \"" + text + "\", " + what +
                                      "; give ranks=1:256 (doubled from 1 on) or block=32,64,128");
  };
  const std::size_t equals = text.find('='), dashes = std::min(text.find_first_not_of('-'), text.size());
  if (equals == std::string::npos || equals <= dashes) refuse("which names no option");
  Sweep sweep{text.substr(dashes, equals - dashes), {}};
  const std::string values = text.substr(equals + 1);
  const std::size_t colon = values.find(':');
  const bool is_range = colon != std::string::npos && values.find(',') == std::string::npos;
  sweep.values =
      is_range ? doubling_values(values.substr(0, colon), values.substr(colon + 1)) : split_at_commas(values);
  if (sweep.values.empty()) refuse("which is no range of positive whole numbers");
  if (std::count(sweep.values.begin(), sweep.values.end(), "") > 0) refuse("in which a value is missing");
  if (sweep.values.size() > most_values) refuse("more than " + std::to_string(most_values) + " values");
  for (auto v = sweep.values.begin(); v != sweep.values.end(); ++v)
    if (std::find(sweep.values.begin(), v, *v) != v) refuse("with " + *v + " twice");
  return sweep;
}

void apply(const Sweep& sweep, const std::string& value, const std::vector<Argument>& own,
           std::vector<std::string>& command) {
  constexpr std::string_view experiment = "experiment.";
  const bool is_experiment = sweep.name.starts_with(experiment);
  const std::string option = is_experiment ? "--experiment" : "--" + sweep.name;
  const std::string begin = is_experiment ? sweep.name.substr(experiment.size()) + "=" : "";
  for (const Argument& argument : own) {
    if (argument.name != option) continue;
    if (argument.type_name.empty())
      throw Error(Status::bad_plan, option + " takes no values; sweep an option that does");
    return argument.set(value);
  }
  for (auto word = command.begin(); word != command.end();) {
    const bool has_next = word + 1 != command.end();
    const bool is_joined = word->starts_with(option + "=" + begin);
    if (is_joined || (*word == option && (!has_next || word[1].starts_with(begin))))
      word = command.erase(word, is_joined || !has_next ? word + 1 : word + 2);
    else
      ++word;
  }
  command.insert(command.end(), {option, begin + value});
}

}  // namespace overlapack::cli
