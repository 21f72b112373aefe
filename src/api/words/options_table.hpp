#pragma once
#include "overlapack/options.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The one table of options: the command line's flags, Python's keywords, plan files and docs/options.md come from it.
namespace overlapack::api {

/// Commands that have an option, as a bit set.
enum Command : unsigned {
  command_solve = 1,
  command_plan = 2,
  command_dense = 4,
  command_hpl = 8,
  command_jacobi = 16
};
inline constexpr std::string_view command_names[] = {"solve", "plan", "dense", "hpl", "jacobi"};

enum class Unit : std::uint8_t { none, bytes, seconds };

/// The value of an option; what is chosen by name, and what has a form of its own, as text.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
/// The upper end of a range that has none.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Access to an option in Options (option_field.hpp).
struct OptionField {
  std::function<OptionValue(const Options&)> get;
  std::function<bool(Options&, const OptionValue&)> set;  ///< false: no such choice, or not in its form
  std::function<bool(const Options&)> is_default;
  std::vector<std::string_view> choices;  ///< of an enumeration
  double most;                            ///< largest whole number that it holds
};

struct OptionEntry {
  std::string_view name;  ///< with underscores; the command line writes them as dashes
  OptionField field;
  std::string_view help;
  /// choices that are planned: refused with a sentence of their own
  std::vector<std::string_view> not_built = {};
  std::string_view form = {};    ///< the form of a text without choices
  std::string_view wanted = {};  ///< what a refusal asks for, where that is more than the form
  double low = 0;                ///< of a number, inclusive
  double high = 0;
  Unit unit = Unit::none;
  unsigned commands = command_solve;
  unsigned common = 0;  ///< the commands whose short help has it
  bool of_distributed_matrix =
      false;                     ///< also where the caller has distributed the matrix (ScaLAPACK's routines)
  bool shapes_analysis = false;  ///< an analysis that is kept is made with it, once and for all
  std::string_view group = {};   ///< the heading under which help lists it
  /// does a run by options.method read it (option_use.hpp)? null: every run reads or refuses it
  bool (*is_read)(const Options& options) = nullptr;
};

/// Does the option hold values of this type?
template <class V>
bool holds(const OptionEntry& entry) {
  return std::holds_alternative<V>(entry.field.get(Options{}));
}

const std::vector<OptionEntry>& options_table();

/// The option of this name, with underscores or dashes; null if there is none.
const OptionEntry* find_option(std::string_view name);

/// Message about a name that is none: suggests the likely one, else lists all.
std::string unknown_text(std::string_view name);

/// The commands of a bit set, by name.
std::vector<std::string_view> commands_of(unsigned commands);
/// The command line's spelling: "--pivot-threshold".
std::string flag_of(const OptionEntry& entry);
std::string_view type_name(const OptionEntry& entry);
/// "0.01", "auto", "0 ..." as documentation prints it.
std::string value_text(const Options& options, const OptionEntry& entry);
/// "auto, metis, ..." or "1 ... 64".
std::string range_text(const OptionEntry& entry);

/// Set an option from text: numbers, bytes with a unit (4G, 512MiB), choices, forms.
/// Errors  BadPlan: one sentence with the option, the text and what is allowed
void set_from_text(Options& options, const OptionEntry& entry, std::string_view text);

/// Is the value of this option inside its range?  Errors  BadPlan
void check_entry(const Options& options, const OptionEntry& entry);

/// docs/options.md.
std::string options_markdown();

}  // namespace overlapack::api
