#pragma once
/// Options by their names, for command lines, files and other languages.
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// An option as help and documentation show it (docs/options.md).
struct OptionDescription {
  std::string_view name;  ///< with underscores: "pivot_threshold"
  std::string flag;       ///< of the command line: "--pivot-threshold"
  std::string_view help;
  std::vector<std::string_view> choices;   ///< of a text option; empty: others, `range` says which
  std::string default_value;               ///< as text
  std::string range;                       ///< "one of auto, metis, ...", "a number from 0 to 1"
  std::string value_name;                  ///< NUMBER, NAME, BYTES, SECONDS; empty: true or false
  std::vector<std::string_view> commands;  ///< of the command line that take it: "solve", "plan", ...
  std::vector<std::string_view> common;    ///< of these, those whose short help has it
  std::string_view group;                  ///< the heading under which full help lists it; empty: none
};
OVERLAPACK_API std::vector<OptionDescription> describe_options();

/// Set an option from text: numbers, bytes with a unit (4G, 512MiB), seconds (90, 2min), choices.
/// Errors  BadPlan: one sentence with the option, the text and what is allowed; then the option stays as it was
OVERLAPACK_API void set_option(Options& options, std::string_view name, std::string_view text);

/// docs/options.md.
OVERLAPACK_API std::string options_markdown();

}  // namespace overlapack
