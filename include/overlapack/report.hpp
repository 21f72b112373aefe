#pragma once
#include "overlapack/dense_figures.hpp"
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/iteration_figures.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_figures.hpp"
#include "overlapack/trace.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

/// a figure that is not known; JSON has null
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Figures of a dense factorisation, beside those of all methods. Counts are sums over all ranks.
struct DenseFigures : DenseCounters {
  Index rows = 0;          ///< rows of the matrix; its columns are Report::n
  std::string grid;        ///< process rows x columns: "2x3"
  std::string grid_order;  ///< rows, columns; empty: as the caller distributed it
  Index block = 0;
  std::string schedule;
  std::string discipline;
  int depth = 0;  ///< number of panels that are factorised ahead; 0 if the schedule has no look-ahead
  std::string broadcast;
  std::string precision;  ///< type of the factors: the matrix's, or its single precision
  /// rate of the factorisation (`overlapack dense`: with the solve), by HPL's count of operations
  double gflops = 0;
  /// ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n), eps = 2^-53 in double
  double scaled_residual = unknown;
  // QR
  double factor_residual = unknown;  ///< ||A-QR||_1 / (||A||_1 max(m, n) eps), for benchmark::qr
  double orthogonality = unknown;    ///< ||Q^H Q - I||_1 / (max(m, n) eps), for benchmark::qr
  double residual_norm = unknown;    ///< ||b-Ax||_2 of least squares, of the worst column
  /// ||A^H (b-Ax)||_oo / (||A||_1 (||A||_oo ||x||_oo + ||b||_oo)), which is 0 at the minimum of ||b-Ax||_2.
  double optimality = unknown;
  /// The share of the ranks' computing time in which another rank of the same node computes, too. Known if events are kept.
  double computing_with_mate = unknown;
};

/// One global residual that was computed during an iteration.
struct ResidualPoint {
  Index iteration = 0;  ///< number of rank 0's iteration
  double seconds = 0;   ///< since the iteration began
  double residual = 0;
  /// True: the residual of one vector. False: a sum of local residuals with halos of different iterations, which is the residual of no
  /// vector.
  bool is_true = false;
};

/// Figures of an iteration, Jacobi's method or multisplitting, beside those of all methods. Counts are sums over all ranks.
struct IterationFigures : IterationCounters, InnerCounters {
  std::string variant;       ///< sync, async, racy
  int in_flight = 0;         ///< the option; 0: the library chose
  Index halo_period = 0;     ///< the option; 0: the library chose
  std::string residual_sum;  ///< tree, doubling; empty: sync
  std::string mapping;       ///< mapping of boxes: ranks, nodes; empty for a matrix
  double tolerance = 0;
  std::string grid;                                       ///< boxes of points: "2x2x1"; empty for a matrix
  double radius_lower = unknown, radius_upper = unknown;  ///< enclose the spectral radius of |D^-1 (L + U)|
  std::string warning;                   ///< a sentence if convergence is not known in advance
  bool consecutive_rows = false;         ///< each rank has consecutive rows of the matrix
  double sends_per_iteration = unknown;  ///< messages with halos that a rank sends, per iteration
  /// Residuals of the last right-hand side, on rank 0's process. A long iteration keeps every second, fourth, ... of them, and the
  /// last one.
  std::vector<ResidualPoint> history;
  /// Iterations for the last right-hand side, one number for each rank, or for each block if a block has several ranks.
  std::vector<Index> iterations_of_rank;
  /// Number of receives that found 1, 2, 3, ... halos; the 64th number is for 64 or more (async).
  std::vector<Index> batches;

  // Multisplitting
  std::string inner;  ///< direct, cg, ilu; empty: Jacobi's method
  int overlap = 0;    ///< layers of the matrix's graph
  double damping = 1;
  Index block_rows = 0;  ///< rows of the largest block, with its overlap
  int ranks_per_block = 1;
  int blocks = 1;  ///< number of blocks of the matrix
  // As preconditioner
  std::string accelerator;  ///< gmres, cg; empty: none
  int sweeps = 0;           ///< iterations of one application; 0: the iteration is no preconditioner
  std::string weights;      ///< owner, both, none; empty: the iteration is no preconditioner in step
  Index coarse_unknowns = 0;
  Index raised_blocks = 0;  ///< blocks whose incomplete factors have a raised diagonal
};

/// Messages that were sent.
struct Traffic {
  Index messages = 0;
  double bytes = 0;
  double largest_bytes = 0;
};
/// Messages of one kind.
struct KindTraffic : Traffic {
  std::string kind;  ///< "panel", "contribution block", ...; docs/multifrontal-protocol.md
};

/// The messages that one rank sent during the factorisation, and how it spent its time.
struct RankTraffic : Traffic {
  double compute_s = 0;
  double communication_s = 0;  ///< packing, sending, and waiting for messages
  double idle_s = 0;           ///< all other time: the rank had not begun, or had nothing left to do
  std::vector<KindTraffic> kinds;
};

/// The result of a call in figures (docs/report.md): how it ended, what was chosen, predicted and measured. Times are seconds of the
/// caller's clock, sizes are bytes, and counts are sums over all ranks. Most counts are in sparse_figures.hpp, dense_figures.hpp and
/// iteration_figures.hpp. A figure that is not known is `unknown` (NaN).
struct Report : SparseFigures {
  Status status = Status::ok;
  std::string message;  ///< one sentence when status is not ok

  Index n = 0;
  Index nnz = 0;         ///< stored entries of A, both triangles
  std::string type;      ///< float32, float64, complex64, complex128
  std::string symmetry;  ///< as found in the entries: general, symmetric, skew, hermitian
  std::string method;
  std::string factorization;  ///< lu, ldlt, cholesky
  std::string ordering;
  std::string matching;
  std::string scaling;    ///< of sparse matrices: matching, ruiz, off
  std::string precision;  ///< type of the factors: float32, ...
  std::string engine;
  int ranks = 0;
  int workers = 0;
  bool simulated = false;
  /// if the run was simulated by shapes only: the assumptions in place of the data; else empty
  std::string policy;
  /// Sparse factors: the method and the order of the fronts that were chosen, and the alternatives that they were compared with. Dense
  /// matrices: the same for discipline auto. Else empty.
  std::string choice;
  /// A sentence if a matrix that was treated as unsymmetric is symmetric up to rounding, or has one triangle only; else empty.
  std::string hint;
  /// Names of options that were set but that the method does not read: "relax, max_width".
  std::string unused_options;
  /// How often auto went over to factorisation by fronts: factors by nodes were doubtful or not accurate, or factors by columns filled
  /// in too much.
  Index falls_back = 0;
  /// How many further analyses were made, with another matching, scaling or order, or with other values. The reasons are a small pivot,
  /// an inaccurate solution, a kept analysis whose matching did not fit, or many factorisations.
  Index analysed_again = 0;

  double analysis_s = 0;
  double analysis_cpu_s = 0;   ///< processor time of the analysis, over all threads
  double analysis_path_s = 0;  ///< processor time of the longest chain of dependent tasks of the analysis
  double factor_s = 0;
  double solve_s = 0;              ///< the last solve, with refinement
  Index predicted_factor_nnz = 0;  ///< without delayed pivots
  double predicted_flops = 0;
  double predicted_factor_s = unknown;  ///< sparse factors, on one rank, by usual rates of such processors
  /// The part of predicted_flops in fronts and nodes on which several ranks can work. Rank 0 alone works on columns.
  double shared_flops = 0;
  /// Memory of the numerical phase: for sparse factors on one rank, without delayed pivots; for other methods over all ranks.
  double predicted_bytes = 0;
  /// with compression: a lower bound, however well blocks compress; else 0
  double predicted_least_bytes = 0;
  double predicted_disk_memory_bytes = 0;  ///< predicted_bytes if the factors were on disk (multifrontal)
  double predicted_scratch_bytes = 0;      ///< bytes on disk if the factors were there
  std::string factors = "memory";          ///< where the factors are: memory or disk
  double mean_rank = 0;                    ///< mean rank of the compressed blocks
  Index variable_block = 1;    ///< how many variables were ordered as one; 1: no blocks were found
  Index structural_rank = -1;  ///< -1: not known
  Index numerical_rank = -1;   ///< -1: not known, since there are no factors, or no numbers (policy)
  /// The column and the row of A, from 0, of the smallest pivot, if pivots.rounding > 0; else -1.
  Index weak_unknown = -1, weak_equation = -1;
  /// The proof that A is singular to working precision: a vector v with largest entry 1 for which |A v| is as small as rounding of
  /// |A| |v| in every row. For a complex matrix real and imaginary parts alternate. Empty: there is no such proof. On rank 0's process.
  std::vector<double> null_vector;
  /// If pivots.rounding > 0: max |A v| / (|A| |v|) over the rows, for the v that was found.
  double null_share = unknown;
  /// If pivots.rounding > 0: the relative change of A's entries that makes A singular, to first order.
  double null_distance = unknown;

  Index right_hand_sides = 0;
  /// right-hand sides without a solution, beside others that have one; their x is NaN
  Index unsolved_columns = 0;
  /// The componentwise backward error omega1 + omega2 of Arioli, Demmel and Duff (1989), of the worst column.
  double backward_error = unknown;
  double omega1 = unknown, omega2 = unknown;
  double forward_error = unknown;  ///< max |x - true x| / max |true x|, if the true x is known
  double true_residual = unknown;  ///< ||b - A x||_2 / ||b||_2 of the worst column
  /// The estimate of ||A||_1 ||A^{-1}||_1, after reciprocal_condition or with status ill_conditioned.
  double condition_estimate = unknown;
  // RefinementOptions::error_analysis: Arioli, Demmel and Duff's condition numbers and bound, of the worst column
  double condition_omega1 = unknown, condition_omega2 = unknown;
  /// A bound of max |x - true x| / max |x|: with error_analysis omega1 condition_omega1 + omega2 condition_omega2. Without it, it is
  /// known with status ill_conditioned alone. If pivots are rounding, it comes from the corrections of refinement or, if those do not
  /// shrink, it is backward error x condition estimate. Otherwise it is a hundred times the change of x by one choice of the last digits
  /// of A and b.
  double forward_error_bound = unknown;
  /// The fewest and the most refinement steps of a right-hand side. Jacobi, multisplitting: the fewest and the most iterations of a rank.
  Index iterations_min = 0, iterations_max = 0;
  Index gmres_steps = 0;  ///< steps of GMRES or CG after refinement, the most of a right-hand side
  double iterations_mean = 0;

  double wait_share = 0;  ///< share of all ranks' time in the factorisation that they waited
  std::vector<double> wait_share_of_rank;
  Index messages = 0;
  double bytes = 0;
  double largest_message_bytes = 0;
  std::vector<KindTraffic> messages_of_kind;  ///< of all ranks, most bytes first
  std::vector<RankTraffic> traffic_of_rank;   ///< by rank
  /// with RunOptions::trace: the parts of the critical path, by kind of work
  std::vector<trace::PathPart> critical_path;

  std::optional<DenseFigures> dense;          ///< in JSON its entries are beside the others, not in an object
  std::optional<IterationFigures> iteration;  ///< in JSON its entries are beside the others, not in an object
};

/// The report as one JSON object. NaN and infinity are null. `indent` < 0: on one line.
OVERLAPACK_API std::string to_json(const Report& report, int indent = 2);

/// The entries of reports as JSON, for interfaces in other languages: a list of {name, type, may_be_null, ranks, methods, help}. A name
/// with a dot is an entry of an object. docs/report.md shows the same.
OVERLAPACK_API std::string report_schema_json();

/// The text of docs/report.md.
OVERLAPACK_API std::string report_markdown();

/// Whether these are factors L D L^T whose root all ranks factorised by LU. Such a root does not show the signs of its eigenvalues, so
/// that there is no inertia.
OVERLAPACK_API bool has_root_by_lu(const Report& report);

/// One sentence of advice if a factorisation took more than a second with a BLAS whose kernels are older than the processor. Else
/// empty.
OVERLAPACK_API std::string kernel_advice(const Report& report);

/// One sentence on what to change, or an empty string. It is that of kernel_advice, if there is one. A sparse solve of at least half a
/// second gets one if two fifths or more of its time went to waiting, analysis or refinement, or if delayed pivots multiplied the
/// predicted work. A plan gets one if its factors fill in so much that another method may take less memory.
OVERLAPACK_API std::string advice(const Report& report);

/// A counter and its words, for text to people: 12 "split updates".
struct NamedCount {
  std::string_view name;
  Index count = 0;
};
/// The counts above 0 that reports for people show: how often each parallel path was taken.
OVERLAPACK_API std::vector<NamedCount> named_counts(const Report& report);

}  // namespace overlapack
