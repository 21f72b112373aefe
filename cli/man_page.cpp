#include "man_page.hpp"

#include "overlapack/environment.hpp"
#include "text.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace overlapack::cli {
namespace {

/// The text escaped for roff: backslashes, hyphens, and dots at the start of a line.
std::string roff(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (all.empty() && (c == '.' || c == '\'')) all += "\\&";
    if (c == '\\')
      all += "\\e";
    else if (c == '-')
      all += "\\-";
    else
      all += c == '|' ? std::string("|\\:") : std::string(1, c);  // a line of choices may break here
  }
  return all;
}

std::string header(const std::string& name, const std::string& help) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return ".TH " + upper + " 1 \"\" \"overlapack " + version() + "\" \"User Commands\"\n.ad l\n.SH NAME\n" +
         roff(name) + " \\- " + roff(help) + "\n";
}

std::string man_term(const std::string& head, const std::string& text) {
  return ".TP\n" + head + "\n" + roff(text) + "\n";
}

/// \fB-o\fR, \fB--output\fR \fIFILE\fR
std::string head_of(const Argument& argument) {
  if (!argument.name.starts_with('-')) return "\\fI" + roff(argument.name) + "\\fR";
  std::string head;
  for (const std::string& name : names_of(argument.name))
    head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  return argument.type_name.empty() ? head : head + " \\fI" + argument.type_name + "\\fR";
}

std::string synopsis(const Command& command) {
  std::string text = ".SH SYNOPSIS\n\\fBoverlapack " + command.name + "\\fR";
  for (const Argument& argument : command.arguments)
    if (!argument.name.starts_with('-')) text += " \\fI" + roff(argument.name) + "\\fR";
  text += " [\\fIoptions\\fR]";
  if (command.rest) text += " [\\-\\- \\fIwords\\fR]";
  return text + "\n";
}

/// The footer of a command in roff. Each indented line of it is a word and its meaning.
std::string footer_of(const Command& command) {
  if (command.footer.empty()) return {};
  std::string text = ".SH DESCRIPTION\n";
  std::istringstream lines(command.footer);
  bool is_behind_text = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, meaning;
    if (line.starts_with("  ") && words >> word && std::getline(words >> std::ws, meaning))
      text += man_term("\\fB" + roff(word) + "\\fR", meaning);
    else if (!line.empty())
      text += (std::exchange(is_behind_text, true) ? ".br\n" : "") + roff(line) + "\n";
  }
  return text;
}

std::string options_of(const Command& command) {
  std::string text = ".SH OPTIONS\n";
  std::vector<std::string> groups{""};
  for (const Argument& argument : command.arguments)
    if (std::ranges::count(groups, argument.group) == 0) groups.push_back(argument.group);
  for (const std::string& group : groups) {
    if (!group.empty()) text += ".SS " + roff(group) + "\n";
    for (const Argument& argument : command.arguments)
      if (argument.group == group) text += man_term(head_of(argument), full_help(argument));
  }
  return text;
}

std::string exit_status() {
  const std::pair<const char*, const char*> codes[] = {
      {"0", "It is done."},
      {"1", "doctor found something wrong."},
      {"2", "The command line, a file or a plan is wrong; a sentence says what."},
      {"3", "The matrix is singular, and the system has no solution."},
      {"4", "There is an answer, but it is not as accurate as it should be."},
      {"5", "The memory does not suffice."},
      {"6", "Processes could not talk to each other."},
      {"70", "A defect of overlapack."},
      {"130", "Stopped by Ctrl\\-C, SIGTERM or a time limit."}};
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : codes) text += std::string(".TP\n") + code + "\n" + meaning + "\n";
  return text;
}

}  // namespace

std::string man_page(const std::vector<Command>& commands) {
  std::string text = header("overlapack", "parallel sparse and dense linear solvers") +
                     ".SH SYNOPSIS\n\\fBoverlapack\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n"
                     ".SH DESCRIPTION\nSolves A x = b in parallel with communication that never stalls the "
                     "computation. Each command has a page of its own.\n.SH COMMANDS\n";
  for (const Command& command : commands)
    if (!command.is_hidden) text += man_term("\\fBoverlapack\\-" + command.name + "\\fR(1)", command.help);
  text +=
      ".SH EXAMPLES\n.nf\noverlapack generate elasticity 8 \\-o part.mtx\n"
      "overlapack solve part.mtx \\-\\-explain \\-o x.mtx\n"
      "overlapack generate cube 20 \\-o \\- | overlapack solve \\- \\-o \\- > x.mtx\n.fi\n";
  return text + exit_status();
}

std::string man_page(const Command& command) {
  return header("overlapack-" + command.name, command.help) + synopsis(command) + footer_of(command) +
         options_of(command) + exit_status() + ".SH SEE ALSO\n.BR overlapack (1)\n";
}

}  // namespace overlapack::cli
