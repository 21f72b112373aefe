#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

std::vector<OptionEntry> sparse_options() {
  const auto at = fields_of(&Options::sparse);
  return {
      {.name = "ordering",
       .field = at(&SparseOptions::ordering),
       .help = "The order of elimination, which decides the fill. dissection: the library's own nested "
               "dissection on all threads. auto: dissection or amd, whichever has the shorter predicted "
               "time. user: the order that is given as user_order",
       .tier = Tier::common,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "ordering_effort",
       .field = at(&SparseOptions::ordering_effort),
       .help = "The effort of the ordering dissection. low: less time for the analysis. high: three orders "
               "are tried and the one with the shortest predicted time is taken. high suits a pattern that "
               "is factorised many times",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "matching",
       .field = at(&SparseOptions::matching),
       .help = "A maximum-product matching moves large entries to the diagonal and scales the matrix. auto: "
               "on if the diagonal is weak, and always with method supernodal",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "scaling",
       .field = at(&SparseOptions::scaling),
       .help = "The scaling of rows and columns before a sparse factorisation. ruiz: the largest entry of "
               "each row and column becomes about 1. auto: the scaling of the matching, if there is one. "
               "With null_pivots, auto is ruiz unless the sizes of rows or columns differ by more than 1e8",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "null_pivots",
       .field = at(&SparseOptions::null_pivots),
       .help = "Factorise a singular sparse matrix too. The report has its rank, and consistent systems are "
               "solved",
       .shapes_analysis = true},
      {.name = "pivot_threshold",
       .field = at(&SparseOptions::pivot_threshold),
       .help = "A pivot of sparse factors is at least this times the largest entry of its row. LDL^T looks "
               "at the column and takes at most 0.5, for complex numbers 0.3. A larger value is more stable. "
               "A smaller value delays fewer pivots",
       .low = 0,
       .high = 1},
      {.name = "perturbation",
       .field = at(&SparseOptions::perturbation),
       .help = "Static pivoting of sparse factors: no pivot is delayed. A pivot below this times the largest "
               "entry of the matrix is replaced by that product. 1e-8 suits double precision. The least "
               "value is 4e-13, in single precision 8e-6. Refinement then takes at least 10 steps. 0: off, "
               "with method supernodal 1e-13. With factorization quasidefinite, the product is of the "
               "largest entry of the row, and 0 means 1e-8",
       .low = 0,
       .high = 1,
       .shapes_analysis = true},
      {.name = "regularization",
       .field = at(&SparseOptions::regularization),
       .help = "factorization quasidefinite: this times the largest entry of its row is added to each pivot, "
               "with the sign that `signs` gives. 1e-8 suits double precision. Solutions are refined with "
               "the matrix itself",
       .low = 0,
       .high = 1},
  };
}

std::vector<OptionEntry> front_options() {
  const auto at = fields_of(&Options::fronts);
  return {
      {.name = "fronts",
       .field = at(&FrontOptions::sharing),
       .help = "How the ranks share a large front. slices: fronts are whole, and the ranks of a process take "
               "slices of the work. strips: the rows of a front are distributed to ranks. auto: strips if "
               "the ranks have separate memories",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: fronts of type 2",
       .shapes_analysis = true},
      {.name = "strip_border",
       .field = at(&FrontOptions::strip_border),
       .help = "fronts strips: a front with fewer rows to update stays on one rank",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: fronts of type 2",
       .low = 1,
       .high = 1e9},
      {.name = "strip_rows",
       .field = at(&FrontOptions::strip_rows),
       .help = "fronts strips: the least number of rows of a strip",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: fronts of type 2",
       .low = 1,
       .high = 1e9},
      {.name = "strip_panel",
       .field = at(&FrontOptions::strip_panel),
       .help = "fronts strips: the number of pivots that the owner of a front sends to its strips in one "
               "message. 0: 128, and down to 32 with more than 4 strips",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: fronts of type 2",
       .low = 0,
       .high = 65536},
      {.name = "chain_pivots",
       .field = at(&FrontOptions::chain_pivots),
       .help = "fronts strips: a front is split into a chain of fronts if its owner would have more than its "
               "share of the work. Each front of the chain has at least this number of pivots. 0: no front "
               "is split",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: splitting of fronts of type 2",
       .low = 0,
       .high = 1e9},
      {.name = "multicast",
       .field = at(&FrontOptions::multicast),
       .help = "fronts strips: how the panels of a front reach its strips. tree: through a binary tree if "
               "there are 8 strips or more. flat: each strip gets them from the owner of the front. auto: "
               "tree, and flat with early wait",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: fronts of type 2"},
      {.name = "strip_choice",
       .field = at(&FrontOptions::strip_choice),
       .help = "fronts strips: which ranks get the strips. load: ranks with less work left get more. static: "
               "as if no rank had other work, so that the same number of ranks gives the same bits",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: choice of slaves by load"},
      {.name = "load_news",
       .field = at(&FrontOptions::load_news),
       .help = "fronts strips: how a rank reports the work that it has left. lane: messages with receives of "
               "their own. shared: messages among all others, which are all received before strips are "
               "chosen. put: a put into the memory of the other rank",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1: shared"},
      {.name = "steal",
       .field = at(&FrontOptions::steal),
       .help = "multifrontal: a rank without work takes whole fronts and small subtrees from other ranks, "
               "not fronts in strips or on a grid. The numbers are the same. Not with early wait",
       .tier = Tier::experiment,
       .source = "developers of the library, work stealing"},
      {.name = "slice_flops",
       .field = at(&FrontOptions::slice_flops),
       .help = "multifrontal: work of more flops is cut into slices, and the rank looks for messages after "
               "each slice. 0: no work is cut, so that no rank calls MPI inside a kernel",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 4.1: 0",
       .low = 0,
       .high = unlimited},
      {.name = "root",
       .field = at(&FrontOptions::root),
       .help =
           "multifrontal: how the largest root of the tree is factorised. sequential: as any other "
           "front. grid: in blocks over all ranks, by dense LU or Cholesky. The root of LDL^T has LU, too, "
           "and the factors have no inertia then. auto: grid if fronts are in strips and the root is "
           "large enough, but not with LDL^T",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: the root, type 3",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "root_order",
       .field = at(&FrontOptions::root_order),
       .help = "root auto: a root of a smaller order stays on one rank",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: the root, type 3",
       .low = 1,
       .high = 1e9,
       .commands = solve_and_plan},
      {.name = "root_block",
       .field = at(&FrontOptions::root_block),
       .help =
           "root grid: the order of the blocks that are distributed, and the number of columns of a panel",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 2: the root, type 3",
       .low = 1,
       .high = 65536},
  };
}

std::vector<OptionEntry> disk_options() {
  const auto at = fields_of(&Options::disk);
  return {
      {.name = "factors",
       .field = at(&DiskOptions::factors),
       .help = "multifrontal: where the factors are kept. disk: in a file of each rank in the folder "
               "scratch, from which every solve reads them. auto: disk if the predicted memory exceeds "
               "memory_limit and scratch is given and has room",
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "scratch",
       .field = at(&DiskOptions::scratch),
       .help = "factors disk: a folder on a disk with room. The files have no name there and end with the "
               "process",
       .form = "a folder",
       .commands = solve_and_plan},
      {.name = "disk_buffer",
       .field = at(&DiskOptions::buffer_bytes),
       .help = "factors disk: the bytes of a rank that wait to be written or are read ahead. A larger front "
               "is written alone. 0: a sixteenth of the factors, from 1 to 64 MiB",
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
       .help = "multifrontal: blr keeps blocks of large fronts as products of low rank, with the error "
               "compression_tolerance. It saves memory and work if the matrix comes from a partial "
               "differential equation in three dimensions",
       .commands = solve_and_plan,
       .shapes_analysis = true,
       .is_read = makes_fronts},
      {.name = "compression_tolerance",
       .field = at(&CompressionOptions::tolerance),
       .help = "compression blr: the error of a block of the factors, relative to the largest entry of the "
               "scaled matrix. 0: 1e-8, in single precision 1e-4. Refinement removes the error from the "
               "solution. From about 1e-4 on the factors are a preconditioner",
       .low = 0,
       .high = 1,
       .commands = solve_and_plan},
      {.name = "compression_block",
       .field = at(&CompressionOptions::block),
       .help = "compression blr: the approximate number of rows of a block and of pivots of a panel",
       .tier = Tier::experiment,
       .source = "developers of the library, block low-rank fronts",
       .low = 2,
       .high = 4096,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "compression_order",
       .field = at(&CompressionOptions::order),
       .help = "compression blr: a front of a smaller order is not compressed",
       .tier = Tier::experiment,
       .source = "developers of the library, block low-rank fronts",
       .low = 1,
       .high = 1e9,
       .commands = solve_and_plan},
      {.name = "compression_contributions",
       .field = at(&CompressionOptions::contributions),
       .help = "compression blr: the largest contribution blocks of compressed fronts wait for their parents "
               "in blocks of low rank too. This takes less memory at the peak and more work",
       .tier = Tier::experiment,
       .source = "developers of the library, block low-rank fronts",
       .commands = solve_and_plan},
      {.name = "compression_precision",
       .field = at(&CompressionOptions::precision),
       .help = "compression blr: mixed: terms of a product that are small enough by compression_tolerance "
               "are in single precision, in half of the memory. working: all terms have the precision of the "
               "matrix. In single precision both are the same",
       .tier = Tier::experiment,
       .source = "developers of the library, block low-rank fronts",
       .commands = solve_and_plan},
  };
}

std::vector<OptionEntry> node_options() {
  const auto at = fields_of(&Options::nodes);
  return {
      {.name = "node_order",
       .field = at(&NodeOptions::order),
       .help = "supernodal: the order in which nodes are eliminated. postorder: the order of the tree. "
               "levels: first all nodes that wait for none, then those that wait for these. auto: levels on "
               "more than one rank",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 5: postorder"},
      {.name = "node_map",
       .field = at(&NodeOptions::map),
       .help = "supernodal: which rank has which nodes. cyclic: nodes go to the grid in turn. subtrees: each "
               "rank has whole leaf subtrees, which need no messages, and the nodes above them go to the "
               "grid in turn. auto: subtrees with schedule lookahead, otherwise cyclic",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 5.1, Figure 4: cyclic"},
      {.name = "max_width",
       .field = at(&NodeOptions::max_width),
       .help = "supernodal: the most columns of a node. A wider node is cut",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 5: supernodal LU",
       .low = 1,
       .high = 65536,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "relax",
       .field = at(&NodeOptions::relax),
       .help = "supernodal: a subtree of at most this number of columns is one node",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 5: supernodal LU",
       .low = 0,
       .high = 65536,
       .commands = solve_and_plan,
       .shapes_analysis = true},
      {.name = "rows_ahead",
       .field = at(&NodeOptions::rows_ahead),
       .help = "supernodal, schedule lookahead: block rows are made ahead as block columns are. off: block "
               "rows are made in their step, by sends that wait",
       .tier = Tier::experiment,
       .source = "Amestoy, Duff, L'Excellent, Li 2001, section 5, Figure 7: off"},
  };
}

std::vector<OptionEntry> refinement_options() {
  const auto at = fields_of(&Options::refinement);
  return {
      {.name = "refinement_steps",
       .field = at(&RefinementOptions::steps),
       .help = "The most steps of iterative refinement",
       .low = 0,
       .high = 1000,
       .is_read = refines},
      {.name = "refinement_target",
       .field = at(&RefinementOptions::target),
       .help = "Refinement stops at this componentwise backward error. 0: two epsilon of the type",
       .low = 0,
       .high = 1,
       .is_read = refines},
      {.name = "accuracy",
       .field = at(&RefinementOptions::accuracy),
       .help = "A solution with a larger backward error is reported as inaccurate. 0: 45 epsilon, which is "
               "1e-14 in double precision",
       .tier = Tier::common,
       .low = 0,
       .high = 1},
      {.name = "gmres_steps",
       .field = at(&RefinementOptions::gmres_steps),
       .help = "If refinement does not reach accuracy, at most this number of steps of flexible GMRES "
               "follows, with the factors as preconditioner. With Cholesky the steps are those of conjugate "
               "gradients. 0: none",
       .low = 0,
       .high = 1e6,
       .is_read = refines},
      {.name = "error_analysis",
       .field = at(&RefinementOptions::error_analysis),
       .help = "sparse factors: estimate condition numbers after a solve and bound the error of the "
               "solution. This takes the time of about ten solves for each right-hand side. After replaced "
               "pivots "
               "(perturbation) the bound may be too low by a small factor",
       .tier = Tier::common},
  };
}

}  // namespace overlapack::api
