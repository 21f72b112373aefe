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
       .help = "The family of solvers. multifrontal: sparse factors by fronts. supernodal: sparse LU with "
               "static pivoting on a grid of ranks. block_triangular: factors of the diagonal blocks of a "
               "reducible matrix, column by column where the fill is low. dense: factors of the whole array. "
               "jacobi and multisplitting: iterations. auto: dense for arrays. For sparse matrices auto is "
               "block_triangular if the fill is very low. On one rank it is supernodal if that is predicted "
               "to be much faster. Otherwise it is multifrontal. The report gives the reason (choice)",
       .tier = Tier::common,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "factorization",
       .field = field(&Options::factorization),
       .help = "The kind of factors. auto: ldlt if the entries are symmetric, otherwise lu, and for dense "
               "arrays always lu. cholesky: for a matrix that the caller knows to be positive definite. "
               "quasidefinite (sparse): LDL^T with pivots of known signs, in any order, without a search. qr "
               "(dense): least squares, also for more equations than unknowns",
       .tier = Tier::common,
       .commands = solve_and_plan | command_dense,
       .shapes_analysis = true,
       .is_read = factorizes},
      {.name = "singular",
       .field = field(&Options::singular),
       .help = "The result for a matrix that is proved to be singular to working precision. answer: a "
               "right-hand side that has a solution gets one with the status ill_conditioned, any other is "
               "an error. always: every right-hand side gets an x, as inverse iteration needs it. refuse: "
               "the factorisation is an error",
       .commands = solve_and_dense,
       .is_read = refines},
  };
}

std::vector<OptionEntry> precision_options() {
  return {
      {.name = "precision",
       .field = field(&Options::precision),
       .help = "The precision of the factors. mixed: the factors are in single precision and the solution is "
               "refined in double precision. If refinement does not converge, the matrix is factorised again "
               "in double precision",
       .tier = Tier::common,
       .commands = command_solve,
       .is_read = makes_factors},
  };
}

std::vector<OptionEntry> run_options() {
  const auto at = fields_of(&Options::run);
  return {
      {.name = "ranks_per_node",
       .field = at(&RunOptions::ranks_per_node),
       .help =
           "dense LU: this number of consecutive ranks is a node (schedule parity). 0: as the engine reports",
       .tier = Tier::experiment,
       .source = "Viet, Yoshinaga 2006, section 3: the ranks of a node in opposite phases",
       .low = 0,
       .high = 4096,
       .commands = every_run,
       .of_distributed_matrix = true},
      {.name = "engine",
       .field = at(&RunOptions::engine),
       .help =
           "The layer that carries messages. thread: ranks are threads of one process. mpi: ranks are "
           "processes. auto: mpi if mpirun or srun started several processes, otherwise thread. shmem: "
           "OpenSHMEM, for the commands dense and jacobi, and for solve with method jacobi or multisplitting",
       .tier = Tier::common,
       .commands = every},
      {.name = "ranks",
       .field = field(&Options::ranks),
       .help = "The number of parallel ranks. 0: the program chooses, at most the usable processors",
       .tier = Tier::common,
       .low = 0,
       .high = 4096,
       .commands = every},
      {.name = "workers",
       .field = field(&Options::workers),
       .help = "The number of helper threads, which take slices of large fronts, products and Jacobi sweeps. "
               "With engine thread they come in addition to the ranks. With mpi and shmem each rank has this "
               "number",
       .tier = Tier::common,
       .low = 0,
       .high = 4096,
       .commands = every_run},
      {.name = "receive",
       .field = at(&RunOptions::receive),
       .help = "How a rank receives messages. probe: it receives what a probe finds. immediate: it keeps "
               "receives posted ahead of the messages",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1, Algorithms 1 (probe) and 2 (immediate)",
       .is_read = makes_fronts},
      {.name = "posted",
       .field = at(&RunOptions::posted),
       .help = "receive immediate: the number of receives that are kept posted",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1: 1",
       .low = 1,
       .high = 1024,
       .is_read = makes_fronts},
      {.name = "early",
       .field = at(&RunOptions::early),
       .help = "fronts strips: what happens to a message that comes before another one that it needs. park: "
               "it is kept until its turn. wait: the other one is received first, which needs posted 1 or "
               "receive probe",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1, Algorithms 3 and 4: wait",
       .is_read = makes_fronts},
      {.name = "progress_by",
       .field = at(&RunOptions::progress_by),
       .help = "Who moves messages while kernels compute. poll: the rank, between slices. thread: a thread "
               "of its own, with engine mpi and an MPI that allows calls from it",
       .tier = Tier::experiment,
       .source = "developers of the library, progress of messages",
       .commands = every_run},
      {.name = "eager_bytes",
       .field = at(&RunOptions::eager_bytes),
       .help = "A message of at most this size is copied and sent at once. A longer one waits for its "
               "receive. -1: the default of the engine. With engine mpi, a value above 1024 needs an Open "
               "MPI that this program starts, because the program sets the limit of Open MPI",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 3, Table 2: thresholds of the short protocol",
       .low = -1,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every_run},
      {.name = "budget",
       .field = at(&RunOptions::budget_bytes),
       .help = "multifrontal: the bytes of messages that a rank may have under way. If they are used up, the "
               "rank receives until there is room. A larger message goes alone. 0: twice the largest message "
               "so far",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1: the send buffer",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .is_read = makes_fronts},
      {.name = "memory_limit",
       .field = at(&RunOptions::memory_limit_bytes),
       .help =
           "The most memory of the numerical phase, for all ranks of this computer together. A factorisation "
           "that is predicted to need more does not start. Fronts that come to need more are stopped. 0: "
           "the memory that this computer has available",
       .tier = Tier::common,
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = every,
       .is_read = predicts_memory},
      {.name = "time_limit",
       .field = at(&RunOptions::time_limit_s),
       .help = "Cancel the run after this time. 0: never",
       .tier = Tier::common,
       .low = 0,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = iterations},
      {.name = "watchdog",
       .field = at(&RunOptions::watchdog_s),
       .help = "If all ranks wait and no message comes for this time, stop and report who waits for what. 0: "
               "never. -1: 60 seconds, and never on simulated machines",
       .low = -1,
       .high = unlimited,
       .unit = Unit::seconds,
       .commands = every_run},
      {.name = "trace",
       .field = at(&RunOptions::trace),
       .help = "Keep the events of every rank. On the command line, --trace FILE writes them to a file",
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
