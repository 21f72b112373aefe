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

/// How far a call has come. `share` is the part of the phase's predicted work that is done, 0 to 1; of an analysis a guess.
struct Progress {
  std::string_view phase;  ///< "analysis", "factorisation", "solve", "iteration"
  double share = 0;
  std::string_view step = {};  ///< of an analysis: "matching", "nested dissection", ...; else empty
};

/// What is done with a sparse matrix before and while it is factorised.
struct SparseOptions {
  std::optional<Ordering> ordering = {};
  OrderingEffort ordering_effort = OrderingEffort::normal;  ///< of Ordering::dissection
  std::vector<Index> user_order = {};       ///< Ordering::user: user_order[k] is eliminated k-th, from 0
  std::optional<Switch> matching = {};      ///< maximum-product matching and its scalings
  std::optional<ScalingKind> scaling = {};  ///< empty: that of the matching
  bool null_pivots = false;       ///< factorise singular matrices too: rank, null space, consistent systems
  double pivot_threshold = 0.01;  ///< u: a pivot is at least u times the largest entry of its row
  /// > 0: no pivot is delayed, one below this x the largest entry is replaced by it; 0: so by method supernodal alone,
  /// below 1e-13
  double perturbation = 0;
  /// factorization quasidefinite: +1 or -1 for each unknown, the sign of its pivot; empty: the signs of the diagonal
  std::vector<std::int8_t> signs = {};
  /// factorization quasidefinite: this x the largest entry of its row is added, with its sign, to each pivot (static
  /// regularisation)
  double regularization = 0;
};

/// Fronts of the multifrontal method on several ranks.
struct FrontOptions {
  std::optional<NodeParallelism> sharing = {};  ///< empty: strips unless the ranks share memory
  int strip_border = 192;                       ///< a front with fewer border rows stays on one rank
  int strip_rows = 48;                          ///< least rows of a strip
  int strip_panel =
      0;  ///< pivots that a front's owner sends to its strips together; 0: 128, to many strips 32
  Index chain_pivots = 128;                 ///< least pivots of a part of a long front; 0: none is split
  std::optional<Multicast> multicast = {};  ///< of panels to strips; empty: tree from 8 on
  StripChoice strip_choice = StripChoice::by_load;
  NewsBy load_news = NewsBy::own_lane;       ///< how ranks send each other the work they have left
  bool steal = false;                        ///< ranks without work take whole fronts from others
  double slice_flops = 4e7;                  ///< most flops between two polls; 0: no kernel is cut
  std::optional<RootParallelism> root = {};  ///< empty: grid where fronts are in strips and it is large
  int root_order = 400;                      ///< root empty: one of a smaller order stays on one rank
  int root_block = 96;                       ///< order of the blocks that are distributed
};

/// Factors of fronts in a file (out of core).
struct DiskOptions {
  /// empty: disk where the prediction exceeds memory_limit_bytes (or what is available) and `scratch` has room
  std::optional<FactorsIn> factors = {};
  std::string scratch = {};       ///< folder for a file of each rank, which has no name there
  std::int64_t buffer_bytes = 0;  ///< of a rank, for what is written or read; 0: by the size of the factors
};

/// Blocks of large fronts as products of low rank.
struct CompressionOptions {
  Compression kind = Compression::none;
  double tolerance = 0;               ///< of a block, in the scaled matrix; 0: 1e-8, in single precision 1e-4
  int block = 128;                    ///< rows of a block, columns of a panel
  int order = 700;                    ///< smaller fronts stay as they are
  Switch contributions = Switch::on;  ///< contribution blocks wait for their parents compressed, too
  /// mixed: what is small enough for that in a product is in single precision
  Precision precision = Precision::mixed;
};

/// Nodes of supernodal LU, whose schedule, depth and grid are those of DenseOptions.
struct NodeOptions {
  std::optional<NodeOrder> order = {};  ///< empty: levels on more than one rank
  std::optional<NodeMap> map = {};      ///< owners of nodes; empty: subtrees by look-ahead, else cyclic
  int max_width = 256;                  ///< columns of a node; a wider one is cut
  int relax = 4;                        ///< subtrees of at most so many columns are one node
  Switch rows_ahead = Switch::on;       ///< schedule look_ahead: block rows are made ahead, too
};

/// How accurate the solution is to be.
struct RefinementOptions {
  int steps = 10;     ///< at most; at least 10 after a perturbed pivot
  double target = 0;  ///< componentwise backward error to stop at; 0: 2 epsilon of the type
  /// a backward error above it is "inaccurate"; 0: 45 epsilon, 1e-14 in double; of quasidefinite factors at least 1e-10
  double accuracy = 0;
  /// most steps of flexible GMRES with the factors where refinement does not reach `accuracy`; with factors of A but for rounding
  /// at most 12
  int gmres_steps = 100;
  bool error_analysis = false;  ///< after a solve, estimate condition numbers and bound the error of x
};

/// Process rows and columns; 0 x 0: all ranks, as square as they allow.
struct GridShape {
  int rows = 0, cols = 0;
  int size() const { return rows * cols; }
};

/// LU on a grid of ranks: of dense matrices with partial pivoting; schedule, depth and grid also of supernodal LU.
struct DenseOptions {
  /// empty: look_ahead, flat where the discipline is not messages; LU on several nodes: split where it pays
  std::optional<Schedule> schedule = {};
  std::optional<Discipline> discipline =
      Discipline::messages;  ///< empty: LU's by predicted times (docs/dense.md)
  PivotSearch pivot_search = PivotSearch::combined;
  SyncKind sync = SyncKind::full;      ///< discipline superstep
  RowSwap row_swap = RowSwap::native;  ///< discipline onesided
  /// discipline onesided; empty: user where the matrix is made for that, else attach or copy, as the engine reaches memory
  std::optional<LentMemory> memory = {};
  /// of rows; empty: mix, of other disciplines than messages direct, of supersteps that look ahead shared
  std::optional<SwapKind> interchange = {};
  /// panels factorised ahead (look_ahead, hybrid), or whether ranks update while they wait for a panel (parity; 0: the paper's
  /// order); -1: 1, of supernodal LU 10
  int depth = -1;
  int block = 0;        ///< order of the blocks that are distributed; 0: by the matrix
  int panel_width = 0;  ///< columns of a panel, a multiple of the block; 0: the block
  GridShape grid = {};
  /// empty: row_major; of schedule parity column_major where the ranks of a node fit in a process column alone
  std::optional<GridOrder> grid_order = {};
  /// how panels travel; empty: modified_ring, of schedule parity spread_roll, of discipline onesided no messages
  std::optional<BroadcastKind> broadcast = {};
};

/// An experiment: this rank takes `factor` times as long; -1: none does.
struct SlowRank {
  int rank = -1;
  double factor = 1;
};

/// Jacobi's method and multisplitting.
struct IterationOptions {
  /// in step, or without waiting for neighbours; empty: async, multisplitting and preconditioners sync
  std::optional<Variant> variant = {};
  int in_flight = 0;                    ///< messages under way to a neighbour (async); 0: up to 8
  HaloForm halo_by = HaloForm::engine;  ///< how halos travel (async)
  /// iterations between two exchanges with the neighbours; 0: as often as pays, sync 1
  Index halo_period = 0;
  double tolerance = 0;            ///< of ||b - A x||_2 / ||b||_2; 0: 1e-8, in single precision 1e-5
  Index max_iterations = 1000000;  ///< of the ranks, on the average
  Index residual_period = 0;  ///< iterations between two checks of the residual; 0: 100, multisplitting 1
  SumForm residual_sum = SumForm::tree;    ///< how a global residual is summed (async, racy)
  BoxMapping mapping = BoxMapping::ranks;  ///< of the boxes of a grid
  int final_sweeps = 0;                    ///< iterations in step after an asynchronous end
  /// so many iterations from 0 are an operator, which preconditions; 0: none is, or 1
  int sweeps = 0;
  /// what is preconditioned; empty: gmres where sweeps, weights or coarse say so, else nothing
  std::optional<Accelerator> accelerator = {};
  SlowRank slow_rank = {};
};

struct MultisplittingOptions {
  int overlap =
      -1;  ///< layers of the matrix's graph by which a block reaches into others; -1: chosen by `inner`
  /// How a rank solves with its block; empty: incomplete with a coarse level and one rank a block if all numbers on the diagonal are
  /// on one side of zero, else direct.
  std::optional<InnerSolve> inner = {};
  double inner_tolerance = 1e-2;  ///< by which conjugate gradients reduce the residual of a block
  double damping = 1;             ///< share of a step that is taken
  int ranks_per_block = 1;        ///< ranks that solve with a block together
  int blocks = 0;  ///< of the matrix; 0: one a rank or group of ranks, with `coarse` one for about 800 nodes
  std::optional<OverlapWeights> weights = {};  ///< of rows that blocks share; empty: owner, with cg both
  Coarse coarse = Coarse::none;                ///< level over the blocks that precondition
};

/// Where and how it runs, beside the number of ranks.
struct RunOptions {
  std::optional<Engine> engine =
      {};                  ///< empty: mpi when started by a launcher as one of several, else thread
  int ranks_per_node = 0;  ///< a node is this many consecutive ranks; 0: as the engine reports
  ReceiveMode receive = ReceiveMode::immediate;
  int posted = 4;  ///< how many receives are posted ahead
  EarlyMessages early = EarlyMessages::park;
  ProgressBy progress_by = ProgressBy::poll;  ///< engine mpi
  std::int64_t eager_bytes = -1;              ///< short protocol up to here; -1: the engine's default
  std::int64_t budget_bytes = 0;              ///< of messages under way; 0: twice the largest so far
  /// of the numerical phase, all ranks of this computer together; 0: what is available. A factorisation that is predicted to need
  /// more, or comes to need more, is OutOfMemory
  std::int64_t memory_limit_bytes = 0;
  double time_limit_s = 0;  ///< of each call: cancel after this long; 0: never
  double watchdog_s = -1;  ///< all ranks wait: report after this silence who waits for what; 0: never; -1: 60
  bool trace = false;      ///< keep the events of every rank
  const void* mpi_communicator = nullptr;  ///< engine mpi: address of an MPI_Comm; null: MPI_COMM_WORLD
  std::optional<int> fortran_communicator =
      {};  ///< the same by its number in Fortran, which overrules the address
};

/// What a caller may decide; every field has a default that is meant to be right, and an empty one is "auto":
///
///   factorize(A, {.ranks = 4});
///   factorize(A, {.factorization = FactorKind::cholesky, .sparse = {.ordering = Ordering::metis}});
///   solve(A, b, {.method = Method::jacobi, .ranks = 4, .iteration = {.tolerance = 1e-6}});
///
/// docs/options.md has the ranges and the flat names on the command line, in Python and in plan files (set_option).
struct Options {
  std::optional<Method> method = {};
  std::optional<FactorKind> factorization = {};  ///< empty: by the entries of the matrix
  Precision precision = Precision::working;
  SingularMatrix singular = SingularMatrix::answer;
  int ranks = 0;    ///< 0: as many as pay, at most the usable processors
  int workers = 0;  ///< helper threads beyond the ranks (engine thread), of each rank (mpi)
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
  /// called on the caller's thread, at most fifty times a second and when a phase or step begins; true: stop (Cancelled). Under MPI
  /// that of rank 0 is called, and stops all ranks. It must not throw. It is not called while METIS, AMD or SCOTCH orders the
  /// unknowns, which nothing can stop
  std::function<bool(const Progress&)> progress = {};
};

/// All of the table's options as a JSON object, the form of plan files. Experiments are in an object "experiment".
OVERLAPACK_API std::string to_json(const Options& options);

/// `base` with the options that a JSON object names.
/// Errors  BadPlan if the text is no JSON object, or a name or value is not one of the table's
OVERLAPACK_API Options options_from_json(std::string_view json, const Options& base = {});

/// Are all values inside the table's ranges?
/// Errors  BadPlan: one sentence that names the option, its value and what is allowed
OVERLAPACK_API void check(const Options& options);

/// The table as JSON, for other languages: a list of {name, tier, type, default, choices, low, high, unit, help, source, commands}.
OVERLAPACK_API std::string options_schema_json();

}  // namespace overlapack
