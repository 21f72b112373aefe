#pragma once
/// Options by their names, for command lines, files and other languages.
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// Who needs an option. common: most users. expert: experts. experiment: people who study a paper or the library itself.
enum class OptionTier : std::uint8_t { common, expert, experiment };

/// An option as help and documentation show it (docs/options.md, docs/experiments.md).
struct OptionDescription {
  std::string_view name;  ///< with underscores: "pivot_threshold"
  /// on the command line: "--pivot-threshold"; for an experiment "--experiment strip_rows"
  std::string flag;
  std::string_view help;
  OptionTier tier;
  std::string_view source;  ///< for an experiment: the paper and its section
  /// the allowed words; empty for an option that is no word, see `range`
  std::vector<std::string_view> choices;
  std::string default_value;               ///< as text
  std::string range;                       ///< "one of auto, metis, ...", "a number from 0 to 1"
  std::string value_name;                  ///< NUMBER, NAME, BYTES, SECONDS; empty: true or false
  std::vector<std::string_view> commands;  ///< commands that take the option: "solve", "plan", ...
  std::string_view group;                  ///< the heading under which full help lists it; empty: none
};
/// All options with a flat name, in the order of the documentation.
OVERLAPACK_API std::vector<OptionDescription> describe_options();

/// Set an option from text: a number, bytes with a unit (4G, 512MiB), seconds (90, 2min), or a word. The name of an experiment has a
/// prefix: "experiment.strip_rows".
/// Errors  BadPlan: one sentence with the option, the text and what is allowed. The option is then unchanged
OVERLAPACK_API void set_option(Options& options, std::string_view name, std::string_view text);

/// The text of docs/options.md and of docs/experiments.md.
OVERLAPACK_API std::string options_markdown();
OVERLAPACK_API std::string experiments_markdown();

}  // namespace overlapack
