#include "completion.hpp"

#include "text.hpp"

#include <algorithm>

namespace overlapack::cli {
namespace {

bool is_positional(const Argument& argument) { return !argument.name.starts_with('-'); }

bool takes_file(const Argument& argument) { return argument.type_name == "FILE"; }

/// All flags of a command, with --help and --help-all, which are not in the tables.
std::vector<std::string> flags_of(const Command& command) {
  std::vector<std::string> flags{"--help", "--help-all"};
  for (const Argument& argument : command.arguments)
    if (!is_positional(argument))
      for (const std::string& name : names_of(argument.name)) flags.push_back(name);
  return flags;
}

std::vector<std::string> names_of_commands(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands)
    if (!command.is_hidden) names.push_back(command.name);
  names.emplace_back("help");
  return names;
}

/// The first words of a help text, for listings.
std::string first_words(const std::string& help) {
  constexpr std::size_t most = 70;
  const std::string clause = help.substr(0, std::min(help.find_first_of(";(["), help.find(". ")));
  const std::size_t end = clause.size() > most ? clause.rfind(' ', most) : clause.find_last_not_of(' ') + 1;
  return clause.substr(0, end);
}

/// The text in single quotes; `quote` replaces each quote inside.
std::string quoted(const std::string& text, const std::string& quote) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? quote : std::string(1, c);
  return all + "'";
}

std::string quoted_for_zsh(const std::string& text) { return quoted(text, R"('\'')"); }
std::string quoted_for_fish(const std::string& text) { return quoted(text, R"(\')"); }

/// The part of bash's `case` statement for the values of one command's options.
std::string bash_values(const Command& command) {
  std::string text, without, numbers;
  for (const Argument& argument : command.arguments) {
    if (is_positional(argument) || argument.type_name.empty()) continue;
    const std::string names = joined(names_of(argument.name), " | ");
    if (!argument.choices.empty())
      text += "        " + names + ") words=\"" + joined(argument.choices, " ") + "\" ;;\n";
    else if (!argument.beginnings.empty())
      text += "        " + names + ") compopt -o nospace; words=\"" + joined(argument.beginnings, " ") +
              "\" ;;\n";
    else if (takes_file(argument))
      without += (without.empty() ? "" : " | ") + names;
    else
      numbers += (numbers.empty() ? "" : " | ") + names;
  }
  if (!without.empty()) text += "        " + without + ") return ;;\n";
  if (!numbers.empty()) text += "        " + numbers + ") compopt +o default; return ;;\n";
  return text;
}

std::string bash_command(const Command& command) {
  std::string text = "    " + command.name + ")\n      case $before in\n" + bash_values(command) +
                     "        *)\n          if [[ $word == -* ]]; then words=\"" +
                     joined(flags_of(command), " ") + "\"\n";
  if (!command.arguments.empty() && !command.arguments.front().choices.empty() &&
      is_positional(command.arguments.front()))
    text += "          elif ((COMP_CWORD == first + 1)); then words=\"" +
            joined(command.arguments.front().choices, " ") + "\"\n";
  return text + "          fi ;;\n      esac ;;\n";
}

/// The script for bash. If it offers no words, bash completes file names.
std::string bash_script(const std::vector<Command>& commands) {
  std::string text = R"(# Completion of overlapack for bash, made by: overlapack completion bash
_overlapack() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} first=1 words= i
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then first=$((i + 1)); fi
  done
  if ((COMP_CWORD == first)) || [[ ${COMP_WORDS[first]} == help ]]; then
    COMPREPLY=($(compgen -W ")" +
                     joined(names_of_commands(commands), " ") + R"( --help --version" -- "$word"))
    return
  fi
  case ${COMP_WORDS[first]} in
)";
  for (const Command& command : commands)
    if (!command.is_hidden) text += bash_command(command);
  return text + R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _overlapack overlapack
)";
}

/// The part ":message:action" of an argument for zsh's _arguments.
std::string zsh_value(const Argument& argument, const std::string& message) {
  if (!argument.choices.empty()) return ":" + message + ":(" + joined(argument.choices, " ") + ")";
  if (!argument.beginnings.empty())
    return ":" + message + ":{compadd -S \"\" -- " + joined(argument.beginnings, " ") + "}";
  return ":" + message + ":" + (takes_file(argument) ? "_files" : "");
}

std::string zsh_command(const Command& command) {
  std::string text = "    " + command.name + ")\n      _arguments";
  const auto add = [&](const std::string& spec) {
    text.append(" \\\n        ").append(quoted_for_zsh(spec));
  };
  int position = 0;
  for (const Argument& argument : command.arguments) {
    if (is_positional(argument)) {
      add(std::to_string(++position) + zsh_value(argument, argument.name));
      continue;
    }
    const bool takes_value = !argument.type_name.empty();
    const std::string names = joined(names_of(argument.name), " ");
    const std::string value = takes_value ? zsh_value(argument, argument.type_name) : "";
    const std::string how_often = argument.beginnings.empty() ? "(" + names + ")" : "*";
    for (const std::string& name : names_of(argument.name))
      add(how_often + name + (takes_value && name.starts_with("--") ? "=" : "") + "[" +
          first_words(argument.help) + "]" + value);
  }
  return text + " \\\n        '--help[the common options]' '--help-all[all options]' ;;\n";
}

std::string zsh_script(const std::vector<Command>& commands) {
  std::string text = R"(#compdef overlapack
# Completion of overlapack for zsh, made by: overlapack completion zsh
_overlapack() {
  local i commands=(
)";
  for (const Command& command : commands)
    if (!command.is_hidden)
      text += "    " + quoted_for_zsh(command.name + ":" + first_words(command.help)) + "\n";
  text += R"(    'help:of a command'
  )
  i=${words[(I)--]}
  if ((i > 1 && i < CURRENT)); then
    words=("${words[1]}" "${(@)words[i+1,-1]}")
    ((CURRENT -= i - 1))
  fi
  if ((CURRENT == 2)) || [[ ${words[2]} == help ]]; then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case ${words[1]} in
)";
  for (const Command& command : commands)
    if (!command.is_hidden) text += zsh_command(command);
  return text + R"(  esac
}
if [[ ${funcstack[1]} == _overlapack ]]; then _overlapack "$@"; else compdef _overlapack overlapack; fi
)";
}

std::string fish_argument(const Command& command, const Argument& argument) {
  std::string text = "complete -c overlapack -n '__fish_seen_subcommand_from " + command.name + "'";
  const std::string choices = quoted_for_fish(joined(argument.choices, " "));
  if (is_positional(argument)) {
    if (!argument.choices.empty()) return text + " -a " + choices + "\n";
    return takes_file(argument) ? text + " -F\n" : "";
  }
  for (const std::string& name : names_of(argument.name))
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!argument.choices.empty())
    text += " -x -a " + choices;
  else if (!argument.beginnings.empty())
    text += " -x -a " + quoted_for_fish(joined(argument.beginnings, " "));
  else if (!argument.type_name.empty())
    text += takes_file(argument) ? " -r -F" : " -x";
  return text + " -d " + quoted_for_fish(first_words(argument.help)) + "\n";
}

std::string fish_script(const std::vector<Command>& commands) {
  std::string text =
      "# Completion of overlapack for fish, made by: overlapack completion fish\n"
      "complete -c overlapack -f\n"
      "complete -c overlapack -n __fish_use_subcommand -l version -d 'which overlapack this is'\n"
      "complete -c overlapack -n '__fish_seen_subcommand_from help' -a '" +
      joined(names_of_commands(commands), " ") + "'\n";
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    text += "complete -c overlapack -n __fish_use_subcommand -a " + command.name + " -d " +
            quoted_for_fish(first_words(command.help)) + "\n";
    for (const Argument& argument : command.arguments) text += fish_argument(command, argument);
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<Command>& commands) {
  return shell == "bash"  ? bash_script(commands)
         : shell == "zsh" ? zsh_script(commands)
                          : fish_script(commands);
}

}  // namespace overlapack::cli
