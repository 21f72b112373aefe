#include "api/words/options_table.hpp"

#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace overlapack::api {
namespace {

[[noreturn]] void refuse_value(const OptionEntry& entry, std::string_view value) {
  const bool is_planned = std::ranges::find(entry.not_built, value) != entry.not_built.end();
  const std::string name(entry.name), quoted = "\"" + std::string(value) + "\"";
  const std::vector<std::string> choices(entry.field.choices.begin(), entry.field.choices.end());
  throw Error(Status::bad_plan,
              (is_planned ? name + " " + quoted + " is not built yet"
                          : kind_and_name(entry) + " is " + quoted + did_you_mean(value, choices)) +
                  "; give " + (entry.wanted.empty() ? range_text(entry) : std::string(entry.wanted)));
}

/// The factor of a unit of bytes: 1 for "", 1000 for "k", 1024 for "KiB" or "Ki", and so on; 0 if the text is no unit.
double byte_factor(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  constexpr std::string_view prefixes = "kMGT";
  const char letter = unit[0] == 'K' ? 'k' : unit[0];
  const std::size_t power = prefixes.find(letter);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = unit.substr(1);
  if (rest.empty() || rest == "i" || rest == "iB") return std::pow(1024.0, double(power + 1));
  return rest == "B" ? std::pow(1000.0, double(power + 1)) : 0;
}

double second_factor(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1;
  if (unit == "ms") return 1e-3;
  if (unit == "min" || unit == "m") return 60;
  return unit == "h" ? 3600 : 0;
}

double number_from(const OptionEntry& entry, std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || std::isnan(value)) refuse_value(entry, text);
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (entry.unit != Unit::none && unit.size() > 1 && unit[0] == ' ')
    unit.remove_prefix(1);  // as reports print
  double factor = unit.empty() ? 1 : 0;
  if (entry.unit == Unit::bytes) factor = byte_factor(unit);
  if (entry.unit == Unit::seconds) factor = second_factor(unit);
  if (factor == 0) refuse_value(entry, text);
  return value * factor;
}

/// Convert a value to a whole number. The range is checked before, since the conversion could overflow.
std::int64_t whole_number(const OptionEntry& entry, std::string_view text, double value) {
  const double most = std::min(entry.high, entry.field.most);
  const bool rounds = entry.unit == Unit::bytes;
  if (!(value >= entry.low && value <= most) || (!rounds && value != std::floor(value)))
    refuse_value(entry, text);
  return static_cast<std::int64_t>(value);
}

/// A value of the type that the option has.
OptionValue value_from(const OptionEntry& entry, std::string_view text) {
  if (holds<std::string>(entry)) return std::string(text);
  if (holds<bool>(entry)) {
    if (text != "true" && text != "false") refuse_value(entry, text);
    return text == "true";
  }
  const double value = number_from(entry, text);
  if (holds<double>(entry)) return value;
  return whole_number(entry, text, value);
}

std::string number_text(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// The names of all experiments, or of all options that are no experiments.
std::vector<std::string> names_of(bool of_experiments) {
  std::vector<std::string> names;
  for (const OptionEntry& entry : options_table())
    if (is_experiment(entry) == of_experiments) names.emplace_back(entry.name);
  return names;
}

/// The message about an unknown name. It suggests the likely one, or else says where all names are listed.
std::string unknown_text(std::string_view name, bool of_experiments) {
  const std::vector<std::string> names = names_of(of_experiments);
  const std::string meant = did_you_mean(name, names);
  std::string list;
  for (const std::string& other : names) list += (list.empty() ? "" : ", ") + other;
  const std::string all = of_experiments ? "; `overlapack info --experiments` lists the experiments"
                                         : "; the options are " + list;
  return std::string("there is no ") + (of_experiments ? "experiment" : "option") + " \"" +
         std::string(name) + "\"" + (meant.empty() ? all : meant);
}

/// The message about an experiment without its prefix, or about an option with it.
std::string wrong_form_text(const OptionEntry& entry) {
  const std::string name(entry.name);
  if (is_experiment(entry))
    return name + " is an experiment; give it as experiment." + name + ": --experiment " + name +
           "=VALUE, in Python experiment={\"" + name + "\": VALUE}, in JSON \"experiment\": {\"" + name +
           "\": VALUE}";
  return name + " is an option and no experiment; give it by its own name: " + flag_of(entry) +
         ", in Python " + name + "=, in JSON \"" + name + "\"";
}

}  // namespace

const OptionEntry* find_option(std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  for (const OptionEntry& entry : options_table())
    if (entry.name == plain) return &entry;
  return nullptr;
}

const OptionEntry& option_named(std::string_view name) {
  const std::string prefix = std::string(experiments_key) + ".";
  const bool of_experiments = name.starts_with(prefix);
  if (of_experiments) name.remove_prefix(prefix.size());
  const OptionEntry* const entry = find_option(name);
  if (entry == nullptr) throw Error(Status::bad_plan, unknown_text(name, of_experiments));
  if (is_experiment(*entry) != of_experiments) throw Error(Status::bad_plan, wrong_form_text(*entry));
  return *entry;
}

std::string full_name(const OptionEntry& entry) {
  return (is_experiment(entry) ? std::string(experiments_key) + "." : "") + std::string(entry.name);
}

std::string kind_and_name(const OptionEntry& entry) {
  return (is_experiment(entry) ? "experiment " : "option ") + std::string(entry.name);
}

std::vector<std::string_view> commands_of(unsigned commands) {
  std::vector<std::string_view> names;
  for (std::size_t bit = 0; bit < std::size(command_names); ++bit)
    if (commands >> bit & 1u) names.push_back(command_names[bit]);
  return names;
}

std::string flag_of(const OptionEntry& entry) {
  if (is_experiment(entry)) return "--experiment " + std::string(entry.name);
  std::string flag = "--" + std::string(entry.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string_view type_name(const OptionEntry& entry) {
  constexpr std::string_view names[] = {"bool", "int", "float", "str"};
  return names[entry.field.get(Options{}).index()];
}

std::string value_text(const Options& options, const OptionEntry& entry) {
  return std::visit(
      [](const auto& value) -> std::string {
        using V = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<V, std::string>)
          return value;
        else if constexpr (std::is_same_v<V, bool>)
          return value ? "true" : "false";
        else
          return number_text(double(value));
      },
      entry.field.get(options));
}

std::string range_text(const OptionEntry& entry) {
  std::string text;
  for (std::string_view choice : entry.field.choices)
    text += (text.empty() ? "" : ", ") + std::string(choice);
  if (!text.empty()) return "one of " + text;
  if (!entry.form.empty()) return std::string(entry.form);
  if (holds<bool>(entry)) return "true or false";
  const bool is_real = holds<double>(entry);
  const std::string_view noun = entry.unit == Unit::bytes     ? "bytes (2G, 512M)"
                                : entry.unit == Unit::seconds ? "seconds"
                                : is_real                     ? "a number"
                                                              : "a whole number";
  if (entry.high == unlimited) return std::string(noun) + " of at least " + number_text(entry.low);
  return std::string(noun) + " from " + number_text(entry.low) + " to " + number_text(entry.high);
}

void set_from_text(Options& options, const OptionEntry& entry, std::string_view text) {
  if (!entry.field.set(options, value_from(entry, text))) refuse_value(entry, text);
  check_entry(options, entry);
}

void check_entry(const Options& options, const OptionEntry& entry) {
  const OptionValue value = entry.field.get(options);
  bool is_allowed = true;
  if (const auto* real = std::get_if<double>(&value))
    is_allowed = *real >= entry.low && *real <= entry.high;
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    is_allowed = double(*number) >= entry.low && double(*number) <= entry.high;
  else if (Options other; std::holds_alternative<std::string>(value))
    is_allowed = entry.field.set(other, value);
  if (!is_allowed) refuse_value(entry, value_text(options, entry));
}

}  // namespace overlapack::api
