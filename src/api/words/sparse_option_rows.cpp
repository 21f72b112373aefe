#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

std::vector<OptionEntry> sparse_options() {
  const auto at = fields_of(&Options::sparse);
  return {
      {.name = "ordering",
       .field = at(&SparseOptions::ordering),
       .help = "fill-reducing order; auto: the better of dissection (the library's own, on all threads) and "
               "amd by "
               "predicted time; user: the order given as user_order",
       .commands = solve_and_plan,
       .common = solve_and_plan,
       .shapes_analysis = true},
      {.name = "ordering_effort",
       .field = at(&SparseOptions::ordering_effort),
       .help = "how much is done for an order by dissection; low: less time; high: three orders, the best by "
               "predicted time, "
               "for matrices that are factorised many times",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "matching",
       .field = at(&SparseOptions::matching),
       .help = "maximum-product matching and its scalings; auto: where the diagonal is weak, and "
               "with method supernodal",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "scaling",
       .field = at(&SparseOptions::scaling),
       .help = "of rows and columns, sparse factors; ruiz: largest entries to about 1; auto: that of the "
               "matching where there is one, with null_pivots ruiz unless rows or columns differ by more "
               "than 1e8",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "null_pivots",
       .field = at(&SparseOptions::null_pivots),
       .help = "sparse factors: factorise a singular matrix, too; its rank is reported, consistent systems "
               "are solved",
       .common = command_solve,
       .shapes_analysis = true},
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
           "steps, makes up for it; 0: off, with method supernodal 1e-13; factorization quasidefinite: this "
           "times the largest entry of its row replaces a pivot that is too small, 0: 1e-8",
       .low = 0,
       .high = 1,
       .shapes_analysis = true},
      {.name = "regularization",
       .field = at(&SparseOptions::regularization),
       .help = "factorization quasidefinite: this times the largest entry of its row is added to each pivot, "
               "with the sign that `signs` gives it (1e-8 suits double precision); solves are refined with A "
               "itself",
       .low = 0,
       .high = 1},
  };
}

std::vector<OptionEntry> front_options() {
  const auto at = fields_of(&Options::fronts);
  return {
      {.name = "fronts",
       .field = at(&FrontOptions::sharing),
       .help = "multifrontal: how ranks share a large front; slices: whole fronts, ranks of one process take "
               "slices of the work; strips: its rows are distributed to ranks; auto: strips where ranks have "
               "memories of their own",
       .shapes_analysis = true},
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
       .field = at(&FrontOptions::load_news),
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
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "root_order",
       .field = at(&FrontOptions::root_order),
       .help = "root auto: a root of a smaller order stays on one rank",
       .low = 1,
       .high = 1e9,
       .commands = solve_and_plan},
      {.name = "root_block",
       .field = at(&FrontOptions::root_block),
       .help = "root on a grid: order of the blocks that are distributed, columns of a panel",
       .low = 1,
       .high = 65536},
  };
}

std::vector<OptionEntry> disk_options() {
  const auto at = fields_of(&Options::disk);
  return {
      {.name = "factors",
       .field = at(&DiskOptions::factors),
       .help =
           "multifrontal: where factors are once they are made; disk: in a file of each rank in the folder "
           "scratch, from which every solve reads them; auto: disk where the prediction exceeds "
           "memory_limit (0: what is available) and scratch is given and has room",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "scratch",
       .field = at(&DiskOptions::scratch),
       .help =
           "factors disk: folder of a disk with room; the files have no name there and go with the process",
       .form = "a folder",
       .commands = solve_and_plan},
      {.name = "disk_buffer",
       .field = at(&DiskOptions::buffer_bytes),
       .help =
           "factors disk: bytes of a rank that wait to be written, or are read ahead; a larger front goes "
           "alone; 0: a sixteenth of the factors, from 1 to 64 MiB",
       .low = 0,
       .high = unlimited,
       .unit = Unit::bytes,
       .commands = solve_and_plan},
  };
}

std::vector<OptionEntry> compression_options() {
  const auto at = fields_of(&Options::compression);
  return {
      {.name = "compression",
       .field = at(&CompressionOptions::kind),
       .help = "multifrontal: blr: blocks of large fronts that are nearly of low rank are kept as products, "
               "with the error compression_tolerance; less memory and work for matrices of partial "
               "differential equations in three dimensions; fronts auto is slices then",
       .commands = solve_and_plan,
       .common = solve_and_plan,
       .shapes_analysis = true,
       .is_read = makes_fronts},
      {.name = "compression_tolerance",
       .field = at(&CompressionOptions::tolerance),
       .help =
           "compression blr: error of a block of the factors, relative to the largest entry of the scaled "
           "matrix; 0: 1e-8, in single precision 1e-4. Refinement makes up for it; from about 1e-4 on the "
           "factors are a preconditioner",
       .low = 0,
       .high = 1,
       .commands = solve_and_plan},
      {.name = "compression_block",
       .field = at(&CompressionOptions::block),
       .help = "compression blr: about so many rows are a block, and so many pivots a panel",
       .low = 2,
       .high = 4096,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "compression_order",
       .field = at(&CompressionOptions::order),
       .help = "compression blr: fronts of a smaller order stay as they are",
       .low = 1,
       .high = 1e9,
       .commands = solve_and_plan},
      {.name = "compression_contributions",
       .field = at(&CompressionOptions::contributions),
       .help = "compression blr: contribution blocks of compressed fronts wait for their parents in blocks "
               "of low rank, too, the largest ones: less memory at the peak, more work",
       .commands = solve_and_plan},
      {.name = "compression_precision",
       .field = at(&CompressionOptions::precision),
       .help = "compression blr: mixed: terms of a product that are small enough for it by "
               "compression_tolerance are kept in single precision, in half of the memory; working: none "
               "is. Factors in single precision are the same with both",
       .commands = solve_and_plan},
  };
}

std::vector<OptionEntry> node_options() {
  const auto at = fields_of(&Options::nodes);
  return {
      {.name = "node_order",
       .field = at(&NodeOptions::order),
       .help = "supernodal: in which order nodes are eliminated; postorder: that of the tree; levels: first "
               "all that wait for "
               "none, then those that wait for these; auto: levels on more than one rank"},
      {.name = "node_map",
       .field = at(&NodeOptions::map),
       .help =
           "supernodal: which rank has which nodes; cyclic: distributed to the grid in turn; subtrees: leaf "
           "subtrees on "
           "one rank each, without messages, and what is above them distributed; auto: subtrees by "
           "look-ahead, "
           "cyclic by the "
           "paper's forms"},
      {.name = "max_width",
       .field = at(&NodeOptions::max_width),
       .help = "supernodal: columns of a node; a wider one is cut",
       .low = 1,
       .high = 65536,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "relax",
       .field = at(&NodeOptions::relax),
       .help = "supernodal: subtrees of at most so many columns are one node",
       .low = 0,
       .high = 65536,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "rows_ahead",
       .field = at(&NodeOptions::rows_ahead),
       .help = "supernodal, schedule lookahead: block rows are made ahead as block columns are; off: in "
               "their step, by sends that "
               "wait (paper 1)"},
  };
}

std::vector<OptionEntry> refinement_options() {
  const auto at = fields_of(&Options::refinement);
  return {
      {.name = "refinement_steps",
       .field = at(&RefinementOptions::steps),
       .help = "iterative refinement: at most this many steps",
       .low = 0,
       .high = 1000,
       .is_read = refines},
      {.name = "refinement_target",
       .field = at(&RefinementOptions::target),
       .help = "componentwise backward error at which refinement stops; 0: 2 epsilon of the type",
       .low = 0,
       .high = 1,
       .is_read = refines},
      {.name = "accuracy",
       .field = at(&RefinementOptions::accuracy),
       .help = "a solution with a backward error above it is reported as inaccurate; 0: 45 epsilon (1e-14 in "
               "double)",
       .low = 0,
       .high = 1},
      {.name = "gmres_steps",
       .field = at(&RefinementOptions::gmres_steps),
       .help = "where refinement does not reach accuracy, at most so many steps of flexible GMRES with the "
               "factors, or with Cholesky of conjugate gradients; 0: none",
       .low = 0,
       .high = 1e6,
       .is_read = refines},
      {.name = "error_analysis",
       .field = at(&RefinementOptions::error_analysis),
       .help = "sparse factors: after a solve, estimate condition numbers and bound the forward error; costs "
               "some ten solves a right-hand side",
       .common = command_solve},
  };
}

}  // namespace overlapack::api
