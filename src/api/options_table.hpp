#pragma once
#include "overlapack/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The one table of options: the command line's flags, Python's keywords, plan files and docs/options.md come from it.
namespace overlapack::api {

/// Commands that take an option, as a bit set.
enum Command : unsigned {
  command_solve = 1,
  command_plan = 2,
  command_dense = 4,
  command_hpl = 8,
  command_jacobi = 16
};
inline constexpr std::string_view command_names[] = {"solve", "plan", "dense", "hpl", "jacobi"};

enum class Unit : std::uint8_t { none, bytes, seconds };

using OptionField = std::variant<bool Options::*, int Options::*, std::int64_t Options::*, double Options::*,
                                 std::string Options::*>;

struct OptionEntry {
  std::string_view name;  ///< with underscores; the command line writes them as dashes
  OptionField field;
  std::string_view help;
  std::vector<std::string_view> choices = {};  ///< of a text option
  std::vector<std::string_view> not_built =
      {};                      ///< choices that are planned: refused with a sentence of their own
  std::string_view form = {};  ///< what a text option without choices looks like
  double low = 0;              ///< of a number, inclusive
  double high = 0;
  Unit unit = Unit::none;
  unsigned commands = command_solve;
};

const std::vector<OptionEntry>& options_table();

/// The option of this name, with underscores or dashes; null if there is none.
const OptionEntry* find_option(std::string_view name);

/// The commands that take it, by name.
std::vector<std::string_view> commands_of(const OptionEntry& entry);
/// The command line's spelling: "--pivot-threshold".
std::string flag_of(const OptionEntry& entry);
std::string_view type_name(const OptionEntry& entry);
/// "0.01", "auto", "0 ..." as documentation prints it.
std::string value_text(const Options& options, const OptionEntry& entry);
/// "auto, metis, ..." or "1 ... 64".
std::string range_text(const OptionEntry& entry);

/// Set an option from text: numbers, bytes with a unit (4G, 512MiB), choices.
/// Errors  BadPlan: one sentence with the option, the text and what is allowed
void set_from_text(Options& options, const OptionEntry& entry, std::string_view text);

/// Is the value of this option inside its range?  Errors  BadPlan
void check_entry(const Options& options, const OptionEntry& entry);

/// docs/options.md.
std::string options_markdown();

}  // namespace overlapack::api
