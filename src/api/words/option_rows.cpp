#include "api/words/option_rows.hpp"

#include "api/words/option_field.hpp"
#include "api/words/option_use.hpp"

#include <utility>

/// The rows of the table of options, a function for each group; those of one part of the library: option_rows.hpp.
namespace overlapack::api {
namespace {

constexpr unsigned every = every_run | command_plan;

std::vector<OptionEntry> task_options() {
  return {
      {.name = "method",
       .field = field(&Options::method),
       .help = "family of solver; block_triangular: LU of the diagonal blocks of a reducible matrix, those "
               "with little fill column by column, or LDL^T of a symmetric one column by column; supernodal: "
               "LU with static pivoting on a grid of ranks; auto: "
               "dense for dense arrays, block_triangular for "
               "sparse matrices with very low fill, else multifrontal, or supernodal on one rank "
               "where it is "
               "predicted to be much faster (report entry choice)",
       .commands = solve_and_plan,
       .common = solve_and_plan,
       .shapes_analysis = true},
      {.name = "factorization",
       .field = field(&Options::factorization),
       .help = "auto: ldlt if the entries are symmetric, else lu (dense: lu); cholesky: the caller knows "
               "that A is positive definite; quasidefinite (sparse): LDL^T with pivots of known signs, in "
               "any order "
               "without a search; qr (dense): also for more equations than unknowns, by least squares",
       .commands = solve_and_plan | command_dense,
       .common = solve_and_plan | command_dense,
       .shapes_analysis = true,
       .is_read = factorizes},
      {.name = "singular",
       .field = field(&Options::singular),
       .help = "a matrix that is proved to be singular to working precision; answer: right-hand sides that "
               "have a solution get one (status ill_conditioned), others are errors; always: all get an x, "
               "as inverse iteration wants it; refuse: its factorisation is an error",
       .commands = solve_and_dense,
       .is_read = refines},
  };
}

std::vector<OptionEntry> precision_options() {
  return {
      {.name = "precision",
       .field = field(&Options::precision),
       .help = "mixed factorises in single precision and refines in double, and factorises in double where "
               "that does not converge",
       .commands = command_solve,
       .common = command_solve,
       .is_read = makes_factors},
  };
}

std::vector<OptionEntry> run_options() {
  const auto at = fields_of(&Options::run);
  return {
      {.name = "ranks_per_node",
       .field = at(&RunOptions::ranks_per_node),
       .help = "dense LU: a node is this many consecutive ranks (schedule parity); 0: as the engine tells",
       .low = 0,
       .high = 4096,
       .commands = every_run,
       .of_distributed_matrix = true},
      {.name = "engine",
       .field = at(&RunOptions::engine),
       .help = "what carries messages; auto: mpi when started by mpirun or srun as one of several, else "
               "thread; shmem: "
               "OpenSHMEM (commands dense and jacobi, and solve with method jacobi or multisplitting)",
       .commands = every,
       .common = every},
      {.name = "ranks",
       .field = field(&Options::ranks),
       .help = "parallel ranks; 0: as many as pay, at most the usable processors",
       .low = 0,
       .high = 4096,
       .commands = every,
       .common = every},
      {.name = "workers",
       .field = field(&Options::workers),
       .help = "helper threads that take slices of large fronts, of products and of Jacobi sweeps: beyond "
               "the ranks (engine thread), of each rank (mpi, shmem)",
       .low = 0,
       .high = 4096,
       .commands = every_run,
       .common = every_run},
      {.name = "receive",
       .field = at(&RunOptions::receive),
       .help = "probe: receive what a probe finds; immediate: keep receives posted ahead of their messages",
       .is_read = makes_fronts},
      {.name = "posted",
       .field = at(&RunOptions::posted),
       .help = "receives kept posted (receive immediate)",
       .low = 1,
       .high = 1024,
       .is_read = makes_fronts},
      {.name = "early",
       .field = at(&RunOptions::early),
       .help = "fronts strips: a message that comes before one that it needs; park: is kept until its turn; "
               "wait: the other one is received first (paper 1; takes posted 1 or receive probe)",
       .is_read = makes_fronts},
      {.name = "progress_by",
       .field = at(&RunOptions::progress_by),
       .help = "who moves messages while kernels compute: poll: the rank, between slices; thread: a thread "
               "of its own (engine mpi, and an MPI that allows calls from it)",
       .commands = every_run},
      {.name = "eager_bytes",
       .field = at(&RunOptions::eager_bytes),
       .help = "messages up to here are copied and sent at once, longer ones wait for their receive; -1: the "
               "engine's default; engine mpi: above 1024 only where Open MPI is started by this program, "
               "whose own limit it sets",
       .low = -1,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every_run},
      {.name = "budget",
       .field = at(&RunOptions::budget_bytes),
       .help = "multifrontal: bytes of messages that a rank has under way; when they are used up it takes "
               "what has arrived until there is "
               "room, and a larger message goes alone; 0: twice its largest message so far (paper 1)",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .is_read = makes_fronts},
      {.name = "memory_limit",
       .field = at(&RunOptions::memory_limit_bytes),
       .help = "refuse to start when the numerical phase is predicted to need more; 0: what this computer "
               "has available",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every,
       .common = every},
      {.name = "time_limit",
       .field = at(&RunOptions::time_limit_s),
       .help = "cancel after this long; 0: never",
       .low = 0,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = iterations,
       .common = iterations},
      {.name = "watchdog",
       .field = at(&RunOptions::watchdog_s),
       .help = "after this long without a message, if all ranks wait, stop and say who waits for what; 0: "
               "never; -1: 60, simulated never",
       .low = -1,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = every_run},
      {.name = "trace",
       .field = at(&RunOptions::trace),
       .help = "keep the events of every rank (the command line's --trace FILE writes them)",
       .commands = 0},
  };
}

struct Group {
  std::string_view heading;
  std::vector<OptionEntry> rows;
  bool (*is_read)(const Options&) = nullptr;  ///< for rows that have none of their own
};

}  // namespace

const std::vector<OptionEntry>& options_table() {
  static const auto& table = *new auto([] {
    std::vector<OptionEntry> all;
    const Group groups[] = {{"Solver", task_options()},
                            {"Sparse factors", sparse_options(), makes_sparse_factors},
                            {"Fronts on several ranks", front_options(), makes_fronts},
                            {"Factors on disk", disk_options(), makes_fronts},
                            {"Compressed fronts", compression_options(), compresses_fronts},
                            {"Supernodal LU", node_options(), makes_nodes},
                            {"Refinement", refinement_options(), makes_factors},
                            {"Dense matrices", dense_options(), makes_dense_factors},
                            {"Solver", precision_options()},
                            {"Iterations", iteration_options(), iterates},
                            {"Multisplitting", multisplitting_options(), solves_with_blocks},
                            {"Where and how it runs", run_options()}};
    for (const Group& group : groups)
      for (OptionEntry entry : group.rows) {
        entry.group = group.heading;
        if (!entry.is_read) entry.is_read = group.is_read;
        all.push_back(std::move(entry));
      }
    return all;
  }());
  return table;
}

}  // namespace overlapack::api
