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

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  ///< prints as null

/// Figures of a dense factorisation, besides those of all methods; counts over all ranks.
struct DenseFigures : DenseCounters {
  Index rows = 0;          ///< of the matrix; its columns are Report::n
  std::string grid;        ///< process rows x columns: "2x3"
  std::string grid_order;  ///< rows, columns; empty: as the caller distributed it
  Index block = 0;
  std::string schedule;
  std::string discipline;
  int depth = 0;  ///< panels ahead, where the schedule has any
  std::string broadcast;
  std::string precision;  ///< of the factors: that of the type, or its single precision
  double gflops = 0;      ///< of the factorisation (`overlapack dense`: with the solve), by HPL's count
  /// ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n), eps = 2^-53 in double
  double scaled_residual = unknown;
  // QR
  double factor_residual = unknown;  ///< ||A-QR||_1 / (||A||_1 max(m, n) eps), of a random matrix
  double orthogonality = unknown;    ///< ||Q^H Q - I||_1 / (max(m, n) eps), of a random matrix
  double residual_norm = unknown;    ///< ||b-Ax||_2 of least squares, of the worst column
  /// ||A^H (b-Ax)||_oo / (||A||_1 (||A||_oo ||x||_oo + ||b||_oo)): 0 where ||b-Ax||_2 is least
  double optimality = unknown;
  /// of the time that the ranks compute, while a mate of the same node does too; where events are kept
  double computing_with_mate = unknown;
};

/// A global residual during an iteration.
struct ResidualPoint {
  Index iteration = 0;  ///< of rank 0
  double seconds = 0;   ///< since the iteration began
  double residual = 0;
  /// true: of one vector; false: a sum of local residuals with old halos, which is that of no vector
  bool is_true = false;
};

/// Figures of an iteration, Jacobi's method or multisplitting, besides those of all methods; counts over all ranks.
struct IterationFigures : IterationCounters, InnerCounters {
  std::string variant;       ///< sync, async, racy
  int in_flight = 0;         ///< as given; 0: chosen
  Index halo_period = 0;     ///< as given; 0: chosen
  std::string residual_sum;  ///< tree, doubling; empty: sync
  std::string mapping;       ///< of the boxes: ranks, nodes; empty for a matrix
  double tolerance = 0;
  std::string grid;                                       ///< boxes of points: "2x2x1"; empty for a matrix
  double radius_lower = unknown, radius_upper = unknown;  ///< enclose the spectral radius of |D^-1 (L + U)|
  std::string warning;                                    ///< where convergence is not known in advance
  bool consecutive_rows = false;                          ///< each rank has consecutive rows of the matrix
  double sends_per_iteration = unknown;                   ///< of a rank
  /// On rank 0's process, of the last right-hand side. Of a long iteration every second, fourth, ... look is
  /// kept, and the last.
  std::vector<ResidualPoint> history;
  std::vector<Index>
      iterations_of_rank;  ///< of the last right-hand side; by block where a block has several ranks
  std::vector<Index>
      batches;  ///< receives that found 1, 2, 3, ... halos; the 64th: that many or more (async)

  // Multisplitting
  std::string inner;  ///< direct, cg, ilu; empty: Jacobi's method
  int overlap = 0;    ///< layers of the matrix's graph
  double damping = 1;
  Index block_rows = 0;  ///< of the largest block, with its overlap
  int ranks_per_block = 1;
  int blocks = 1;  ///< of the matrix
  // As preconditioner
  std::string accelerator;  ///< gmres, cg; empty: none
  int sweeps = 0;           ///< of an application; 0: it iterates by itself
  std::string weights;      ///< owner, both, none; empty: no operator in step
  Index coarse_unknowns = 0;
  Index raised_blocks = 0;  ///< blocks whose incomplete factors have a raised diagonal
};

/// Messages that were sent, all or of one kind.
struct Traffic {
  Index messages = 0;
  double bytes = 0;
  double largest_bytes = 0;
};
struct KindTraffic : Traffic {
  std::string kind;  ///< "panel", "contribution block", ...; docs/multifrontal-protocol.md
};

/// What one rank sent, and where its time went, in the factorisation.
struct RankTraffic : Traffic {
  double compute_s = 0;
  double communication_s = 0;  ///< packing, sending, and waiting for messages
  double idle_s = 0;           ///< outside: nothing left to do, or not begun
  std::vector<KindTraffic> kinds;
};

/// What happened: times in seconds of the caller, sizes in bytes; counts over all ranks, most of them in sparse_figures.hpp and its neighbours.
struct Report : SparseFigures {
  Status status = Status::ok;
  std::string message;  ///< one sentence when status is not ok

  Index n = 0;
  Index nnz = 0;         ///< entries of A as held, both triangles
  std::string type;      ///< float32, float64, complex64, complex128
  std::string symmetry;  ///< as found in the entries: general, symmetric, skew, hermitian
  std::string method;
  std::string factorization;  ///< lu, ldlt, cholesky
  std::string ordering;
  std::string matching;
  std::string scaling;    ///< of sparse matrices: matching, ruiz, off
  std::string precision;  ///< of the factors: float32, ...
  std::string engine;
  int ranks = 0;
  int workers = 0;
  bool simulated = false;
  std::string policy;  ///< simulated by shapes only: what was assumed in place of the data; else empty
  /// sparse factors: the method and the order of its fronts, and what they were compared with; dense matrices: the same of discipline
  /// auto; else empty
  std::string choice;
  /// the entries of a matrix that was taken as unsymmetric are symmetric up to rounding, or one triangle alone; else empty
  std::string hint;
  /// names of options that were set, but that the method does not read: "relax, max_width"
  std::string unused_options;
  /// factorisations by fronts after one, as auto had chosen, by nodes that was not sure or not accurate, or by columns that filled
  /// in too much
  Index falls_back = 0;
  /// analyses with another matching, scaling or order, or of other values, where a pivot was small, a solution was not accurate, the
  /// matching of a kept analysis did not fit, or factorisations were many
  Index analysed_again = 0;

  double analysis_s = 0;
  double analysis_cpu_s = 0;   ///< processor time of it, of all threads
  double analysis_path_s = 0;  ///< of that, the longest chain of tasks that wait for each other
  double factor_s = 0;
  double solve_s = 0;              ///< of the last solve, with refinement
  Index predicted_factor_nnz = 0;  ///< without delayed pivots
  double predicted_flops = 0;
  double predicted_factor_s = unknown;  ///< sparse factors, on one rank, by rates of such processors
  double shared_flops =
      0;  ///< of these, in fronts and nodes, on which several ranks work; columns are rank 0's alone
  /// memory of the numerical phase: of sparse factors on one rank, without delayed pivots; of other methods on all ranks
  double predicted_bytes = 0;
  double predicted_least_bytes = 0;        ///< compression: the least, however well blocks compress; else 0
  double predicted_disk_memory_bytes = 0;  ///< the same with factors on disk; multifrontal
  double predicted_scratch_bytes = 0;      ///< what these take on disk
  std::string factors = "memory";          ///< where they are: memory or disk
  double mean_rank = 0;                    ///< of the compressed blocks
  Index variable_block = 1;                ///< variables that were ordered as one; 1: none were found
  Index structural_rank = -1;              ///< -1: not known
  Index numerical_rank = -1;  ///< -1: not known, since there are no factors, or no numbers (policy)
  /// pivots.rounding > 0: the column and row of A, from 0, of the smallest pivot; else -1
  Index weak_unknown = -1, weak_equation = -1;
  /// The proof that A is singular to working precision: v, its largest entry 1, |A v| at rounding of |A| |v| in every row; of
  /// complex matrices real and imaginary parts in turn. Empty: there is no such proof. On rank 0's process.
  std::vector<double> null_vector;
  /// pivots.rounding > 0: max |A v| / |A| |v| over the rows, for the v that was found
  double null_share = unknown;
  /// the same: the share of its entries by which A has to change to be singular, to first order
  double null_distance = unknown;

  Index right_hand_sides = 0;
  Index unsolved_columns = 0;  ///< of these, without a solution beside others that have one: x is NaN there
  /// componentwise, omega1 + omega2 of Arioli, Demmel and Duff; the worst column
  double backward_error = unknown;
  double omega1 = unknown, omega2 = unknown;
  double forward_error = unknown;  ///< max |x - true x| / max |true x|, when the true x is known
  double true_residual = unknown;  ///< ||b - A x||_2 / ||b||_2; the worst column
  double condition_estimate =
      unknown;  ///< ||A||_1 ||A^{-1}||_1, when it was asked for, or with status ill_conditioned
  // RefinementOptions::error_analysis: Arioli, Demmel and Duff's condition numbers and bound; the worst column
  double condition_omega1 = unknown, condition_omega2 = unknown;
  /// of max |x - true x| / max |x|: omega1 condition_omega1 + omega2 condition_omega2. Without error_analysis, with status
  /// ill_conditioned alone: where pivots are rounding, from the corrections of refinement or, if those do not shrink, backward
  /// error x condition estimate; where they are not, a hundred times the change of x by one choice of last digits of A and b
  double forward_error_bound = unknown;
  /// refinement steps of the right-hand sides; Jacobi, multisplitting: those of the ranks
  Index iterations_min = 0, iterations_max = 0;
  Index gmres_steps = 0;  ///< after refinement, the most of a right-hand side
  double iterations_mean = 0;

  double wait_share = 0;  ///< of all ranks' time in the factorisation
  std::vector<double> wait_share_of_rank;
  Index messages = 0;
  double bytes = 0;
  double largest_message_bytes = 0;
  std::vector<KindTraffic> messages_of_kind;   ///< of all ranks, most bytes first
  std::vector<RankTraffic> traffic_of_rank;    ///< by rank
  std::vector<trace::PathPart> critical_path;  ///< with RunOptions::trace: the chain that ended last, by kind

  std::optional<DenseFigures> dense;          ///< prints its entries beside the others
  std::optional<IterationFigures> iteration;  ///< the same
};

/// One JSON object; NaN and infinity print as null. `indent` < 0: one line.
OVERLAPACK_API std::string to_json(const Report& report, int indent = 2);

/// The entries of reports as JSON, for other languages: a list of {name, type, may_be_null, ranks, methods, help}; a name
/// with a dot is an entry of an object. docs/report.md shows it.
OVERLAPACK_API std::string report_schema_json();

/// docs/report.md.
OVERLAPACK_API std::string report_markdown();

/// L D L^T whose root all ranks factorised by LU, which tells no signs of eigenvalues there.
OVERLAPACK_API bool has_root_by_lu(const Report& report);

/// One sentence where a factorisation of more than a second was computed by a BLAS whose kernels are older than the processor. Else
/// empty.
OVERLAPACK_API std::string kernel_advice(const Report& report);

/// The sentence of kernel_advice; else one where two fifths and more of the time of a sparse solve (half a second at least) went to
/// waiting, analysis or refinement, or where delayed pivots made it many times the work that was predicted: what to change. Of a
/// plan, one where factors fill in so much that another method may take less memory. Else empty.
OVERLAPACK_API std::string advice(const Report& report);

/// A count in words: 12 "split updates".
struct NamedCount {
  std::string_view name;
  Index count = 0;
};
/// The counts above 0 that reports for people show: how often each parallel path was taken.
OVERLAPACK_API std::vector<NamedCount> named_counts(const Report& report);

}  // namespace overlapack
