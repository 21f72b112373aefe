#include "api/options_table.hpp"
#include "command.hpp"
#include "overlapack/error.hpp"

#include <fstream>
#include <sstream>

namespace overlapack::cli {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error(ErrorKind::bad_input, "plan",
                "cannot read the plan \"" + path + "\"; give an existing JSON file");
  return text.str();
}

std::string help_of(const api::OptionEntry& entry) {
  std::string help(entry.help);
  const auto& choices = entry.field.choices;
  for (std::size_t i = 0; i < choices.size(); ++i)
    help += (i == 0 ? " {" : "|") + std::string(choices[i]) + (i + 1 == choices.size() ? "}" : "");
  return help + " [" + api::value_text(Options{}, entry) + "]";
}

std::string value_name(const api::OptionEntry& entry) {
  if (api::holds<bool>(entry)) return "";
  if (entry.unit == api::Unit::bytes) return "BYTES";
  if (entry.unit == api::Unit::seconds) return "SECONDS";
  return entry.field.choices.empty() && entry.form.empty() ? "NUMBER" : "NAME";
}

}  // namespace

void OptionFlags::add_to(std::vector<Argument>& arguments, unsigned command) {
  arguments.push_back(
      file_argument("--plan", "take options from this JSON file; flags of the command line win", plan_path_));
  for (const api::OptionEntry& entry : api::options_table()) {
    if ((entry.commands & command) == 0) continue;
    const std::string name(entry.name);
    arguments.push_back({.name = api::flag_of(entry),
                         .type_name = value_name(entry),
                         .help = help_of(entry),
                         .set = [this, name](const std::string& text) { given_.emplace_back(name, text); },
                         .group = std::string(entry.group),
                         .is_common = (entry.common & command) != 0});
  }
}

Options OptionFlags::options() const {
  Options options;
  if (!plan_path_.empty()) options = options_from_json(text_of_file(plan_path_));
  for (const auto& [name, text] : given_) api::set_from_text(options, *api::find_option(name), text);
  check(options);
  return options;
}

}  // namespace overlapack::cli
