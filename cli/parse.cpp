#include "parse.hpp"

#include "nearest.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace overlapack::cli {
namespace {

constexpr const char* all_flag = "--help-all";

/// Short help lists what is common under one heading, full help everything under the heading of its group.
void add(CLI::App& app, const Argument& argument, bool tells_all) {
  CLI::Option* option = argument.type_name.empty()
                            ? app.add_flag_callback(
                                  argument.name, [&argument] { argument.set("true"); }, argument.help)
                            : app.add_option_function<std::string>(argument.name, argument.set, argument.help)
                                  ->type_name(argument.type_name);
  option->required(argument.is_required);
  if (tells_all && !argument.group.empty()) option->group(argument.group);
  if (!tells_all && !argument.is_common) option->group("");  // hidden
}

void add(CLI::App& app, const Command& command, bool tells_all) {
  CLI::App* sub = app.add_subcommand(command.name, command.help);
  for (const Argument& argument : command.arguments) add(*sub, argument, tells_all);
  std::string footer = command.footer;
  const auto hidden = std::ranges::count(command.arguments, false, &Argument::is_common);
  if (hidden > 0) sub->set_help_all_flag(all_flag, "Print this help message with every option and exit");
  if (hidden > 0 && !tells_all)
    footer = std::to_string(hidden) + " more options, for experts and experiments: overlapack " +
             command.name + " " + all_flag + (footer.empty() ? "" : "\n\n" + footer);
  sub->footer(footer);
}

/// The parser's words as one sentence.
std::string sentence(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text + "; `overlapack --help` and `overlapack COMMAND --help` list what there is";
}

/// "-o,--output" as -o and --output.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"--help"};
  for (const Argument& argument : command.arguments) {
    std::istringstream list(argument.name);
    for (std::string name; std::getline(list, name, ',');)
      if (name.starts_with('-')) names.push_back(name);
  }
  return names;
}

/// What is wrong with the first word that the command does not take.
std::string unexpected(const Command& command, const std::vector<std::string>& words, int argc, char** argv) {
  const auto is_unexpected = [&](const char* word) { return std::ranges::count(words, word) > 0; };
  char** const first = std::find_if(argv, argv + argc, is_unexpected);
  std::string word = first == argv + argc ? words.front() : *first;
  if (word.starts_with('-')) word = word.substr(0, word.find('='));
  if (command.rest && !word.starts_with('-'))
    return "\"" + word + "\" is not an option of " + command.name +
           "; the command to run stands behind --, as in: overlapack " + command.name + " ... -- solve A.mtx";
  if (!word.starts_with('-'))
    return "\"" + word + "\" is one word too many; `overlapack " + command.name +
           " --help` lists what there is";
  return "there is no option " + word + did_you_mean(word, option_names(command)) + "; `overlapack " +
         command.name + " " + all_flag + "` lists all";
}

}  // namespace

Parsed parse(const std::vector<Command>& commands, int argc, char** argv) {
  char** const dashes =
      std::find_if(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
  CLI::App app("Solves A x = b in parallel with communication that never stalls the computation.",
               "overlapack");
  app.set_version_flag("--version", std::string("overlapack ") + version());
  app.require_subcommand(1);
  const bool tells_all =
      std::any_of(argv, dashes, [](const char* word) { return std::strcmp(word, all_flag) == 0; });
  for (const Command& command : commands) add(app, command, tells_all);
  try {
    const Command* takes_rest = nullptr;
    for (const Command& command : commands)
      if (command.rest && argc > 1 && command.name == argv[1]) takes_rest = &command;
    if (takes_rest && dashes != argv + argc) takes_rest->rest->assign(dashes + 1, argv + argc);
    app.parse(takes_rest ? static_cast<int>(dashes - argv) : argc, argv);
  } catch (const CLI::ExtrasError&) {
    for (const Command& command : commands)
      if (app.got_subcommand(command.name))
        throw Error(ErrorKind::bad_plan, "command line",
                    unexpected(command, app.remaining(true), argc, argv));
    throw;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Error(ErrorKind::bad_plan, "command line", sentence(error.what()));
    std::ostringstream text;
    app.exit(error, text, text);
    return {nullptr, text.str()};
  }
  for (const Command& command : commands)
    if (app.got_subcommand(command.name)) return {&command, ""};
  return {nullptr, app.help()};
}

}  // namespace overlapack::cli
