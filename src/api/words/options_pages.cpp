#include "api/words/options_table.hpp"

#include <sstream>

/// The pages of the table: docs/options.md has the options, docs/experiments.md the experiments.
namespace overlapack {
namespace api {
namespace {

std::string commands_text(const OptionEntry& entry) {
  std::string text;
  for (std::string_view command : commands_of(entry.commands))
    text += (text.empty() ? "" : ", ") + std::string(command);
  return text.empty() ? "Python and plan files" : text;
}

/// The options and experiments that shape an analysis, for the pages.
std::string analysis_names(bool of_experiments) {
  std::string names;
  for (const OptionEntry& entry : options_table())
    if (entry.shapes_analysis && is_experiment(entry) == of_experiments)
      names += (names.empty() ? "`" : ", `") + std::string(entry.name) + "`";
  return names;
}

void write_head(std::ostream& out, bool has_source) {
  out << "| " << (has_source ? "experiment" : "option")
      << " | type | default | values | what it does | commands |" << (has_source ? " from |" : "")
      << "\n|---|---|---|---|---|---|" << (has_source ? "---|" : "") << "\n";
}

void write_row(std::ostream& out, const OptionEntry& entry) {
  out << "| `" << entry.name << "` | " << type_name(entry) << " | " << value_text(Options{}, entry) << " | "
      << range_text(entry) << " | " << entry.help << " | " << commands_text(entry) << " |";
  if (is_experiment(entry)) out << " " << entry.source << " |";
  out << "\n";
}

/// A table for each group that has options of this tier, under headings of this level.
void write_groups(std::ostream& out, Tier tier, const std::string& heading) {
  std::string_view group;
  for (const OptionEntry& entry : options_table()) {
    if (entry.tier != tier) continue;
    if (entry.group != group) {
      out << "\n" << heading << " " << entry.group << "\n\n";
      write_head(out, tier == Tier::experiment);
    }
    group = entry.group;
    write_row(out, entry);
  }
}

}  // namespace
}  // namespace api

std::string options_markdown() {
  using namespace api;
  std::ostringstream out;
  out << "# Options\n\nThe program writes this page: `overlapack info --options`. A test compares the page "
         "with the table in src/api/words/option_rows.cpp.\n\n"
         "The command line writes dashes (`--pivot-threshold`). Python and plan files write underscores. "
         "`overlapack solve --help` shows the common options, and `--help-all` shows all options of this "
         "page. "
         "The report names options that you set and that the method did not read (`unused_options`). "
         "The [experiments](experiments.md) are on a page of their own.\n\n"
         "An analysis that is [kept](analysis.md#one-analysis-for-many-matrices) keeps its own values of "
         "these options: "
      << analysis_names(false) << ", `user_order` and `signs`.\n\n## Common options\n\n";
  write_head(out, false);
  for (const OptionEntry& entry : options_table())
    if (entry.tier == Tier::common) write_row(out, entry);
  out << "\n## Options for experts\n";
  write_groups(out, Tier::expert, "###");
  return out.str();
}

std::string experiments_markdown() {
  using namespace api;
  std::ostringstream out;
  out << "# Experiments\n\nThe program writes this page: `overlapack info --experiments`. A test compares "
         "the page with the table in src/api/words/option_rows.cpp.\n\n"
         "An experiment is an option for those who study a [paper](papers.md) or the library itself. "
         "The program chooses a good value by itself. A user who only solves systems needs none of them.\n\n"
         "| where | how to give an experiment |\n|---|---|\n"
         "| command line | `--experiment strip_rows=64`, as often as needed |\n"
         "| Python | `experiment={\"strip_rows\": 64}` |\n"
         "| plan file, options in JSON | `\"experiment\": {\"strip_rows\": 64}` |\n"
         "| C, Fortran, `set_option` of C++ | the name `experiment.strip_rows` |\n"
         "| `simulate --what-if` | `experiment.strip_rows=16,64` |\n"
         "| C++ | the member of `Options` |\n\n"
         "An analysis that is [kept](analysis.md#one-analysis-for-many-matrices) keeps its own values of "
         "these experiments: "
      << analysis_names(true) << ".\n";
  write_groups(out, Tier::experiment, "##");
  return out.str();
}

}  // namespace overlapack
