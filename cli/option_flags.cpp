#include "command.hpp"
#include "overlapack/error.hpp"
#include "overlapack/option_text.hpp"

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

}  // namespace

void OptionFlags::add_to(std::vector<Argument>& arguments, std::string_view command) {
  arguments.push_back(
      file_argument("--plan", "take options from this JSON file; flags of the command line win", plan_path_));
  for (const OptionDescription& option : describe_options()) {
    const auto takes = [command](const auto& commands) {
      return std::ranges::find(commands, command) != commands.end();
    };
    if (!takes(option.commands)) continue;
    arguments.push_back(
        {.name = option.flag,
         .type_name = option.value_name,
         .help = std::string(option.help),
         .set = [this, name = option.name](const std::string& text) { given_.emplace_back(name, text); },
         .group = std::string(option.group),
         .is_common = takes(option.common),
         .choices = {option.choices.begin(), option.choices.end()},
         .default_value = option.default_value,
         .hidden_names = option.name == "ranks" ? other_names_of_ranks : ""});
  }
}

Options OptionFlags::options() const {
  Options options;
  if (!plan_path_.empty()) options = options_from_json(text_of_file(plan_path_));
  for (const auto& [name, text] : given_) set_option(options, name, text);
  check(options);
  return options;
}

}  // namespace overlapack::cli
