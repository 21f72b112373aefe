#include "api/option_field.hpp"
#include "api/options_table.hpp"

#include <utility>

/// The rows of the table of options, a function for each group.
namespace overlapack::api {
namespace {

constexpr unsigned both = command_solve | command_plan;
constexpr unsigned every_run = command_solve | command_dense | command_hpl | command_jacobi;
constexpr unsigned iterations = command_solve | command_jacobi;
constexpr unsigned every = every_run | command_plan;

std::vector<OptionEntry> task_rows() {
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
       .commands = both,
       .common = both},
      {.name = "factorization",
       .field = field(&Options::factorization),
       .help =
           "auto: ldlt if the entries are symmetric, else lu (dense: lu); cholesky: the caller knows "
           "that A is positive definite; qr (dense): also for more equations than unknowns, by least squares",
       .commands = both | command_dense,
       .common = both | command_dense},
      {.name = "singular",
       .field = field(&Options::singular),
       .help = "a matrix with a pivot that is rounding; answer: it is solved with where that leaves a small "
               "backward "
               "error and a small residual (status ill_conditioned, with a condition estimate and the "
               "unknown), else "
               "the solve says that it is singular; refuse: its factorisation is an error",
       .commands = command_solve | command_dense},
  };
}

std::vector<OptionEntry> sparse_rows() {
  const auto at = fields_of(&Options::sparse);
  return {
      {.name = "ordering",
       .field = at(&SparseOptions::ordering),
       .help = "fill-reducing order; auto: the better of metis and amd by predicted time; user: the order "
               "given as user_order",
       .commands = both,
       .common = both},
      {.name = "matching",
       .field = at(&SparseOptions::matching),
       .help = "maximum-product matching and its scalings; auto: where the diagonal is weak, and "
               "with method supernodal",
       .commands = both},
      {.name = "scaling",
       .field = at(&SparseOptions::scaling),
       .help = "of rows and columns, sparse factors; ruiz: largest entries to about 1; auto: that of the "
               "matching where there is one, with null_pivots ruiz unless rows or columns differ by more "
               "than 1e8",
       .commands = both},
      {.name = "null_pivots",
       .field = at(&SparseOptions::null_pivots),
       .help = "sparse factors: factorise a singular matrix, too; its rank is reported, consistent systems "
               "are solved",
       .common = command_solve},
      {.name = "pivot_threshold",
       .field = at(&SparseOptions::pivot_threshold),
       .help = "a pivot is at least this times the largest entry of its row (LDL^T: column, and at most 0.5, "
               "complex 0.3, of it); "
               "larger is more stable, smaller delays fewer pivots",
       .low = 0,
       .high = 1},
      {.name = "perturbation",
       .field = at(&SparseOptions::perturbation),
       .help =
           "static pivoting, sparse factors: pivots that fail the threshold are taken where they are instead "
           "of delayed, and those below this times the largest entry are replaced by it (1e-8 suits double "
           "precision; it is at least 4e-13, single precision 8e-6); iterative refinement, then at least 10 "
           "steps, makes up for it; 0: off, with method supernodal 1e-13",
       .low = 0,
       .high = 1},
  };
}

std::vector<OptionEntry> front_rows() {
  const auto at = fields_of(&Options::fronts);
  return {
      {.name = "fronts",
       .field = at(&FrontOptions::sharing),
       .help = "multifrontal: how ranks share a large front; slices: whole fronts, ranks of one process take "
               "slices of the work; strips: its rows are dealt to ranks; auto: strips where ranks have "
               "memories of their own"},
      {.name = "strip_border",
       .field = at(&FrontOptions::strip_border),
       .help = "fronts strips: a front with fewer rows to update stays on one rank",
       .low = 1,
       .high = 1e9},
      {.name = "strip_rows",
       .field = at(&FrontOptions::strip_rows),
       .help = "fronts strips: least rows of a strip",
       .low = 1,
       .high = 1e9},
      {.name = "strip_panel",
       .field = at(&FrontOptions::strip_panel),
       .help =
           "fronts strips: pivots that the owner of a front sends to its strips together; 0: 128, down to 32 "
           "with more than 4 strips",
       .low = 0,
       .high = 65536},
      {.name = "chain_pivots",
       .field = at(&FrontOptions::chain_pivots),
       .help = "fronts strips: a front whose owner would have more than its share of the work is split into "
               "a chain of fronts with at least so many pivots; 0: none is",
       .low = 0,
       .high = 1e9},
      {.name = "multicast",
       .field = at(&FrontOptions::multicast),
       .help = "fronts strips: how panels reach the strips; tree: through a binary tree of them from 8 on; "
               "flat: each from the owner of the front; auto: tree, flat with early wait"},
      {.name = "strip_choice",
       .field = at(&FrontOptions::strip_choice),
       .help = "fronts strips: load: larger on ranks that have less work left, as they tell each other; "
               "static: as if no rank had other work, so that the same ranks give the same bits"},
      {.name = "load_news",
       .field = at(&FrontOptions::news_by),
       .help = "fronts strips: how ranks tell each other what work they have left: lane: by messages with "
               "receives of their own; shared: by messages among the others, all of which are taken before "
               "strips are chosen (paper 1); put: straight into the other's memory"},
      {.name = "steal",
       .field = at(&FrontOptions::steal),
       .help = "multifrontal: ranks without work take whole fronts and small subtrees from others, whatever "
               "the mapping; those in strips and on a grid stay. The same numbers, by other ranks. Not with "
               "early wait"},
      {.name = "slice_flops",
       .field = at(&FrontOptions::slice_flops),
       .help =
           "multifrontal: work of more flops is cut into slices, with a look at the messages behind each; 0: "
           "none is cut, so that a rank makes no call to MPI inside of a kernel, as in paper 1",
       .low = 0,
       .high = unlimited},
      {.name = "root",
       .field = at(&FrontOptions::root),
       .help = "multifrontal: how the largest root of the tree is factorised; sequential: as any front; "
               "grid: in blocks over all ranks, by dense LU or Cholesky; auto: grid where fronts are in "
               "strips and the root is large enough",
       .commands = both},
      {.name = "root_border",
       .field = at(&FrontOptions::root_order),
       .help = "root auto: a root of a smaller order stays on one rank",
       .low = 1,
       .high = 1e9,
       .commands = both},
      {.name = "root_block",
       .field = at(&FrontOptions::root_block),
       .help = "root on a grid: order of the blocks that are dealt, columns of a panel",
       .low = 1,
       .high = 65536},
  };
}

std::vector<OptionEntry> disk_rows() {
  const auto at = fields_of(&Options::disk);
  return {
      {.name = "factors",
       .field = at(&DiskOptions::factors),
       .help =
           "multifrontal: where factors are once they are made; disk: in a file of each rank in the folder "
           "scratch, from which every solve reads them; auto: disk where the prediction exceeds "
           "memory_limit (0: what is available) and scratch is given and has room",
       .commands = both},
      {.name = "scratch",
       .field = at(&DiskOptions::scratch),
       .help =
           "factors disk: folder of a disk with room; the files have no name there and go with the process",
       .form = "a folder",
       .commands = both},
      {.name = "disk_buffer",
       .field = at(&DiskOptions::buffer_bytes),
       .help =
           "factors disk: bytes of a rank that wait to be written, or are read ahead; a larger front goes "
           "alone; 0: a sixteenth of the factors, from 1 to 64 MiB",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = both},
  };
}

std::vector<OptionEntry> compression_rows() {
  const auto at = fields_of(&Options::compression);
  return {
      {.name = "compression",
       .field = at(&CompressionOptions::kind),
       .help = "multifrontal: blr: blocks of large fronts that are nearly of low rank are kept as products, "
               "with the error compression_tolerance; less memory and work for matrices of partial "
               "differential equations in three dimensions; fronts auto is slices then",
       .commands = both,
       .common = both},
      {.name = "compression_tolerance",
       .field = at(&CompressionOptions::tolerance),
       .help =
           "compression blr: error of a block of the factors, relative to the largest entry of the scaled "
           "matrix; 0: 1e-8, in single precision 1e-4. Refinement makes up for it; from about 1e-4 on the "
           "factors are a preconditioner",
       .low = 0,
       .high = 1,
       .commands = both},
      {.name = "compression_block",
       .field = at(&CompressionOptions::block),
       .help = "compression blr: about so many rows are a block, and so many pivots a panel",
       .low = 2,
       .high = 4096,
       .commands = both},
      {.name = "compression_order",
       .field = at(&CompressionOptions::least_order),
       .help = "compression blr: fronts of a smaller order stay as they are",
       .low = 1,
       .high = 1e9,
       .commands = both},
      {.name = "compression_contributions",
       .field = at(&CompressionOptions::contributions),
       .help = "compression blr: contribution blocks of compressed fronts wait for their parents in blocks "
               "of low rank, too, the largest ones: less memory at the peak, more work",
       .commands = both},
      {.name = "compression_precision",
       .field = at(&CompressionOptions::precision),
       .help = "compression blr: mixed: terms of a product that are small enough for it by "
               "compression_tolerance are kept in single precision, in half of the memory; working: none "
               "is. Factors in single precision are the same with both",
       .commands = both},
  };
}

std::vector<OptionEntry> node_rows() {
  const auto at = fields_of(&Options::nodes);
  return {
      {.name = "node_order",
       .field = at(&NodeOptions::order),
       .help = "supernodal: in which order nodes are eliminated; postorder: that of the tree; levels: first "
               "all that wait for "
               "none, then those that wait for these; auto: levels on more than one rank"},
      {.name = "node_map",
       .field = at(&NodeOptions::map),
       .help = "supernodal: which rank has which nodes; cyclic: dealt to the grid in turn; subtrees: leaf "
               "subtrees on "
               "one rank each, without messages, and what is above them dealt; auto: subtrees by look-ahead, "
               "cyclic by the "
               "paper's forms"},
      {.name = "max_width",
       .field = at(&NodeOptions::max_width),
       .help = "supernodal: columns of a node; a wider one is cut",
       .low = 1,
       .high = 65536,
       .commands = both},
      {.name = "relax",
       .field = at(&NodeOptions::relax),
       .help = "supernodal: subtrees of at most so many columns are one node",
       .low = 0,
       .high = 65536,
       .commands = both},
      {.name = "rows_ahead",
       .field = at(&NodeOptions::rows_ahead),
       .help = "supernodal, schedule lookahead: block rows are made ahead as block columns are; off: in "
               "their step, by sends that "
               "wait (paper 1)"},
  };
}

std::vector<OptionEntry> refinement_rows() {
  const auto at = fields_of(&Options::refinement);
  return {
      {.name = "refinement_steps",
       .field = at(&RefinementOptions::steps),
       .help = "iterative refinement: at most this many steps",
       .low = 0,
       .high = 1000},
      {.name = "refinement_target",
       .field = at(&RefinementOptions::target),
       .help = "componentwise backward error at which refinement stops; 0: 2 epsilon of the type",
       .low = 0,
       .high = 1},
      {.name = "accuracy",
       .field = at(&RefinementOptions::accuracy),
       .help = "a solution with a backward error above it is reported as inaccurate; 0: 45 epsilon (1e-14 in "
               "double)",
       .low = 0,
       .high = 1},
      {.name = "gmres_steps",
       .field = at(&RefinementOptions::gmres_steps),
       .help = "compression blr: where refinement does not reach accuracy, at most so many steps of flexible "
               "GMRES with the factors, or with Cholesky of conjugate gradients; 0: none",
       .low = 0,
       .high = 1e6},
      {.name = "error_analysis",
       .field = at(&RefinementOptions::error_analysis),
       .help = "sparse factors: after a solve, estimate condition numbers and bound the forward error; costs "
               "some ten solves a right-hand side",
       .common = command_solve},
  };
}

/// A schedule named as a discipline is the flat one by it.
OptionField schedule_or_discipline(OptionField schedule) {
  schedule.set = [set = schedule.set](Options& options, const OptionValue& value) {
    const auto named = choice_named<Discipline>(std::get<std::string>(value));
    if (!named || *named == Discipline::messages) return set(options, value);
    options.dense.schedule = Schedule::flat;
    options.dense.discipline = named;
    return true;
  };
  return schedule;
}

std::vector<OptionEntry> dense_rows() {
  const auto at = fields_of(&Options::dense);
  return {
      {.name = "schedule",
       .field = schedule_or_discipline(at(&DenseOptions::schedule)),
       .help = "dense LU: in which order the tasks of a step run; dense QR: flat or lookahead; supernodal: "
               "flat, pipelined or "
               "lookahead; "
               "auto: lookahead, flat where the discipline is not messages; a discipline's name: flat by it",
       .commands = command_solve | command_dense,
       .common = command_dense,
       .of_dealt_matrix = true},
      {.name = "discipline",
       .field = at(&DenseOptions::discipline),
       .help =
           "dense LU, Cholesky (not onesided): how data move; onesided: puts and gets into the memory of "
           "others; superstep: all ranks communicate and synchronise at the same time, as in BSPlib; auto: "
           "of LU, what is predicted to be fastest on this machine (report entry choice)",
       .commands = command_solve | command_dense,
       .common = command_dense,
       .of_dealt_matrix = true},
      {.name = "pivot_search",
       .field = at(&DenseOptions::pivot_search),
       .help = "dense LU: candidates carry their rows along; columns (schedule flat): search, exchange and "
               "update a column one after the other; tournament: one search a panel, less stable, see growth",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
      {.name = "sync",
       .field = at(&DenseOptions::sync),
       .help = "discipline superstep: all ask who sends to them and wait for all; known: they know, and wait "
               "for those alone",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
      {.name = "interchange",
       .field = at(&DenseOptions::interchange),
       .help = "dense LU: how rows that a panel exchanged travel right and left of it; auto: mix, by other "
               "disciplines than messages direct, but shared where supersteps look ahead; pairwise (schedule "
               "flat): one after the other; shared (discipline superstep): each to all who need it at once",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
      {.name = "row_swap",
       .field = at(&DenseOptions::row_swap),
       .help =
           "discipline onesided: each rank gets the other's rows from where they lie, or both pack them for "
           "two general transfers",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
      {.name = "memory",
       .field = at(&DenseOptions::memory),
       .help =
           "discipline onesided: in whose memory the matrix stands while others access it. user: where it "
           "is made, in a window (dense); copy: in a window for the time of the factorisation; attach: the "
           "caller's own, whose address is told; auto: user where that can be, else attach on threads and "
           "simulated machines, else copy",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
      {.name = "depth",
       .field = at(&DenseOptions::depth),
       .help =
           "dense LU, QR and supernodal: panels that are factorised ahead (schedules lookahead and hybrid); "
           "-1: 1, supernodal 10",
       .low = -1,
       .high = 64,
       .commands = command_solve | command_dense,
       .common = command_dense,
       .of_dealt_matrix = true},
      {.name = "block",
       .field = at(&DenseOptions::block),
       .help =
           "dense matrices: order of the blocks that are dealt to the grid, and columns of a panel; 0: by "
           "the order of the matrix",
       .low = 0,
       .high = 65536,
       .commands = command_solve | command_dense,
       .common = command_dense},
      {.name = "panel_width",
       .field = at(&DenseOptions::panel_width),
       .help = "dense LU: columns of a panel apart from the block (paper 4's nb'): a multiple of it, whose "
               "process columns factorise the panel together (discipline superstep, schedule flat, "
               "pivot_search columns); 0: the block",
       .low = 0,
       .high = 65536,
       .commands = command_solve | command_dense},
      {.name = "grid",
       .field = at(&DenseOptions::grid),
       .help = "dense LU and supernodal: process rows x process columns; auto: all ranks, as square as they "
               "allow",
       .form = "auto, or PxQ as in 2x3",
       .wanted = "auto, or process rows x columns as in 2x3",
       .commands = command_solve | command_dense,
       .common = command_dense},
      {.name = "grid_order",
       .field = at(&DenseOptions::grid_order),
       .help = "dense LU, Cholesky and QR: the order in which ranks fill the grid; auto: rows, but columns "
               "where that alone "
               "lays the ranks of each node side by side (schedule parity)",
       .commands = command_solve | command_dense},
      {.name = "broadcast",
       .field = at(&DenseOptions::broadcast),
       .help = "dense matrices: how panels travel along the process rows; auto: modified_ring, with schedule "
               "parity two_phase; discipline onesided, auto: no messages at all; a kind: searches for pivots "
               "are messages, and broadcasts but for direct",
       .commands = command_solve | command_dense,
       .of_dealt_matrix = true},
  };
}

std::vector<OptionEntry> precision_rows() {
  return {
      {.name = "precision",
       .field = field(&Options::precision),
       .help = "mixed factorises in single precision and refines in double, and factorises in double where "
               "that does not converge",
       .commands = command_solve,
       .common = command_solve},
  };
}

std::vector<OptionEntry> iteration_rows() {
  const auto at = fields_of(&Options::iteration);
  return {
      {.name = "variant",
       .field = at(&IterationOptions::variant),
       .help = "iterations: sync: all ranks in step; async: nobody waits, halos are whole; racy: nobody "
               "waits, each number of a halo comes by itself",
       .commands = iterations,
       .common = iterations},
      {.name = "in_flight",
       .field = at(&IterationOptions::in_flight),
       .help = "iterations: messages under way to each neighbour (async); 0: as many as the round trip takes "
               "iterations, at most 8",
       .low = 0,
       .high = 1e6,
       .commands = iterations},
      {.name = "halo_period",
       .field = at(&IterationOptions::halo_period),
       .help = "iterations: so many between two exchanges with the neighbours; 0: sync 1, else so many that "
               "exchanges take 5 % of the time, as far as the news of one last",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "tolerance",
       .field = at(&IterationOptions::tolerance),
       .help = "iterations: stop when ||b - A x||_2 / ||b||_2 of the vector that is returned is at most this",
       .low = 0,
       .high = 1,
       .commands = iterations,
       .common = iterations},
      {.name = "max_iterations",
       .field = at(&IterationOptions::max_iterations),
       .help = "iterations: stop after this many iterations, on the average of the ranks",
       .low = 0,
       .high = 1e15,
       .commands = iterations,
       .common = command_jacobi},
      {.name = "residual_period",
       .field = at(&IterationOptions::residual_period),
       .help = "iterations: so many between two looks at the residual; 0: 100 for Jacobi's method, 1 for "
               "multisplitting",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "residual_sum",
       .field = at(&IterationOptions::residual_sum),
       .help = "iterations: how the ranks sum a residual for which nobody waits (async, racy); tree: up and "
               "down a binary tree, a step an iteration; doubling: exchanges 1, 2, 4, ... ranks away that go "
               "on in every poll, as a non-blocking reduction of MPI does",
       .commands = iterations},
      {.name = "mapping",
       .field = at(&IterationOptions::mapping),
       .help = "jacobi: which boxes of the grid a node's ranks have; ranks: the next ones, x fastest; nodes: "
               "a box of boxes",
       .commands = command_jacobi},
      {.name = "final_sweeps",
       .field = at(&IterationOptions::final_sweeps),
       .help = "iterations: so many in step after an asynchronous end",
       .low = 0,
       .high = 1e6,
       .commands = iterations},
      {.name = "slow_rank",
       .field = at(&IterationOptions::slow_rank),
       .help = "iterations, for experiments: this rank takes FACTOR times as long for an iteration",
       .form = "none, or RANK:FACTOR as in 3:2",
       .wanted = "none, or RANK:FACTOR as in 3:2, with a factor of at least 1",
       .commands = iterations},
  };
}

std::vector<OptionEntry> multisplitting_rows() {
  const auto at = fields_of(&Options::multisplitting);
  return {
      {.name = "overlap",
       .field = at(&MultisplittingOptions::overlap),
       .help = "multisplitting: layers of the matrix's graph by which the block of a rank reaches into the "
               "others",
       .low = 0,
       .high = 1e6},
      {.name = "inner",
       .field = at(&MultisplittingOptions::inner),
       .help = "multisplitting: how a rank solves with its block; direct: factorised once by the "
               "multifrontal method; cg: conjugate gradients, for symmetric positive definite matrices"},
      {.name = "inner_tolerance",
       .field = at(&MultisplittingOptions::inner_tolerance),
       .help = "multisplitting: conjugate gradients reduce the residual of a block by this factor in each "
               "iteration",
       .low = 0,
       .high = 1},
      {.name = "damping",
       .field = at(&MultisplittingOptions::damping),
       .help = "multisplitting: share of each step that is taken; below 1 where many blocks overshoot",
       .low = 0,
       .high = 1},
      {.name = "ranks_per_block",
       .field = at(&MultisplittingOptions::ranks_per_block),
       .help = "multisplitting: so many consecutive ranks factorise a block together, and solve with it "
               "together; the first of them iterates; divides ranks",
       .low = 1,
       .high = 4096},
  };
}

std::vector<OptionEntry> run_rows() {
  const auto at = fields_of(&Options::run);
  return {
      {.name = "ranks_per_node",
       .field = at(&RunOptions::ranks_per_node),
       .help = "dense LU: a node is this many consecutive ranks (schedule parity); 0: as the engine tells",
       .low = 0,
       .high = 4096,
       .commands = every_run,
       .of_dealt_matrix = true},
      {.name = "engine",
       .field = at(&RunOptions::engine),
       .help = "what carries messages; auto: mpi when started by mpirun or srun, else thread; shmem: "
               "OpenSHMEM (command jacobi, and solve with method jacobi or multisplitting)",
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
       .help = "probe: receive what a probe finds; immediate: keep receives posted ahead of their messages"},
      {.name = "posted",
       .field = at(&RunOptions::posted),
       .help = "receives kept posted (receive immediate)",
       .low = 1,
       .high = 1024},
      {.name = "early",
       .field = at(&RunOptions::early),
       .help = "fronts strips: a message that comes before one that it needs; park: is kept until its turn; "
               "wait: the other one is received first (paper 1; takes posted 1 or receive probe)"},
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
       .unit = Unit::bytes},
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

}  // namespace

const std::vector<OptionEntry>& options_table() {
  static const std::vector<OptionEntry> table = [] {
    std::vector<OptionEntry> all;
    const std::pair<std::string_view, std::vector<OptionEntry>> groups[] = {
        {"Solver", task_rows()},
        {"Sparse factors", sparse_rows()},
        {"Fronts on several ranks", front_rows()},
        {"Factors on disk", disk_rows()},
        {"Compressed fronts", compression_rows()},
        {"Supernodal LU", node_rows()},
        {"Refinement", refinement_rows()},
        {"Dense matrices", dense_rows()},
        {"Solver", precision_rows()},
        {"Iterations", iteration_rows()},
        {"Multisplitting", multisplitting_rows()},
        {"Where and how it runs", run_rows()}};
    for (const auto& [group, rows] : groups)
      for (OptionEntry entry : rows) {
        entry.group = group;
        all.push_back(std::move(entry));
      }
    return all;
  }();
  return table;
}

}  // namespace overlapack::api
