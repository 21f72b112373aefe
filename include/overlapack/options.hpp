#pragma once
#include "overlapack/choices.hpp"
#include "overlapack/export.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// How far a call has come. `share` is the part of the phase's predicted work that is done, 0 to 1. For an analysis it is a guess.
struct Progress {
  std::string_view phase;  ///< "analysis", "factorisation", "solve", "iteration"
  double share = 0;
  std::string_view step = {};  ///< of an analysis: "matching", "nested dissection", ...; else empty
};

/// Ordering, matching, scaling and pivoting of sparse direct methods.
struct SparseOptions {
  std::optional<Ordering> ordering = {};
  OrderingEffort ordering_effort = OrderingEffort::normal;  ///< effort of Ordering::dissection
  std::vector<Index> user_order = {};   ///< Ordering::user: unknown user_order[k] is eliminated k-th, from 0
  std::optional<Switch> matching = {};  ///< maximum-product matching and its scalings
  std::optional<ScalingKind> scaling = {};  ///< empty: the scaling that the matching gives
  bool null_pivots = false;       ///< factorise singular matrices too: rank, null space, consistent systems
  double pivot_threshold = 0.01;  ///< u: a pivot is at least u times the largest entry of its row
  /// Static pivoting, if > 0: no pivot is delayed, and a pivot below perturbation x (the largest entry of the matrix) is replaced by
  /// that product. With 0 only method supernodal replaces pivots, with 1e-13. With factorization quasidefinite the product is of the
  /// largest entry of the row, and 0 means 1e-8.
  double perturbation = 0;
  /// With factorization quasidefinite: the sign of the pivot of each unknown, +1 or -1. Empty: the signs of the diagonal.
  std::vector<std::int8_t> signs = {};
  /// With factorization quasidefinite: static regularisation. regularization x (the largest entry of the pivot's row) is added to each
  /// pivot, with the pivot's sign.
  double regularization = 0;
};

/// How several ranks share the fronts of the multifrontal method. docs/names.md defines front, strip, chain and root. All of these
/// options are experiments (docs/experiments.md).
struct FrontOptions {
  std::optional<NodeParallelism> sharing = {};  ///< empty: strips unless the ranks share memory
  int strip_border = 192;                       ///< a front with fewer border rows stays on one rank
  int strip_rows = 48;                          ///< least number of rows of a strip
  /// How many pivots the owner of a front sends to its strips in one message; 0: 128, and down to 32 with more than 4 strips.
  int strip_panel = 0;
  /// a long front is split into a chain; least number of pivots of a part; 0: no front is split
  Index chain_pivots = 128;
  /// how panels reach strips; empty: tree, and flat with EarlyMessages::wait
  std::optional<Multicast> multicast = {};
  StripChoice strip_choice = StripChoice::by_load;
  NewsBy load_news = NewsBy::own_lane;  ///< how ranks tell each other how much work they have left
  bool steal = false;                   ///< ranks without work take whole fronts from other ranks
  double slice_flops = 4e7;  ///< a kernel is cut so that a rank polls after at most so many flops; 0: no cuts
  std::optional<RootParallelism> root = {};  ///< empty: grid, if fronts are in strips and the root is large
  int root_order = 400;  ///< with `root` empty: a root of a smaller order stays on one rank
  int root_block = 96;   ///< order of the blocks of a root on a grid
};

/// Factors of fronts on disk (out of core).
struct DiskOptions {
  /// Empty: on disk if the predicted memory exceeds memory_limit_bytes (or the available memory) and `scratch` has room.
  std::optional<FactorsIn> factors = {};
  /// folder in which each rank makes a file without a name, so that no file stays behind
  std::string scratch = {};
  /// size of a rank's buffer for writing and reading; 0: by the size of the factors
  std::int64_t buffer_bytes = 0;
};

/// Block low-rank compression: blocks of large fronts as products of low rank.
struct CompressionOptions {
  Compression kind = Compression::none;
  /// truncation error of a block of the scaled matrix; 0: 1e-8, in single precision 1e-4
  double tolerance = 0;
  int block = 128;  ///< rows of a block, columns of a panel
  int order = 700;  ///< fronts of a smaller order are not compressed
  /// contribution blocks are compressed, too, while they wait for their parents
  Switch contributions = Switch::on;
  /// mixed: the terms of a low-rank product that are small enough for it are in single precision, in half of the memory.
  Precision precision = Precision::mixed;
};

/// Supernodal LU. Its schedule, depth and grid are in DenseOptions.
struct NodeOptions {
  /// order of elimination; empty: levels on more than one rank, else postorder
  std::optional<NodeOrder> order = {};
  /// owners of nodes; empty: subtrees with schedule look_ahead, else cyclic
  std::optional<NodeMap> map = {};
  int max_width = 256;             ///< most columns of a node; a wider node is cut
  int relax = 4;                   ///< a subtree of at most so many columns becomes one node
  Switch rows_ahead = Switch::on;  ///< with schedule look_ahead: block rows are computed ahead, too
};

/// Iterative refinement, and how accurate a solution has to be.
struct RefinementOptions {
  int steps = 10;     ///< most refinement steps; after a perturbed pivot at least 10 are allowed
  double target = 0;  ///< refinement stops at this componentwise backward error; 0: 2 epsilon of the type
  /// A solution with a larger backward error has the status inaccurate. 0: 45 epsilon, 1e-14 in double; with factorization
  /// quasidefinite at least 1e-10.
  double accuracy = 0;
  /// Most steps of flexible GMRES, preconditioned by the factors, if refinement does not reach `accuracy`. If the factors differ from
  /// those of A by rounding only, at most 12.
  int gmres_steps = 100;
  bool error_analysis = false;  ///< after a solve, estimate condition numbers and bound the error of x
};

/// Process rows and columns of a grid. 0 x 0: all ranks, in a grid as square as possible.
struct GridShape {
  int rows = 0, cols = 0;
  int size() const { return rows * cols; }
};

/// LU with partial pivoting of dense matrices on a grid of ranks. Supernodal LU uses schedule, depth and grid, too.
struct DenseOptions {
  /// Empty: look_ahead, but flat if the discipline is not messages. For LU on several nodes: split if the model predicts a gain.
  std::optional<Schedule> schedule = {};
  /// Empty: LU takes the discipline with the shortest predicted time (docs/dense.md).
  std::optional<Discipline> discipline = Discipline::messages;
  PivotSearch pivot_search = PivotSearch::combined;
  SyncKind sync = SyncKind::full;      ///< how a superstep ends (discipline superstep)
  RowSwap row_swap = RowSwap::native;  ///< how two ranks exchange rows (discipline onesided)
  /// With discipline onesided: the memory that other ranks access. Empty: user if the matrix was allocated for that, else attach or
  /// copy, by what the engine can access.
  std::optional<LentMemory> memory = {};
  /// How rows are interchanged. Empty: mix with messages, shared with supersteps that look ahead, otherwise direct.
  std::optional<SwapKind> interchange = {};
  /// With schedules look_ahead and hybrid: how many panels are factorised ahead. With parity: 1 if ranks update while they wait for a
  /// panel, 0 for the paper's order. -1: 1, and 10 in supernodal LU.
  int depth = -1;
  int block = 0;        ///< order of the blocks that are distributed; 0: chosen by the matrix
  int panel_width = 0;  ///< columns of a panel, a multiple of `block`; 0: equal to `block`
  GridShape grid = {};
  /// Empty: row_major, but with schedule parity column_major if only that order puts the ranks of each node side by side in a process
  /// column.
  std::optional<GridOrder> grid_order = {};
  /// How panels travel. Empty: modified_ring; with schedule parity two_phase; with discipline onesided no messages.
  std::optional<BroadcastKind> broadcast = {};
};

/// An experiment: the rank `rank` takes `factor` times as long for its work; rank -1: no rank does.
struct SlowRank {
  int rank = -1;
  double factor = 1;
};

/// Options of both iterations, Jacobi's method and multisplitting.
struct IterationOptions {
  /// Whether ranks iterate in step (sync) or without waiting for neighbours. Empty: async for Jacobi's method; sync for multisplitting
  /// and for preconditioners.
  std::optional<Variant> variant = {};
  int in_flight = 0;                    ///< most messages under way to a neighbour (async); 0: up to 8
  HaloForm halo_by = HaloForm::engine;  ///< how halos travel (async)
  /// Iterations between two exchanges with the neighbours. 0: 1 with sync, otherwise exchanges take about 5 % of the time.
  Index halo_period = 0;
  /// iterate until ||b - A x||_2 / ||b||_2 is at most this; 0: 1e-8, in single precision 1e-5
  double tolerance = 0;
  Index max_iterations = 1000000;  ///< of the mean over the ranks
  Index residual_period = 0;  ///< iterations between two checks of the residual; 0: 100, multisplitting 1
  SumForm residual_sum = SumForm::tree;    ///< how a global residual is summed (async, racy)
  BoxMapping mapping = BoxMapping::ranks;  ///< which boxes of a grid the ranks of a node have
  int final_sweeps = 0;                    ///< iterations in step after the end of an asynchronous iteration
  /// As a preconditioner: one application is so many iterations from x = 0. 0: 1 if there is an accelerator, otherwise the iteration is
  /// no preconditioner.
  int sweeps = 0;
  /// The Krylov method that the iteration preconditions. Empty: gmres if sweeps, weights or coarse are set, else none.
  std::optional<Accelerator> accelerator = {};
  SlowRank slow_rank = {};
};

/// The blocks of multisplitting.
struct MultisplittingOptions {
  /// How many layers of the matrix's graph a block reaches into its neighbours; -1: 4, and 0 with inner incomplete.
  int overlap = -1;
  /// How a rank solves with its block. Empty: direct; but incomplete if there is a coarse level and one rank for each block, and all
  /// numbers on the diagonal have the same sign.
  std::optional<InnerSolve> inner = {};
  /// factor by which conjugate gradients reduce the residual of a block (inner cg)
  double inner_tolerance = 1e-2;
  double damping = 1;       ///< share of each correction that is added to x
  int ranks_per_block = 1;  ///< ranks that solve with one block together
  /// number of blocks; 0: one for each rank or group of ranks, with `coarse` one for about 800 nodes
  int blocks = 0;
  /// weights of rows that blocks share; empty: owner, with cg both
  std::optional<OverlapWeights> weights = {};
  Coarse coarse = Coarse::none;  ///< the coarse level over blocks that precondition
};

/// Where and how a call runs, beside the number of ranks.
struct RunOptions {
  /// Empty: mpi if a launcher started this process as one of several, else thread.
  std::optional<Engine> engine = {};
  int ranks_per_node = 0;  ///< a node is this many consecutive ranks; 0: as the engine reports
  ReceiveMode receive = ReceiveMode::immediate;
  int posted = 4;  ///< how many receives are posted ahead
  EarlyMessages early = EarlyMessages::park;
  ProgressBy progress_by = ProgressBy::poll;  ///< with engine mpi: what moves messages while kernels compute
  /// messages up to this size take the short protocol; -1: the engine's default
  std::int64_t eager_bytes = -1;
  /// most bytes that a rank has under way; 0: twice its largest message so far
  std::int64_t budget_bytes = 0;
  /// The most memory of the numerical phase, for all ranks of this computer together; 0: the available memory. A factorisation that
  /// is predicted to need more, or comes to need more, ends with OutOfMemory.
  std::int64_t memory_limit_bytes = 0;
  double time_limit_s = 0;  ///< each call is cancelled after so many seconds; 0: never
  /// If all ranks wait for so many seconds, an error reports who waits for what; 0: never; -1: 60.
  double watchdog_s = -1;
  bool trace = false;                      ///< keep the events of every rank (Factors::timeline)
  const void* mpi_communicator = nullptr;  ///< engine mpi: address of an MPI_Comm; null: MPI_COMM_WORLD
  /// Engine mpi: the communicator by its number in Fortran. It takes precedence over mpi_communicator.
  std::optional<int> fortran_communicator = {};
};

/// The options of all calls. Every field has a default that is meant to be right, and an empty one is "auto", the library's choice:
///
///   factorize(A, {.ranks = 4});
///   factorize(A, {.factorization = FactorKind::cholesky, .sparse = {.ordering = Ordering::metis}});
///   solve(A, b, {.method = Method::jacobi, .ranks = 4, .iteration = {.tolerance = 1e-6}});
///
/// docs/options.md has the ranges and the flat names on the command line, in Python and in plan files (set_option).
struct Options {
  std::optional<Method> method = {};
  std::optional<FactorKind> factorization = {};  ///< empty: chosen by the entries of the matrix
  Precision precision = Precision::working;
  SingularMatrix singular = SingularMatrix::answer;
  int ranks = 0;    ///< 0: the library chooses, at most the usable processors
  int workers = 0;  ///< helper threads: beyond all ranks (engine thread), or for each rank (engine mpi)
  SparseOptions sparse = {};
  FrontOptions fronts = {};
  DiskOptions disk = {};
  CompressionOptions compression = {};
  NodeOptions nodes = {};
  RefinementOptions refinement = {};
  DenseOptions dense = {};
  IterationOptions iteration = {};
  MultisplittingOptions multisplitting = {};
  RunOptions run = {};
  /// The library calls this function on the caller's thread, at most fifty times a second and when a phase or step begins. If it
  /// returns true, the call stops with Cancelled. Under MPI only rank 0's function is called, and it stops all ranks. It must not
  /// throw. It is not called while METIS, AMD or SCOTCH orders the unknowns, which nothing can stop.
  std::function<bool(const Progress&)> progress = {};
};

/// All options that have a flat name (docs/options.md), as a JSON object. Plan files have this form. Experiments are in an object
/// "experiment".
OVERLAPACK_API std::string to_json(const Options& options);

/// A copy of `base`, changed by the options that a JSON object names.
/// Errors  BadPlan if the text is not a JSON object, or names an option or value that does not exist
OVERLAPACK_API Options options_from_json(std::string_view json, const Options& base = {});

/// Check that each option's value is inside its range.
/// Errors  BadPlan: one sentence that names the option, its value and what is allowed
OVERLAPACK_API void check(const Options& options);

/// The table of options as JSON, for interfaces in other languages: a list of {name, tier, type, default, choices, low, high, unit,
/// help, source, commands}.
OVERLAPACK_API std::string options_schema_json();

}  // namespace overlapack
