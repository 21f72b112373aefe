#include "parse.hpp"

#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace overlapack::cli {
namespace {

void add(CLI::App& app, const Argument& argument) {
  CLI::Option* option = argument.type_name.empty()
                            ? app.add_flag_callback(
                                  argument.name, [&argument] { argument.set("true"); }, argument.help)
                            : app.add_option_function<std::string>(argument.name, argument.set, argument.help)
                                  ->type_name(argument.type_name);
  option->required(argument.is_required);
}

/// The parser's words as one sentence.
std::string sentence(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text + "; `overlapack --help` and `overlapack COMMAND --help` list what there is";
}

}  // namespace

Parsed parse(const std::vector<Command>& commands, int argc, char** argv) {
  char** const dashes =
      std::find_if(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
  CLI::App app("Solves A x = b in parallel with communication that never stalls the computation.",
               "overlapack");
  app.set_version_flag("--version", std::string("overlapack ") + version());
  app.require_subcommand(1);
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    for (const Argument& argument : command.arguments) add(*sub, argument);
    sub->footer(command.footer);
  }
  try {
    const Command* takes_rest = nullptr;
    for (const Command& command : commands)
      if (command.rest && argc > 1 && command.name == argv[1]) takes_rest = &command;
    if (takes_rest && dashes != argv + argc) takes_rest->rest->assign(dashes + 1, argv + argc);
    app.parse(takes_rest ? static_cast<int>(dashes - argv) : argc, argv);
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
