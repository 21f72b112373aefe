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

/// The one table of options: the command line's flags, Python's keywords, plan files, docs/options.md and docs/experiments.md come
/// from it. An experiment is named "experiment.NAME", and stands in an object "experiment" in JSON (decision 0045).
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

/// The option of this bare name, of any tier, with underscores or dashes; null if there is none.
const OptionEntry* find_option(std::string_view name);

/// The option of this name, or the experiment of the name "experiment.NAME".
/// Errors  BadPlan: there is none, with the name that may be meant; or it has the other form, with the one to give
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

/// Is the value of this option inside its range?  Errors  BadPlan
void check_entry(const Options& options, const OptionEntry& entry);

}  // namespace overlapack::api
