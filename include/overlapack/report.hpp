#pragma once
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/trace.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  ///< prints as null

struct PivotCounts {
  Index delayed = 0;    ///< moved up to a parent front, each time counted
  Index perturbed = 0;  ///< replaced by a larger number (SparseOptions::perturbation)
  Index exchanged = 0;  ///< supernodal: not on the diagonal of their node's square
  Index two_by_two = 0;
  Index null = 0;          ///< found to be zero
  Index rounding = 0;      ///< of which rounding or nothing was left, while the matrix was not refused for it
  Index zero = 0;          ///< of these: nothing, so that they were replaced
  Index negative = 0;      ///< negative eigenvalues (symmetric and Hermitian matrices)
  Index off_diagonal = 0;  ///< block_triangular: not the entry that the matching put on the diagonal
  Index kept = 0;          ///< block_triangular: by refactorize, which found them still large enough
};

/// What a dense factorisation tells beyond the rest; counts over all ranks.
struct DenseFigures {
  Index rows = 0;          ///< of the matrix; its columns are Report::n
  std::string grid;        ///< process rows x columns: "2x3"
  std::string grid_order;  ///< rows, columns; empty: as the caller dealt it
  Index block = 0;
  std::string schedule;
  std::string discipline;
  int depth = 0;  ///< panels ahead, where the schedule has any
  std::string broadcast;
  std::string precision;  ///< of the factors: that of the type, or its single precision
  double gflops = 0;      ///< of the factorisation (`overlapack dense`: with the solve), by HPL's count
  /// ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n), eps = 2^-53 in double
  double scaled_residual = unknown;
  double growth = 0;  ///< pivot_search tournament: the largest entry of U over that of A; else 0
  // QR
  double factor_residual = unknown;  ///< ||A-QR||_1 / (||A||_1 max(m, n) eps), of a random matrix
  double orthogonality = unknown;    ///< ||Q^H Q - I||_1 / (max(m, n) eps), of a random matrix
  double residual_norm = unknown;    ///< ||b-Ax||_2 of least squares, of the worst column
  /// ||A^H (b-Ax)||_oo / (||A||_1 (||A||_oo ||x||_oo + ||b||_oo)): 0 where ||b-Ax||_2 is least
  double optimality = unknown;
  /// of the time that the ranks compute, while a mate of the same node does too; where events are kept
  double computing_with_mate = unknown;
  // Each parallel path has its counter
  Index panels = 0;
  Index wide_panels = 0;        ///< of several dealt blocks
  Index panels_ahead = 0;       ///< factorised before the update of an earlier one was finished
  Index split_updates = 0;      ///< updates of which half ran while the rows of the other half travelled
  Index opposite_phases = 0;    ///< in which a rank computed while its node mates communicated
  Index rearranged_panels = 0;  ///< whose L or U travelled in parts, by way of node mates
  Index binary_exchanges = 0, spread_rolls = 0, direct_interchanges = 0, pairwise_interchanges = 0,
        shared_interchanges = 0;  ///< of rows, by their kind
  Index overlapped_messages = 0;  ///< that came while their receiver computed
  Index row_swaps = 0;  ///< discipline onesided: exchanges of rows between two ranks, from both sides
  Index lent_user = 0, lent_copy = 0,
        lent_attach = 0;  ///< the same: ranks whose matrix stood in that memory for the others
  Index blocks_in_place = 0,
        blocks_copied = 0;  ///< the same: of L and U of other ranks, read where they stand, and as copies
  /// the same: through windows, of all ranks; put_signals: puts and signals that were one operation
  Index signals = 0, puts = 0, gets = 0, put_signals = 0;
  // discipline superstep: the cost a + b g + c l
  Index supersteps = 0;  ///< c
  Index superstep_words =
      0;  ///< b: of each superstep the most words of 8 bytes that a rank sends or receives
  Index superstep_messages = 0;  ///< of each superstep the most messages that a rank sends or receives
  double superstep_work_s = 0;   ///< a: of each superstep the longest computation
  Index split_supersteps = 0;    ///< between whose halves ranks computed, summed over the ranks
  // Cholesky: broadcasts by how many take part, summed over the ranks
  Index scopes_of_one = 0, scopes_of_two = 0, scopes_of_more = 0;
  // its time, in parts: means over the ranks
  double superstep_compute_s = 0;   ///< between syncs
  double superstep_pack_s = 0;      ///< packing and unpacking rows, and moving those that stay
  double superstep_idle_s = 0;      ///< in syncs, until the last rank came; unknown, and 0, with sync known
  double superstep_exchange_s = 0;  ///< communicating and synchronising: in syncs, from then on
};

/// A global residual on the way of an iteration.
struct ResidualPoint {
  Index iteration = 0;  ///< of rank 0
  double seconds = 0;   ///< since the iteration began
  double residual = 0;
  /// of one vector; else a sum of local residuals with old halos, which belongs to none
  bool is_true = false;
};

/// What an iteration, Jacobi's method or multisplitting, tells beyond the rest; counts over all ranks.
struct IterationFigures {
  std::string variant;          ///< sync, async, racy
  int in_flight = 0;            ///< as given; 0: chosen
  int most_in_flight = 0;       ///< most messages on their way to one neighbour (async)
  Index halo_period = 0;        ///< as given; 0: chosen
  double halo_period_mean = 0;  ///< of the ranks, at the end
  std::string residual_sum;     ///< tree, doubling; empty: sync
  std::string mapping;          ///< of the boxes: ranks, nodes; empty for a matrix
  double tolerance = 0;
  std::string grid;                                       ///< boxes of points: "2x2x1"; empty for a matrix
  double radius_lower = unknown, radius_upper = unknown;  ///< enclose the spectral radius of |D^-1 (L + U)|
  std::string warning;                                    ///< where convergence is not known in advance
  Index looks = 0;                                        ///< global residuals on the way
  Index snapshots = 0;      ///< recorded vectors whose true residual was computed while iterating
  Index sends = 0;          ///< of a halo to a neighbour
  Index skipped_sends = 0;  ///< because the channel was full
  double sends_per_iteration = unknown;  ///< of a rank
  Index slices = 0;                      ///< of local steps
  Index slices_by_others = 0;            ///< of these, run by workers and waiting ranks of the same process
  Index largest_batch = 0;               ///< most halos of one neighbour between two receives (async)
  /// On rank 0's process, of the last right-hand side. Of a long iteration every second, fourth, ... look is kept.
  std::vector<ResidualPoint> history;
  std::vector<Index>
      iterations_of_rank;  ///< of the last right-hand side; by block where a block has several ranks
  std::vector<Index>
      batches;  ///< receives to which 1, 2, 3, ... halos had come; the 64th: that many or more (async)

  // Multisplitting
  std::string inner;  ///< direct, cg; empty: Jacobi's method
  int overlap = 0;    ///< layers of the matrix's graph
  double damping = 1;
  Index block_rows = 0;   ///< of the largest block, with its overlap
  Index inner_steps = 0;  ///< of conjugate gradients, all blocks
  int ranks_per_block = 1;
  Index group_solves = 0;  ///< solves with a block by several ranks, all blocks
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

/// What happened: times in seconds of the caller, sizes in bytes, counts over all ranks.
struct Report {
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
  std::string policy;  ///< simulated by shapes only: where what depends on the data came from; else empty
  /// method auto, one rank, where nodes were compared with fronts: what was compared, what was chosen, and why; else empty
  std::string choice;
  /// what the entries of a matrix that was taken as unsymmetric look like: symmetric up to rounding, or one triangle alone; else empty
  std::string hint;
  /// names of options that were set, but that the method does not read: "relax, max_width"
  std::string unused_options;
  /// factorisations by fronts after one, as auto had chosen, by nodes that was not sure or not accurate, or by columns that filled
  /// in too much
  Index falls_back = 0;
  /// analyses with another matching or scaling, or of other values, where a pivot was small or a solution was not accurate
  Index analysed_again = 0;

  double analysis_s = 0;
  double factor_s = 0;
  double deal_s = 0;  ///< of these: until each rank has its part of the tree and of the matrix (multifrontal)
  double solve_s = 0;  ///< of the last solve, with refinement
  Index fronts = 0;
  Index small_fronts = 0;        ///< of these, done in one go, since they have few rows
  Index distributed_fronts = 0;  ///< of these, with their rows in strips over several ranks
  Index strips = 0;
  Index load_news = 0;  ///< that ranks told each other of the work they have left
  /// tasks, of one front or a small subtree, that another rank did than they were given to
  Index stolen = 0;
  Index pieces = 0;  ///< parts of contribution blocks that travelled to their rows in another rank's memory
  /// ranks that were given less of a front because of the memory that they held already
  Index limited_by_memory = 0;
  Index chain_links = 0;      ///< fronts that go on with the pivots of a long front which was split
  Index grid_roots = 0;       ///< roots that all ranks factorised together
  Index nodes = 0;            ///< method supernodal
  Index columns_ahead = 0;    ///< block columns of nodes made before their own step, as each rank saw it
  Index rows_ahead = 0;       ///< the same of block rows
  Index direct_products = 0;  ///< products of an update that were computed where they are added
  Index subtree_nodes = 0;    ///< of the nodes: in leaf subtrees on one rank, without a message
  Index border_messages = 0;  ///< with what these add to the nodes above them
  Index panel_messages = 0;   ///< of a factorisation by nodes, known from the lists
  Index panel_bytes = 0;      ///< of these messages
  Index diagonal_blocks = 0;  ///< method block_triangular
  Index column_blocks = 0;    ///< of these, factorised column by column, on one rank
  Index largest_block = 0;    ///< unknowns
  /// of the last factorisation: columns whose pivot and pattern were those that the analysis predicted
  Index predicted_columns = 0;
  /// of the last factorisation with known pivots: columns whose numbers several ranks could compute at the same time
  Index shared_columns = 0;
  Index parked = 0;                ///< messages that came before one that they need, and were kept
  Index late_receives = 0;         ///< messages that were received first for one that came too early
  Index times_full = 0;            ///< messages that waited for room in their sender's budget
  Index most_entries_of_rank = 0;  ///< of A, that one rank held: as given, by rows or in its fronts
  Index predicted_factor_nnz = 0;  ///< without delayed pivots
  double predicted_flops = 0;
  double shared_flops =
      0;  ///< of these, in fronts and nodes, whose work ranks share: columns are rank 0's alone
  double predicted_bytes = 0;              ///< memory of the numerical phase, all ranks
  double predicted_least_bytes = 0;        ///< with compression: however well blocks compress; else 0
  double predicted_disk_memory_bytes = 0;  ///< the same with factors on disk; multifrontal
  double predicted_scratch_bytes = 0;      ///< what these take on disk
  std::string factors = "memory";          ///< where they are: memory or disk
  Index fronts_on_disk = 0;                ///< and strips of fronts
  Index times_disk_full_budget =
      0;                          ///< parts of the file that waited for room in the budget of what is written
  Index segments_ahead = 0;       ///< parts of the files that solves asked for before they were needed
  double disk_written_bytes = 0;  ///< all ranks
  double disk_read_bytes = 0;     ///< since the factorisation
  double disk_wait_s = 0;         ///< of ranks for their files, summed, since the factorisation began
  Index factor_nnz = 0;
  double flops = 0;  ///< done, real operations
  double full_rank_nnz =
      0;  ///< entries of the same factors without compression; other methods than multifrontal: 0
  double full_rank_flops = 0;   ///< operations for these
  Index low_rank_fronts = 0;    ///< factorised in blocks (option compression)
  Index blocks_compressed = 0;  ///< of these fronts,
  Index blocks_full = 0;        ///< and those kept as they are
  Index blocks_mixed = 0;       ///< of the compressed ones, with terms in single precision,
  Index mixed_saved_bytes = 0;  ///< which saves so much
  double mean_rank = 0;         ///< of the compressed ones
  Index contributions_compressed =
      0;                        ///< contribution blocks that waited for their parents in compressed form
  Index low_rank_strips = 0;    ///< strips of these fronts (option fronts),
  Index panel_saved_bytes = 0;  ///< for which panels were so much shorter
  Index largest_rank = 0;
  double peak_bytes = 0;          ///< of the numerical phase, all ranks
  double most_bytes_of_rank = 0;  ///< the same of the rank that has most
  PivotCounts pivots;
  Index structural_rank = -1;  ///< -1: not known
  Index numerical_rank = -1;   ///< -1: not known, since there are no factors, or no numbers (policy)
  /// pivots.rounding > 0: the column and row of A, from 0, of the smallest pivot; else -1
  Index weak_unknown = -1, weak_equation = -1;
  /// The proof that A is singular to working precision: v, its largest entry 1, |A v| at rounding of |A| |v| in every row; of complex
  /// matrices real and imaginary parts in turn. Empty: there is no such proof. On rank 0's process.
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
  /// of max |x - true x| / max |x|: omega1 condition_omega1 + omega2 condition_omega2; where pivots are rounding, without error_analysis:
  /// by the corrections of refinement, and where those do not shrink, the backward error x the condition estimate
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

/// What reports tell as JSON, for other languages: a list of {name, type, may_be_null, ranks, methods, help}; a name
/// with a dot is an entry of an object. docs/report.md shows it.
OVERLAPACK_API std::string report_schema_json();

/// docs/report.md.
OVERLAPACK_API std::string report_markdown();

/// One sentence where a factorisation of more than a second was computed by a BLAS whose kernels are older than the processor. Else
/// empty.
OVERLAPACK_API std::string kernel_advice(const Report& report);

/// That of kernel_advice; else one where two fifths and more of the time of a sparse solve (half a second at least) went to waiting, analysis
/// or refinement: what to change. Else empty.
OVERLAPACK_API std::string advice(const Report& report);

/// A count in words: 12 "split updates".
struct NamedCount {
  std::string_view name;
  Index count = 0;
};
/// The counts above 0 that text for people tells: how often each parallel path was taken.
OVERLAPACK_API std::vector<NamedCount> told_counts(const Report& report);

}  // namespace overlapack
