#include "command.hpp"
#include "overlapack/error.hpp"
#include "overlapack/option_text.hpp"
#include "text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace overlapack::cli {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error(Status::bad_input, "cannot read the plan \"" + path + "\"; give an existing JSON file");
  return text.str();
}

bool is_option_of(const OptionDescription& option, std::string_view command) {
  return std::ranges::find(option.commands, command) != option.commands.end();
}

}  // namespace

void OptionFlags::set_experiment(const std::string& command, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(Status::bad_plan,
                "--experiment is \"" + text +
                    "\"; give NAME=VALUE, as in --experiment strip_rows=64; `overlapack info "
                    "--experiments` lists the experiments");
  const std::string name = text.substr(0, equals);
  for (const OptionDescription& option : describe_options())
    if (option.tier == OptionTier::experiment && option.name == name && !is_option_of(option, command)) {
      const std::vector<std::string> others(option.commands.begin(), option.commands.end());
      throw Error(Status::bad_plan, command + " has no experiment " + name + " (" + joined(others) +
                                        (others.size() > 1 ? " have it" : " has it") + "); leave it out");
    }
  given_.emplace_back("experiment." + name, text.substr(equals + 1));
}

void OptionFlags::add_to(std::vector<Argument>& arguments, std::string_view command) {
  arguments.push_back(
      file_argument("--plan", "take options from this JSON file; flags of the command line win", plan_path_));
  std::vector<std::string> experiments;
  for (const OptionDescription& option : describe_options()) {
    if (!is_option_of(option, command)) continue;
    if (option.tier == OptionTier::experiment) {
      experiments.push_back(std::string(option.name) + "=");
      continue;
    }
    arguments.push_back(
        {.name = option.flag,
         .type_name = option.value_name,
         .help = std::string(option.help),
         .set = [this, name = option.name](const std::string& text) { given_.emplace_back(name, text); },
         .group = std::string(option.group),
         .is_common = option.tier == OptionTier::common,
         .choices = {option.choices.begin(), option.choices.end()},
         .default_value = option.default_value,
         .hidden_names = option.name == "ranks" ? other_names_of_ranks : ""});
  }
  arguments.push_back(
      {.name = "--experiment",
       .type_name = "NAME=VALUE",
       .help = "an experiment of a paper or of the library, as strip_rows=64. It may be given "
               "several times. `overlapack info --experiments` lists the experiments",
       .set = [this,
               command = std::string(command)](const std::string& text) { set_experiment(command, text); },
       .is_common = false,
       .is_repeatable = true,
       .beginnings = std::move(experiments)});
}

Options OptionFlags::options() const {
  Options options;
  if (!plan_path_.empty()) options = options_from_json(text_of_file(plan_path_));
  for (const auto& [name, text] : given_) set_option(options, name, text);
  if (options.sparse.ordering == Ordering::user && options.sparse.user_order.empty())
    throw Error(
        Status::bad_plan,
        "ordering is \"user\", but no order is given; add \"user_order\": [...] to the file of --plan, or "
        "choose another ordering");
  check(options);
  return options;
}

}  // namespace overlapack::cli
