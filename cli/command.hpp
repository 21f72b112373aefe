#pragma once
#include "overlapack/error.hpp"
#include "overlapack/options.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The commands of the executable, as data. main.cpp passes them to the parser; help, completion and man pages are made from them.
namespace overlapack::cli {

/// Exit codes of the process.
enum ExitCode : int {
  exit_ok = 0,
  exit_unwell = 1,  ///< command doctor found a problem
  exit_bad_input = 2,
  exit_singular = 3,
  exit_inaccurate = 4,  ///< or an iteration that has not converged
  exit_out_of_memory = 5,
  exit_comm_failure = 6,
  exit_internal = 70,
  exit_cancelled = 130
};

/// The exit code for this status, the same for all commands.
int exit_code(Status status);

/// An argument of the command line: "matrix" by its position, "-o,--output" by its name.
struct Argument {
  std::string name;
  std::string type_name;  ///< "FILE", "NUMBER", ...; empty: a flag without a value, `set` gets "true"
  std::string help;
  std::function<void(const std::string&)> set;
  bool is_required = false;
  std::string group = {};                    ///< heading in --help-all; empty: no separate heading
  bool is_common = true;                     ///< --help lists it; else --help-all only
  std::vector<std::string> choices = {};     ///< its values, where they have names
  std::string default_value = {};            ///< as help shows it
  std::string hidden_names = {};             ///< "--threads,-j": accepted, but not listed
  bool is_repeatable = false;                ///< given several times, `set` gets each value
  std::vector<std::string> beginnings = {};  ///< of its values, for completion: "strip_rows=", ...
};

/// Other names that are accepted for --ranks, since ranks are threads of the process unless a launcher started it.
inline constexpr const char* other_names_of_ranks = "--threads,-j";

/// The names in a list: "-o,--output" has -o and --output.
std::vector<std::string> names_of(const std::string& list);
/// The help text of an argument, with its choices and its default value.
std::string full_help(const Argument& argument);

struct Command {
  std::string name;
  std::string help;
  std::vector<Argument> arguments;
  std::function<int()> run;                  ///< returns the exit code, throws Error
  std::string footer = {};                   ///< more help, at the end
  std::vector<std::string>* rest = nullptr;  ///< gets the words behind "--"; null: none are allowed
  bool is_parallel = false;  ///< under a launcher every process runs it; else the first one only
  bool is_hidden = false;    ///< help does not list it
};

Command solve_command();
Command plan_command();
Command generate_command();
Command probe_command();
Command dense_command();
Command hpl_command();
Command jacobi_command();
Command info_command();
Command doctor_command();
Command diagnose_command();
Command inverse_command();
Command simulate_command();
Command study_command();
/// Commands for shells and manuals.
Command completion_command(const std::vector<Command>& commands);
Command share_command(const std::vector<Command>& commands);

// Arguments that fill a variable, which must outlive the parsing.
Argument file_argument(const std::string& name, const std::string& help, std::string& value,
                       bool is_required = false);
Argument text_argument(const std::string& name, const std::string& help, std::string& value,
                       bool is_required = false);
/// Errors  BadPlan if the text is no choice; the sentence has the choice that was probably meant
Argument choice_argument(const std::string& name, const std::string& help, std::vector<std::string> choices,
                         std::string& value, bool is_required = false);
/// Errors  BadPlan if the text is no number from low to high
Argument number_argument(const std::string& name, const std::string& help, double low, double high,
                         std::function<void(double)> set, bool is_required = false);
/// Errors  BadPlan if the text is no whole number from low to high, which are at most 2^53
Argument count_argument(const std::string& name, const std::string& help, double low, double high,
                        std::function<void(Index)> set, bool is_required = false);
Argument flag(const std::string& name, const std::string& help, bool& value);

/// The flags of a command for options of the table, and --experiment and --plan.
class OptionFlags {
 public:
  /// Append the arguments for `command`. This object must outlive the parsing.
  void add_to(std::vector<Argument>& arguments, std::string_view command);
  /// The options of the plan file, overridden by the flags.
  /// Errors  BadPlan, BadInput
  Options options() const;

 private:
  /// Set an experiment from the text "NAME=VALUE" of --experiment.
  /// Errors  BadPlan: the text does not have this form, or the command does not have the experiment
  void set_experiment(const std::string& command, const std::string& text);

  std::string plan_path_;
  std::vector<std::pair<std::string, std::string>> given_;
};

/// Whether this process reads, prints and writes. Under a launcher it is the first one.
bool is_root_process();
/// Has this process nothing to do? Ranks that are threads are those of the first process, also where a launcher started others.
bool is_bystander(const Options& options);

}  // namespace overlapack::cli
