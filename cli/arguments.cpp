#include "command.hpp"
#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"
#include "overlapack/printed.hpp"
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace overlapack::cli {
namespace {

double number_from(const std::string& name, const std::string& text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high) return value;
  throw Error(Status::bad_plan,
              name + " is \"" + text + "\"; give a number from " + printed("%.15g to %.15g", low, high));
}

}  // namespace

std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

std::string full_help(const Argument& argument) {
  std::string help = argument.help;
  if (!argument.choices.empty()) help += " {" + joined(argument.choices, "|") + "}";
  if (!argument.default_value.empty()) help += " [" + argument.default_value + "]";
  return help;
}

Argument text_argument(const std::string& name, const std::string& help, std::string& value,
                       bool is_required) {
  return {name, "NAME", help, [&value](const std::string& text) { value = text; }, is_required};
}

Argument file_argument(const std::string& name, const std::string& help, std::string& value,
                       bool is_required) {
  Argument argument = text_argument(name, help, value, is_required);
  argument.type_name = "FILE";
  argument.set = [name, &value](const std::string& text) {
    if (text.empty())
      throw Error(Status::bad_plan, names_of(name).back() + " is empty; give the name of a file");
    value = text;
  };
  return argument;
}

Argument choice_argument(const std::string& name, const std::string& help, std::vector<std::string> choices,
                         std::string& value, bool is_required) {
  Argument argument = text_argument(name, help, value, is_required);
  argument.choices = choices;
  argument.set = [name, choices = std::move(choices), &value](const std::string& text) {
    if (std::ranges::find(choices, text) == choices.end())
      throw Error(Status::bad_plan, name + " is \"" + text + "\"" + did_you_mean(text, choices) +
                                        "; give one of " + joined(choices));
    value = text;
  };
  return argument;
}

Argument number_argument(const std::string& name, const std::string& help, double low, double high,
                         std::function<void(double)> set, bool is_required) {
  return {name, "NUMBER", help, [=](const std::string& text) { set(number_from(name, text, low, high)); },
          is_required};
}

Argument count_argument(const std::string& name, const std::string& help, double low, double high,
                        std::function<void(Index)> set, bool is_required) {
  const auto set_whole = [=](const std::string& text) {
    const double value = number_from(name, text, low, high);
    if (value != std::floor(value))
      throw Error(Status::bad_plan, name + " is \"" + text + "\"; give a whole number");
    set(static_cast<Index>(value));
  };
  return {name, "NUMBER", help, set_whole, is_required};
}

Argument flag(const std::string& name, const std::string& help, bool& value) {
  return {name, "", help, [&value](const std::string&) { value = true; }};
}

}  // namespace overlapack::cli
