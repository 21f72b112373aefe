#pragma once
#include "overlapack/option_text.hpp"
#include "overlapack/options.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The one table of options. The command line's flags, Python's keywords, plan files, docs/options.md and docs/experiments.md are all
/// made from it; a new option is one row in option_rows.cpp or a neighbour. An experiment has the name "experiment.NAME", and is in an
/// object "experiment" in JSON (decision 0045).
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

using Tier = OptionTier;

/// The value of an option. A choice by name, and a value with a form of its own such as "2x3", is text.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
/// The upper end of a range without a limit.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Access to an option in Options (option_field.hpp).
struct OptionField {
  std::function<OptionValue(const Options&)> get;
  /// returns false for an unknown choice or a wrong form
  std::function<bool(Options&, const OptionValue&)> set;
  std::function<bool(const Options&)> is_default;
  std::vector<std::string_view> choices;  ///< of an enumeration
  double most;                            ///< largest whole number that it holds
};

struct OptionEntry {
  std::string_view name;  ///< with underscores; the command line writes them as dashes
  OptionField field;
  std::string_view help;
  Tier tier = Tier::expert;
  std::string_view source = {};  ///< of an experiment: the paper and its section
  /// choices that are planned: refused with a sentence of their own
  std::vector<std::string_view> not_built = {};
  std::string_view form = {};    ///< the form of a text without choices
  std::string_view wanted = {};  ///< what a refusal asks for, where that is more than the form
  double low = 0;                ///< of a number, inclusive
  double high = 0;
  Unit unit = Unit::none;
  unsigned commands = command_solve;
  /// also where the caller has distributed the matrix (ScaLAPACK's routines)
  bool of_distributed_matrix = false;
  bool shapes_analysis = false;  ///< a kept analysis is made with it, so that later calls cannot change it
  std::string_view group = {};   ///< the heading under which help lists it
  /// Whether a run by options.method reads the option (option_use.hpp). Null: every run reads or refuses it.
  bool (*is_read)(const Options& options) = nullptr;
};

/// Whether the option holds values of type V.
template <class V>
bool holds(const OptionEntry& entry) {
  return std::holds_alternative<V>(entry.field.get(Options{}));
}

const std::vector<OptionEntry>& options_table();

/// The option or experiment of this bare name (without "experiment."), with underscores or dashes; null if there is none.
const OptionEntry* find_option(std::string_view name);

/// The option of this name, or the experiment of the name "experiment.NAME".
/// Errors  BadPlan: there is none (the sentence has the name that may be meant), or an experiment lacks its prefix, or an option has it
const OptionEntry& option_named(std::string_view name);

inline constexpr std::string_view experiments_key = "experiment";
inline bool is_experiment(const OptionEntry& entry) { return entry.tier == Tier::experiment; }
/// "ordering", "experiment.strip_rows"
std::string full_name(const OptionEntry& entry);
/// "option ordering", "experiment strip_rows"
std::string kind_and_name(const OptionEntry& entry);

/// The commands of a bit set, by name.
std::vector<std::string_view> commands_of(unsigned commands);
/// The command line's spelling: "--pivot-threshold", "--experiment strip_rows".
std::string flag_of(const OptionEntry& entry);
std::string_view type_name(const OptionEntry& entry);
/// "0.01", "auto", "0 ..." as documentation prints it.
std::string value_text(const Options& options, const OptionEntry& entry);
/// "auto, metis, ..." or "1 ... 64".
std::string range_text(const OptionEntry& entry);

/// Set an option from text: numbers, bytes with a unit (4G, 512MiB), choices, forms.
/// Errors  BadPlan: one sentence with the option, the text and what is allowed
void set_from_text(Options& options, const OptionEntry& entry, std::string_view text);

/// Check that the value of this option is inside its range.  Errors  BadPlan
void check_entry(const Options& options, const OptionEntry& entry);

}  // namespace overlapack::api
