#include "parse.hpp"

#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"
#include "text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace overlapack::cli {
namespace {

constexpr const char* all_flag = "--help-all";

std::string version_text() { return std::string("overlapack ") + version(); }

/// Add an argument to the parser. Short help lists common options under one heading, full help all options under the headings of their groups.
void add(CLI::App& app, const Argument& argument, bool shows_all) {
  CLI::Option* option =
      argument.type_name.empty()
          ? app.add_flag_callback(
                argument.name, [&argument] { argument.set("true"); }, argument.help)
          : app.add_option_function<std::string>(argument.name, argument.set, full_help(argument))
                ->type_name(argument.type_name);
  option->required(argument.is_required);
  if (argument.is_repeatable) option->trigger_on_parse();
  if (!argument.hidden_names.empty())
    app.add_option_function<std::string>(argument.hidden_names, argument.set)->group("");
  if (shows_all && !argument.group.empty()) option->group(argument.group);
  if (!shows_all && !argument.is_common) option->group("");  // hidden
}

void add(CLI::App& app, const Command& command, bool shows_all) {
  CLI::App* sub = app.add_subcommand(command.name, command.help);
  if (command.is_hidden) sub->group("");
  sub->set_version_flag("--version", version_text())->group("");
  for (const Argument& argument : command.arguments) add(*sub, argument, shows_all);
  std::string footer = command.footer;
  const auto hidden = std::ranges::count(command.arguments, false, &Argument::is_common);
  CLI::Option* const all =
      sub->set_help_all_flag(all_flag, "Print this help message with every option and exit");
  if (hidden == 0) all->group("");
  if (hidden > 0 && !shows_all)
    footer = std::to_string(hidden) + " more options, for experts: overlapack " + command.name + " " +
             all_flag + (footer.empty() ? "" : "\n\n" + footer);
  sub->footer(footer);
}

/// The parser's message as one sentence. command: the command of the line; empty if it has none
std::string sentence_of_error(const CLI::ParseError& error, const std::string& command) {
  std::string text = error.what();
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    text = text.substr(0, text.find(':')) + " wants a value behind it";
  return text + "; `overlapack " + (command.empty() ? "" : command + " ") + "--help` lists what there is";
}

const Argument* find_argument(const Command& command, const std::string& name) {
  for (const Argument& argument : command.arguments)
    for (const std::string& list : {argument.name, argument.hidden_names})
      if (std::ranges::count(names_of(list), name) > 0) return &argument;
  return nullptr;
}

/// The end of a message about an unknown option: " (did you mean --ordering, under "Sparse factors"?)", or " (solve has one)".
std::string likely_option(const std::string& word, const Command& command,
                          const std::vector<Command>& commands) {
  std::vector<std::string> here{"--help"}, elsewhere;
  for (const Argument& argument : command.arguments)
    for (const std::string& list : {argument.name, argument.hidden_names})
      for (const std::string& name : names_of(list))
        if (name.starts_with('-')) here.push_back(name);
  for (const Command& other : commands)
    if (find_argument(other, word) != nullptr) elsewhere.push_back(other.name);
  if (!elsewhere.empty())
    return " (" + joined(elsewhere) + (elsewhere.size() > 1 ? " have" : " has") + " one)";
  const std::string meant = nearest(word, here);
  if (meant.empty()) return {};
  const Argument* const argument = find_argument(command, meant);
  const std::string group = argument ? argument->group : "";
  return " (did you mean " + meant + (group.empty() ? "" : ", under \"" + group + "\"") + "?)";
}

/// The message if the word is an experiment of the command: "--strip-rows is an experiment; give --experiment strip_rows=VALUE"; else empty.
std::string experiment_form(const std::string& word, const Command& command) {
  std::string name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::ranges::replace(name, '-', '_');
  for (const Argument& argument : command.arguments)
    if (std::ranges::count(argument.beginnings, name + "=") > 0)
      return word + " is an experiment; give " + argument.name + " " + name + "=VALUE";
  return {};
}

/// The message about the first word that the command does not accept.
std::string sentence_of_unexpected(const Command& command, const std::vector<Command>& commands,
                                   const std::vector<std::string>& words, int argc, char** argv) {
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
  if (const std::string form = experiment_form(word, command); !form.empty()) return form;
  return command.name + " has no option " + word + likely_option(word, command, commands) + "; `overlapack " +
         command.name + " " + all_flag + "` lists all";
}

}  // namespace

Parsed parse(const std::vector<Command>& commands, int argc, char** argv) {
  char** const dashes =
      std::find_if(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
  CLI::App app("Solves A x = b in parallel with communication that never stalls the computation.",
               "overlapack");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  const bool shows_all =
      std::any_of(argv, dashes, [](const char* word) { return std::strcmp(word, all_flag) == 0; });
  for (const Command& command : commands) add(app, command, shows_all);
  try {
    const Command* takes_rest = nullptr;
    for (const Command& command : commands)
      if (command.rest && argc > 1 && command.name == argv[1]) takes_rest = &command;
    if (takes_rest && dashes != argv + argc) takes_rest->rest->assign(dashes + 1, argv + argc);
    app.parse(takes_rest ? static_cast<int>(dashes - argv) : argc, argv);
  } catch (const CLI::ExtrasError&) {
    for (const Command& command : commands)
      if (app.got_subcommand(command.name))
        throw Error(Status::bad_plan,
                    sentence_of_unexpected(command, commands, app.remaining(true), argc, argv));
    throw;
  } catch (const CLI::ParseError& error) {
    std::string command;
    for (const Command& known : commands)
      if (app.got_subcommand(known.name)) command = known.name;
    if (error.get_exit_code() != 0) throw Error(Status::bad_plan, sentence_of_error(error, command));
    std::ostringstream text;
    app.exit(error, text, text);
    return {nullptr, text.str()};
  }
  for (const Command& command : commands)
    if (app.got_subcommand(command.name)) return {&command, ""};
  return {nullptr, app.help()};
}

}  // namespace overlapack::cli
