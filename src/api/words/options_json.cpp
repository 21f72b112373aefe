#include "api/words/options_table.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace overlapack {
namespace {

using nlohmann::ordered_json;

[[noreturn]] void refuse_options(const std::string& message) { throw Error(Status::bad_plan, message); }

/// The text of a value for a message. Lists and objects are only named, since they may be nested to any depth.
std::string shown(const ordered_json& value) {
  return value.is_array() ? "a list" : value.is_object() ? "an object" : value.dump();
}

/// Set an option from JSON by way of its text, so that plan files, the command line and Python go through the same checks.
void set_from_json(Options& options, const api::OptionEntry& entry, const ordered_json& value) {
  if (value.is_object() || value.is_array() || value.is_null())
    refuse_options(api::kind_and_name(entry) + " is " + shown(value) + "; give " + api::range_text(entry));
  api::set_from_text(options, entry, value.is_string() ? value.get<std::string>() : value.dump());
}

std::vector<Index> order_from_json(const ordered_json& value) {
  std::vector<Index> order;
  if (!value.is_array()) refuse_options("option user_order must be a list of variable numbers");
  for (const auto& k : value) {
    if (!k.is_number_integer())
      refuse_options("option user_order holds " + shown(k) + "; give variable numbers, from 0");
    order.push_back(k.get<Index>());
  }
  return order;
}

std::vector<std::int8_t> signs_from_json(const ordered_json& value) {
  std::vector<std::int8_t> signs;
  if (!value.is_array()) refuse_options("option signs must be a list of +1 and -1");
  for (const auto& sign : value) {
    if (sign != 1 && sign != -1) refuse_options("option signs holds " + shown(sign) + "; give +1 and -1");
    signs.push_back(sign.get<std::int8_t>());
  }
  return signs;
}

void set_experiments(Options& options, const ordered_json& values) {
  if (!values.is_object())
    refuse_options("\"experiment\" is " + shown(values) +
                   "; give an object of experiments and their values, as {\"strip_rows\": 64}");
  for (const auto& [name, value] : values.items())
    set_from_json(options, api::option_named(std::string(api::experiments_key) + "." + name), value);
}

/// JSON has no infinity: null is "no limit".
ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

}  // namespace

std::string to_json(const Options& options) {
  ordered_json object, experiments;
  for (const auto& entry : api::options_table()) {
    ordered_json& of_tier = api::is_experiment(entry) ? experiments : object;
    std::visit([&](const auto& value) { of_tier[std::string(entry.name)] = value; },
               entry.field.get(options));
  }
  object[std::string(api::experiments_key)] = experiments;
  if (!options.sparse.user_order.empty()) object["user_order"] = options.sparse.user_order;
  if (!options.sparse.signs.empty()) object["signs"] = options.sparse.signs;
  // names of folders need not be UTF-8
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

Options options_from_json(std::string_view json, const Options& base) {
  return public_call(call::options, [&]() -> Options {
    const ordered_json given = ordered_json::parse(json, nullptr, /*allow_exceptions=*/false);
    const bool is_report = given.is_object() && given.contains("options");
    const ordered_json& object = is_report ? given["options"] : given;
    if (!object.is_object())
      refuse_options("the plan is not a JSON object; `overlapack plan A.mtx --json` prints one");
    Options options = base;
    for (const auto& [name, value] : object.items()) {
      if (name == "user_order") {
        options.sparse.user_order = order_from_json(value);
        continue;
      }
      if (name == "signs") {
        options.sparse.signs = signs_from_json(value);
        continue;
      }
      if (name == api::experiments_key)
        set_experiments(options, value);
      else
        set_from_json(options, api::option_named(name), value);
    }
    return options;
  });
}

void check(const Options& options) {
  public_call(call::options, [&] {
    for (const auto& entry : api::options_table())
      if (!entry.field.is_default(options)) api::check_entry(options, entry);
    const SparseOptions& sparse = options.sparse;
    const bool is_users = sparse.ordering == Ordering::user;
    if (is_users && sparse.user_order.empty())
      refuse_options("ordering is \"user\", but user_order is empty; give the order or another ordering");
    if (!is_users && !sparse.user_order.empty())
      refuse_options("user_order is given, but ordering is \"" + std::string(to_string(sparse.ordering)) +
                     "\"; set ordering to \"user\"");
  });
}

std::string options_schema_json() {
  constexpr std::string_view tier_names[] = {"common", "expert", "experiment"};
  const Options defaults;
  ordered_json list = ordered_json::array();
  for (const auto& entry : api::options_table()) {
    ordered_json option;
    option["name"] = entry.name;
    option["flag"] = api::flag_of(entry);
    option["tier"] = tier_names[static_cast<std::size_t>(entry.tier)];
    option["type"] = api::type_name(entry);
    std::visit([&](const auto& value) { option["default"] = value; }, entry.field.get(defaults));
    if (!entry.field.choices.empty()) option["choices"] = entry.field.choices;
    if (!api::holds<bool>(entry) && !api::holds<std::string>(entry)) {
      option["low"] = number(entry.low);
      option["high"] = number(entry.high);
    }
    if (entry.unit != api::Unit::none) option["unit"] = entry.unit == api::Unit::bytes ? "bytes" : "s";
    option["help"] = entry.help;
    if (!entry.source.empty()) option["source"] = entry.source;
    option["commands"] = api::commands_of(entry.commands);
    list.push_back(std::move(option));
  }
  return list.dump(2);
}

}  // namespace overlapack
