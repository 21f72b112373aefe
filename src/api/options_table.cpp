#include "api/options_table.hpp"

#include "comm/collective/broadcast/broadcast.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

namespace overlapack::api {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr unsigned both = command_solve | command_plan;
constexpr unsigned every_run = command_solve | command_dense | command_hpl | command_jacobi;
constexpr unsigned iterations = command_solve | command_jacobi;
constexpr unsigned every = every_run | command_plan;

std::vector<std::string_view> broadcast_choices() {
  std::vector<std::string_view> choices{"auto"};
  choices.insert(choices.end(), std::begin(comm::collective::broadcast_names),
                 std::end(comm::collective::broadcast_names));
  return choices;
}

std::vector<OptionEntry> make_table() {
  using O = Options;
  return {
      {.name = "method",
       .field = &O::method,
       .help = "family of solver; block_triangular: LU of the diagonal blocks of a reducible matrix, those "
               "with little fill column "
               "by column; auto: dense for dense arrays, block_triangular for unsymmetric sparse matrices "
               "with very low fill, "
               "else multifrontal",
       .choices = {"auto", "multifrontal", "block_triangular", "dense", "jacobi", "multisplitting"},
       .not_built = {"supernodal"},
       .commands = both},
      {.name = "factorization",
       .field = &O::factorization,
       .help =
           "auto: ldlt if the entries are symmetric, else lu (dense: lu); cholesky: the caller knows that A "
           "is positive definite",
       .choices = {"auto", "lu", "ldlt", "cholesky"},
       .commands = both},
      {.name = "ordering",
       .field = &O::ordering,
       .help = "fill-reducing order; auto: the better of metis and amd by predicted time; user: the order "
               "given as user_order",
       .choices = {"auto", "metis", "amd", "scotch", "natural", "user"},
       .commands = both},
      {.name = "matching",
       .field = &O::matching,
       .help = "maximum-product matching and its scalings; auto: where the diagonal is weak",
       .choices = {"auto", "on", "off"},
       .commands = both},
      {.name = "scaling",
       .field = &O::scaling,
       .help = "of rows and columns, sparse factors; ruiz: largest entries to about 1; auto: that of the "
               "matching "
               "where there is one, with null_pivots ruiz unless rows or columns differ by more than 1e8",
       .choices = {"auto", "ruiz", "off"},
       .commands = both},
      {.name = "null_pivots",
       .field = &O::null_pivots,
       .help = "sparse factors: factorise a singular matrix, too; its rank is reported, consistent systems "
               "are solved"},
      {.name = "pivot_threshold",
       .field = &O::pivot_threshold,
       .help = "a pivot is at least this times the largest entry of its row; larger is more stable, smaller "
               "delays fewer pivots",
       .low = 0,
       .high = 1},
      {.name = "perturbation",
       .field = &O::perturbation,
       .help = "static pivoting, sparse factors: pivots that fail the threshold are taken where they are "
               "instead of delayed, and those "
               "below this times the largest entry are replaced by it (1e-8 suits double precision); "
               "iterative refinement, then at "
               "least 10 steps, makes up for it; 0: off",
       .low = 0,
       .high = 1},
      {.name = "fronts",
       .field = &O::fronts,
       .help =
           "multifrontal: how ranks share a large front; slices: whole fronts, ranks of one process take "
           "slices of the "
           "work; strips: its rows are dealt to ranks; auto: strips where ranks have memories of their own",
       .choices = {"auto", "slices", "strips"}},
      {.name = "strip_border",
       .field = &O::strip_border,
       .help = "fronts strips: a front with fewer rows to update stays on one rank",
       .low = 1,
       .high = 1e9},
      {.name = "strip_rows",
       .field = &O::strip_rows,
       .help = "fronts strips: least rows of a strip",
       .low = 1,
       .high = 1e9},
      {.name = "strip_panel",
       .field = &O::strip_panel,
       .help = "fronts strips: pivots that the owner of a front sends to its strips together",
       .low = 1,
       .high = 65536},
      {.name = "chain_pivots",
       .field = &O::chain_pivots,
       .help = "fronts strips: a front whose owner would have more than its share of the work is split into "
               "a chain of "
               "fronts with at least so many pivots; 0: none is",
       .low = 0,
       .high = 1e9},
      {.name = "multicast",
       .field = &O::multicast,
       .help = "fronts strips: how panels reach the strips; tree: through a binary tree of them from 8 on; "
               "flat: each from "
               "the owner of the front; auto: tree, flat with early wait",
       .choices = {"auto", "tree", "flat"}},
      {.name = "strip_choice",
       .field = &O::strip_choice,
       .help = "fronts strips: load: larger on ranks that have less work left, as they tell each other; "
               "static: as if no rank "
               "had other work, so that the same ranks give the same bits",
       .choices = {"load", "static"}},
      {.name = "load_news",
       .field = &O::load_news,
       .help = "fronts strips: how ranks tell each other what work they have left: lane: by messages with "
               "receives of their own; "
               "shared: by messages among the others, all of which are taken before strips are chosen (paper "
               "1); put: straight "
               "into the other's memory",
       .choices = {"lane", "shared", "put"}},
      {.name = "steal",
       .field = &O::steal,
       .help = "multifrontal: ranks without work take whole fronts and small subtrees from others, whatever "
               "the mapping; those "
               "in strips and on a grid stay. The same numbers, by other ranks. Not with early wait"},
      {.name = "root",
       .field = &O::root,
       .help = "multifrontal: how the largest root of the tree is factorised; sequential: as any front; "
               "grid: in blocks over "
               "all ranks, by dense LU or Cholesky; auto: grid where fronts are in strips and the root is "
               "large enough",
       .choices = {"auto", "sequential", "grid"},
       .commands = both},
      {.name = "root_border",
       .field = &O::root_border,
       .help = "root auto: a root of a smaller order stays on one rank",
       .low = 1,
       .high = 1e9,
       .commands = both},
      {.name = "root_block",
       .field = &O::root_block,
       .help = "root on a grid: order of the blocks that are dealt, columns of a panel",
       .low = 1,
       .high = 65536},
      {.name = "refinement_steps",
       .field = &O::refinement_steps,
       .help = "iterative refinement: at most this many steps",
       .low = 0,
       .high = 1000},
      {.name = "refinement_target",
       .field = &O::refinement_target,
       .help = "componentwise backward error at which refinement stops; 0: 2 epsilon of the type",
       .low = 0,
       .high = 1},
      {.name = "accuracy",
       .field = &O::accuracy,
       .help = "a solution with a backward error above it is reported as inaccurate; 0: 45 epsilon (1e-14 in "
               "double)",
       .low = 0,
       .high = 1},
      {.name = "error_analysis",
       .field = &O::error_analysis,
       .help = "sparse factors: after a solve, estimate condition numbers and bound the forward error; costs "
               "some ten "
               "solves a right-hand side"},
      {.name = "schedule",
       .field = &O::schedule,
       .help = "dense LU: in which order the tasks of a step run; auto: lookahead",
       .choices = {"auto", "flat", "lookahead", "split", "parity", "hybrid"},
       .not_built = {"superstep", "onesided"},
       .commands = command_solve | command_dense},
      {.name = "depth",
       .field = &O::depth,
       .help = "dense LU: panels that are factorised ahead (schedules lookahead and hybrid)",
       .low = 0,
       .high = 64,
       .commands = command_solve | command_dense},
      {.name = "block",
       .field = &O::block,
       .help =
           "dense LU: columns of a panel, and the order of the blocks that are dealt to the grid; 0: by the "
           "order of the matrix",
       .low = 0,
       .high = 65536,
       .commands = command_solve | command_dense},
      {.name = "grid",
       .field = &O::grid,
       .help = "dense LU: process rows x process columns; auto: all ranks, as square as they allow",
       .form = "auto, or PxQ as in 2x3",
       .commands = command_solve | command_dense},
      {.name = "broadcast",
       .field = &O::broadcast,
       .help = "dense LU: how panels travel along the process rows; auto: modified_ring",
       .choices = broadcast_choices(),
       .commands = command_solve | command_dense},
      {.name = "precision",
       .field = &O::precision,
       .help = "mixed factorises in single precision and refines in double, and factorises in "
               "double where "
               "that does not converge",
       .choices = {"working", "mixed"},
       .commands = command_solve},
      {.name = "variant",
       .field = &O::variant,
       .help =
           "iterations: sync: all ranks in step; async: nobody waits, halos are whole; racy: nobody waits, "
           "each number of a "
           "halo comes by itself",
       .choices = {"sync", "async", "racy"},
       .commands = iterations},
      {.name = "in_flight",
       .field = &O::in_flight,
       .help = "iterations: messages under way to each neighbour (async); 0: as many as the round trip takes "
               "iterations, at most 8",
       .low = 0,
       .high = 1e6,
       .commands = iterations},
      {.name = "halo_period",
       .field = &O::halo_period,
       .help = "iterations: so many between two exchanges with the neighbours; 0: sync 1, else so many that "
               "exchanges take "
               "5 % of the time, as far as the news of one last",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "tolerance",
       .field = &O::tolerance,
       .help = "iterations: stop when ||b - A x||_2 / ||b||_2 of the vector that is returned is at most this",
       .low = 0,
       .high = 1,
       .commands = iterations},
      {.name = "max_iterations",
       .field = &O::max_iterations,
       .help = "iterations: stop after this many iterations, on the average of the ranks",
       .low = 0,
       .high = 1e15,
       .commands = iterations},
      {.name = "residual_period",
       .field = &O::residual_period,
       .help = "iterations: so many between two looks at the residual; 0: 100 for Jacobi's method, 1 for "
               "multisplitting",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "residual_sum",
       .field = &O::residual_sum,
       .help = "iterations: how the ranks sum a residual for which nobody waits (async, racy); tree: up and "
               "down a binary tree, "
               "a step an iteration; doubling: exchanges 1, 2, 4, ... ranks away that go on in every poll, "
               "as a non-blocking reduction of MPI does",
       .choices = {"tree", "doubling"},
       .commands = iterations},
      {.name = "mapping",
       .field = &O::mapping,
       .help = "jacobi: which boxes of the grid a node's ranks have; ranks: the next ones, x fastest; nodes: "
               "a box of boxes",
       .choices = {"ranks", "nodes"},
       .commands = command_jacobi},
      {.name = "final_sweeps",
       .field = &O::final_sweeps,
       .help = "iterations: so many in step after an asynchronous end",
       .low = 0,
       .high = 1e6,
       .commands = iterations},
      {.name = "slow_rank",
       .field = &O::slow_rank,
       .help = "iterations, for experiments: this rank takes FACTOR times as long for an iteration",
       .form = "none, or RANK:FACTOR as in 3:2",
       .commands = iterations},
      {.name = "overlap",
       .field = &O::overlap,
       .help = "multisplitting: layers of the matrix's graph by which the block of a rank reaches into the "
               "others",
       .low = 0,
       .high = 1e6},
      {.name = "inner",
       .field = &O::inner,
       .help = "multisplitting: how a rank solves with its block; direct: factorised once by the "
               "multifrontal method; cg: "
               "conjugate gradients, for symmetric positive definite matrices",
       .choices = {"direct", "cg"}},
      {.name = "inner_tolerance",
       .field = &O::inner_tolerance,
       .help = "multisplitting: conjugate gradients reduce the residual of a block by this factor in each "
               "iteration",
       .low = 0,
       .high = 1},
      {.name = "damping",
       .field = &O::damping,
       .help = "multisplitting: share of each step that is taken; below 1 where many blocks overshoot",
       .low = 0,
       .high = 1},
      {.name = "ranks_per_block",
       .field = &O::ranks_per_block,
       .help = "multisplitting: so many consecutive ranks factorise a block together, and solve with it "
               "together; the first of them "
               "iterates; divides ranks",
       .low = 1,
       .high = 4096},
      {.name = "ranks_per_node",
       .field = &O::ranks_per_node,
       .help = "dense LU: a node is this many consecutive ranks (schedule parity); 0: as the engine tells",
       .low = 0,
       .high = 4096,
       .commands = every_run},
      {.name = "engine",
       .field = &O::engine,
       .help = "what carries messages; auto: mpi when started by mpirun or srun, else thread; shmem: "
               "OpenSHMEM (command jacobi, "
               "and solve with method jacobi or multisplitting)",
       .choices = {"auto", "thread", "mpi", "shmem"},
       .commands = every},
      {.name = "ranks",
       .field = &O::ranks,
       .help = "parallel ranks; 0: as many as pay, at most the usable processors",
       .low = 0,
       .high = 4096,
       .commands = every},
      {.name = "workers",
       .field = &O::workers,
       .help = "helper threads that take slices of large fronts, of products and of Jacobi sweeps: beyond "
               "the ranks (engine thread), of each rank (mpi, shmem)",
       .low = 0,
       .high = 4096,
       .commands = every_run},
      {.name = "receive",
       .field = &O::receive,
       .help = "probe: receive what a probe finds; immediate: keep receives posted ahead of their messages",
       .choices = {"immediate", "probe"}},
      {.name = "posted",
       .field = &O::posted,
       .help = "receives kept posted (receive immediate)",
       .low = 1,
       .high = 1024},
      {.name = "early",
       .field = &O::early,
       .help = "fronts strips: a message that comes before one that it needs; park: is kept until its turn; "
               "wait: the other "
               "one is received first (paper 1; takes posted 1 or receive probe)",
       .choices = {"park", "wait"}},
      {.name = "progress_by",
       .field = &O::progress_by,
       .help = "who moves messages while kernels compute: poll: the rank, between slices; thread: a thread "
               "of its own "
               "(engine mpi, and an MPI that allows calls from it)",
       .choices = {"poll", "thread"},
       .commands = every_run},
      {.name = "eager_bytes",
       .field = &O::eager_bytes,
       .help = "messages up to here are copied and sent at once, longer ones wait for their receive; -1: the "
               "engine's default",
       .low = -1,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every_run},
      {.name = "memory_limit",
       .field = &O::memory_limit_bytes,
       .help = "refuse to start when the numerical phase is predicted to need more; 0: what this computer "
               "has available",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every},
      {.name = "time_limit",
       .field = &O::time_limit_s,
       .help = "cancel after this long; 0: never",
       .low = 0,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = iterations},
      {.name = "watchdog",
       .field = &O::watchdog_s,
       .help = "after this long without a message, stop and say who waits for what; 0: never; -1: 60 on "
               "threads, where it "
               "needs all ranks to wait, never on mpi",
       .low = -1,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = every_run},
      {.name = "trace",
       .field = &O::trace,
       .help = "keep the events of every rank (the command line's --trace FILE writes them)",
       .commands = 0},
  };
}

[[noreturn]] void refuse(const OptionEntry& entry, std::string_view value) {
  const bool is_planned = std::ranges::find(entry.not_built, value) != entry.not_built.end();
  const std::string name(entry.name), quoted = "\"" + std::string(value) + "\"";
  throw Error(ErrorKind::bad_plan, "options",
              (is_planned ? name + " " + quoted + " is not built yet" : "option " + name + " is " + quoted) +
                  "; give " + range_text(entry));
}

/// 1 for "", 1000 for "k", 1024 for "KiB", "Ki" and so on; 0 if it is no unit of bytes.
double byte_factor(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  constexpr std::string_view prefixes = "kMGT";
  const char letter = unit[0] == 'K' ? 'k' : unit[0];
  const std::size_t power = prefixes.find(letter);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = unit.substr(1);
  if (rest.empty() || rest == "i" || rest == "iB") return std::pow(1024.0, double(power + 1));
  return rest == "B" ? std::pow(1000.0, double(power + 1)) : 0;
}

double second_factor(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1;
  if (unit == "ms") return 1e-3;
  if (unit == "min" || unit == "m") return 60;
  return unit == "h" ? 3600 : 0;
}

double number_from(const OptionEntry& entry, std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || std::isnan(value)) refuse(entry, text);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  double factor = unit.empty() ? 1 : 0;
  if (entry.unit == Unit::bytes) factor = byte_factor(unit);
  if (entry.unit == Unit::seconds) factor = second_factor(unit);
  if (factor == 0) refuse(entry, text);
  return value * factor;
}

/// Whole numbers only; the range is checked before the conversion, which would overflow.
template <class Integer>
Integer whole(const OptionEntry& entry, std::string_view text, double value) {
  const double most = std::min(entry.high, double(std::numeric_limits<Integer>::max() / 2));
  const bool rounds = entry.unit == Unit::bytes;
  if (!(value >= entry.low && value <= most) || (!rounds && value != std::floor(value))) refuse(entry, text);
  return static_cast<Integer>(value);
}

std::string number_text(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string commands_text(const OptionEntry& entry) {
  std::string text;
  for (std::string_view command : commands_of(entry))
    text += (text.empty() ? "" : ", ") + std::string(command);
  return text.empty() ? "Python and plan files" : text;
}

}  // namespace

const std::vector<OptionEntry>& options_table() {
  static const std::vector<OptionEntry> table = make_table();
  return table;
}

const OptionEntry* find_option(std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  for (const OptionEntry& entry : options_table())
    if (entry.name == plain) return &entry;
  return nullptr;
}

std::vector<std::string_view> commands_of(const OptionEntry& entry) {
  std::vector<std::string_view> names;
  for (std::size_t bit = 0; bit < std::size(command_names); ++bit)
    if (entry.commands >> bit & 1u) names.push_back(command_names[bit]);
  return names;
}

std::string flag_of(const OptionEntry& entry) {
  std::string flag = "--" + std::string(entry.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string_view type_name(const OptionEntry& entry) {
  constexpr std::string_view names[] = {"bool", "int", "int", "float", "str"};
  return names[entry.field.index()];
}

std::string value_text(const Options& options, const OptionEntry& entry) {
  return std::visit(
      [&](auto field) -> std::string {
        const auto& value = options.*field;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
          return value;
        else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>)
          return value ? "true" : "false";
        else
          return number_text(double(value));
      },
      entry.field);
}

std::string range_text(const OptionEntry& entry) {
  std::string text;
  for (std::string_view choice : entry.choices) text += (text.empty() ? "" : ", ") + std::string(choice);
  if (!text.empty()) return "one of " + text;
  if (!entry.form.empty()) return std::string(entry.form);
  if (std::holds_alternative<bool Options::*>(entry.field)) return "true or false";
  const bool is_real = std::holds_alternative<double Options::*>(entry.field);
  const std::string_view noun = entry.unit == Unit::bytes     ? "bytes (2G, 512M)"
                                : entry.unit == Unit::seconds ? "seconds"
                                : is_real                     ? "a number"
                                                              : "a whole number";
  if (entry.high == unlimited) return std::string(noun) + " of at least " + number_text(entry.low);
  return std::string(noun) + " from " + number_text(entry.low) + " to " + number_text(entry.high);
}

void set_from_text(Options& options, const OptionEntry& entry, std::string_view text) {
  if (const auto* field = std::get_if<std::string Options::*>(&entry.field))
    options.** field = text;
  else if (const auto* field = std::get_if<bool Options::*>(&entry.field))
    options.** field = text == "true" || (text != "false" && (refuse(entry, text), false));
  else if (const auto* field = std::get_if<int Options::*>(&entry.field))
    options.** field = whole<int>(entry, text, number_from(entry, text));
  else if (const auto* field = std::get_if<std::int64_t Options::*>(&entry.field))
    options.** field = whole<std::int64_t>(entry, text, number_from(entry, text));
  else
    options.*std::get<double Options::*>(entry.field) = number_from(entry, text);
  check_entry(options, entry);
}

void check_entry(const Options& options, const OptionEntry& entry) {
  const std::string text = value_text(options, entry);
  if (!entry.choices.empty()) {
    if (std::find(entry.choices.begin(), entry.choices.end(), text) == entry.choices.end())
      refuse(entry, text);
    return;
  }
  std::visit(
      [&](auto field) {
        if constexpr (!std::is_same_v<decltype(field), std::string Options::*>) {
          const double value = double(options.*field);
          const bool is_flag = std::is_same_v<decltype(field), bool Options::*>;
          if (!is_flag && !(value >= entry.low && value <= entry.high)) refuse(entry, text);
        }
      },
      entry.field);
}

std::string options_markdown() {
  const Options defaults;
  std::ostringstream out;
  out << "# Options\n\nMade by `overlapack info --options` from src/api/options_table.cpp; a test "
         "compares them.\n"
      << "The command line writes dashes (`--pivot-threshold`), Python and plan files underscores.\n\n"
      << "| option | type | default | values | what it does | commands |\n|---|---|---|---|---|---|\n";
  for (const OptionEntry& entry : options_table())
    out << "| `" << entry.name << "` | " << type_name(entry) << " | " << value_text(defaults, entry) << " | "
        << range_text(entry) << " | " << entry.help << " | " << commands_text(entry) << " |\n";
  return out.str();
}

}  // namespace overlapack::api
