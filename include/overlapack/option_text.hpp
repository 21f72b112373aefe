#pragma once
/// Options by their names, for command lines, files and other languages.
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// Who needs an option: most users; experts; those who study a paper or the library itself.
enum class OptionTier : std::uint8_t { common, expert, experiment };

/// An option as help and documentation show it (docs/options.md, docs/experiments.md).
struct OptionDescription {
  std::string_view name;  ///< with underscores: "pivot_threshold"
  std::string flag;  ///< of the command line: "--pivot-threshold"; of an experiment "--experiment strip_rows"
  std::string_view help;
  OptionTier tier;
  std::string_view source;                 ///< of an experiment: the paper and its section
  std::vector<std::string_view> choices;   ///< of a text option; empty: others, `range` says which
  std::string default_value;               ///< as text
  std::string range;                       ///< "one of auto, metis, ...", "a number from 0 to 1"
  std::string value_name;                  ///< NUMBER, NAME, BYTES, SECONDS; empty: true or false
  std::vector<std::string_view> commands;  ///< of the command line that take it: "solve", "plan", ...
  std::string_view group;                  ///< the heading under which full help lists it; empty: none
};
OVERLAPACK_API std::vector<OptionDescription> describe_options();

/// Set an option from text: numbers, bytes with a unit (4G, 512MiB), seconds (90, 2min), choices. The name of an experiment is
/// "experiment.strip_rows".
/// Errors  BadPlan: one sentence with the option, the text and what is allowed; then the option stays as it was
OVERLAPACK_API void set_option(Options& options, std::string_view name, std::string_view text);

/// docs/options.md and docs/experiments.md.
OVERLAPACK_API std::string options_markdown();
OVERLAPACK_API std::string experiments_markdown();

}  // namespace overlapack
