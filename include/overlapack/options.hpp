#pragma once
#include "overlapack/export.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// How far a call has come. `share` is the part of the phase's predicted work that is done, 0 to 1.
struct Progress {
  std::string_view phase;  ///< "analysis", "factorisation", "solve"
  double share = 0;
};

/// What a caller may decide; every field has a default that is meant to be right. docs/options.md has the
/// ranges and the names on the command line, in Python and in plan files: one table
/// (src/api/options_table.cpp) holds them all.
struct Options {
  // What is done
  std::string method = "auto";  ///< auto, multifrontal, block_triangular, dense, jacobi, multisplitting
  std::string factorization = "auto";  ///< auto, lu, ldlt, cholesky
  std::string ordering = "auto";       ///< auto, metis, amd, scotch, natural, user
  std::vector<Index> user_order =
      {};                         ///< ordering "user": user_order[k] is the variable eliminated k-th, from 0
  std::string matching = "auto";  ///< auto, on, off: maximum-product matching and its scalings
  std::string scaling = "auto";   ///< auto, ruiz, off: of rows and columns; auto: that of the matching
  bool null_pivots = false;       ///< factorise singular matrices too: rank, null space, consistent systems
  double pivot_threshold = 0.01;  ///< u: a pivot is at least u times the largest entry of its row
  /// > 0: no pivot is delayed, one below this x the largest entry is replaced by it
  double perturbation = 0;
  int refinement_steps = 10;     ///< at most; at least 10 after a perturbed pivot
  double refinement_target = 0;  ///< componentwise backward error to stop at; 0: 2 epsilon of the type
  double accuracy = 0;          ///< a backward error above it is "inaccurate"; 0: 45 epsilon, 1e-14 in double
  bool error_analysis = false;  ///< after a solve, estimate condition numbers and bound the error of x
  std::string precision = "working";  ///< working; mixed: factorise in single precision, refine in double

  // Fronts of the multifrontal method on several ranks
  /// auto, slices, strips: how ranks share one front; auto: strips unless they share memory
  std::string fronts = "auto";
  int strip_border = 192;          ///< a front with fewer border rows stays on one rank
  int strip_rows = 48;             ///< least rows of a strip
  int strip_panel = 128;           ///< pivots that a front's owner sends to its strips together
  std::string load_news = "lane";  ///< lane, shared, put: how ranks tell each other what work they have left
  bool steal = false;              ///< multifrontal: ranks without work take whole fronts from others
  Index chain_pivots = 256;        ///< least pivots of a part of a long front; 0: none is split
  std::string multicast = "auto";  ///< of panels to strips: tree (from 8 on), flat or auto
  /// load: larger where less work is left; static: as if there were no other work
  std::string strip_choice = "load";
  /// auto, sequential, grid: a root of the tree on one rank, or in blocks over all of them
  std::string root = "auto";
  int root_border = 400;  ///< auto: a root of a smaller order stays on one rank
  int root_block = 96;    ///< order of the blocks that are dealt

  // Dense matrices: LU with partial pivoting on a P x Q grid of ranks
  std::string schedule =
      "auto";     ///< auto, flat, lookahead, split, parity, hybrid: the order of the tasks of a step
  int depth = 1;  ///< panels factorised ahead (lookahead, hybrid)
  int block = 0;  ///< columns of a panel, order of the blocks that are dealt; 0: by the matrix
  std::string grid = "auto";       ///< "PxQ"; auto: all ranks, as square as they allow
  std::string broadcast = "auto";  ///< how panels travel: ring, modified_ring, ..., two_phase
  int ranks_per_node = 0;          ///< a node is this many consecutive ranks (parity); 0: as the engine tells

  // Jacobi's method and multisplitting
  std::string variant = "async";  ///< sync, async, racy: who waits for whom
  int in_flight = 0;              ///< messages under way to a neighbour (async); 0: up to 8
  /// iterations between two exchanges with the neighbours; 0: as often as pays, sync 1
  Index halo_period = 0;
  double tolerance = 1e-8;         ///< of ||b - A x||_2 / ||b||_2
  Index max_iterations = 1000000;  ///< of the ranks, on the average
  Index residual_period = 0;       ///< iterations between two looks at the residual; 0: 100, multisplitting 1
  std::string residual_sum = "tree";  ///< tree, doubling: how a global residual is summed (async, racy)
  std::string mapping = "ranks";      ///< ranks, nodes: which boxes of a grid a node has
  int final_sweeps = 0;               ///< iterations in step after an asynchronous end
  std::string slow_rank = "none";     ///< "RANK:FACTOR", an experiment: this rank takes FACTOR times as long

  // Multisplitting
  int overlap = 4;                ///< layers of the matrix's graph by which a block reaches into the others
  std::string inner = "direct";   ///< direct, cg: how a rank solves with its block
  double inner_tolerance = 1e-2;  ///< by which conjugate gradients reduce the residual of a block
  double damping = 1;             ///< share of a step that is taken
  int ranks_per_block = 1;        ///< ranks that solve with a block together

  // Where and how it runs
  std::string engine = "auto";        ///< auto: mpi when started by a launcher, else thread
  int ranks = 0;                      ///< 0: as many as pay, at most the usable processors
  int workers = 0;                    ///< helper threads beyond the ranks (thread engine), of each rank (mpi)
  std::string receive = "immediate";  ///< probe, immediate: receives posted ahead of their messages
  int posted = 4;                     ///< how many receives are posted ahead
  std::string early = "park";         ///< park or wait, where a message comes before one that it needs
  std::string progress_by = "poll";   ///< poll, thread: who moves messages while kernels compute (engine mpi)
  std::int64_t eager_bytes = -1;      ///< short protocol up to here; -1: the engine's default
  std::int64_t memory_limit_bytes = 0;  ///< of all ranks of this computer; 0: what is available
  double time_limit_s = 0;              ///< cancel after this long; 0: never
  double watchdog_s = -1;  ///< report who waits for what after this silence; 0: never; -1: 60 on threads
  bool trace = false;      ///< keep the events of every rank

  // Who is told
  std::function<bool(const Progress&)> progress =
      {};                                  ///< called on the caller's thread; true: stop (Cancelled)
  const void* mpi_communicator = nullptr;  ///< engine mpi: address of an MPI_Comm; null: MPI_COMM_WORLD
};

/// All of the table's options as a JSON object, the form of plan files.
OVERLAPACK_API std::string to_json(const Options& options);

/// `base` with the options that a JSON object names.
/// Errors  BadPlan if the text is no JSON object, or a name or value is not one of the table's
OVERLAPACK_API Options options_from_json(std::string_view json, const Options& base = {});

/// Are all values inside the table's ranges, and is what they ask for built?
/// Errors  BadPlan: one sentence that names the option, its value and what is allowed
OVERLAPACK_API void check(const Options& options);

/// The table as JSON, for other languages: a list of {name, type, default, choices, low, high, unit, help, commands}.
OVERLAPACK_API std::string options_schema_json();

}  // namespace overlapack
