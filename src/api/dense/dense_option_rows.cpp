#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

std::vector<OptionEntry> dense_options() {
  const auto at = fields_of(&Options::dense);
  return {
      {.name = "schedule",
       .field = at(&DenseOptions::schedule),
       .help =
           "The order of the tasks of a step. Dense LU has all but pipelined. Dense QR has flat and "
           "lookahead, supernodal has flat, pipelined and lookahead. auto: lookahead, flat if the experiment "
           "discipline is not messages, and split for dense LU on several computers if n is large enough "
           "for their number",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = distributes_to_grid},
      {.name = "discipline",
       .field = at(&DenseOptions::discipline),
       .help =
           "How dense factorisations move data. onesided: puts and gets into the memory of other "
           "ranks. superstep (LU, Cholesky): all ranks communicate and synchronise at the same time, as in "
           "BSPlib. auto: "
           "for LU the one that is predicted to be fastest on this machine, which the report gives (choice)",
       .tier = Tier::experiment,
       .source = "Tate 2004, section 2: onesided. Horvitz, Bisseling, section 2: superstep",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_factors},
      {.name = "pivot_search",
       .field = at(&DenseOptions::pivot_search),
       .help = "How dense LU finds pivots. combined: candidates bring their rows along. columns (schedule "
               "flat): search, exchange and update follow each other for each column. tournament: one search "
               "for a panel, which is less stable (report field growth)",
       .tier = Tier::experiment,
       .source = "Horvitz, Bisseling, section 2.1, Figure 1: columns",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu},
      {.name = "sync",
       .field = at(&DenseOptions::sync),
       .help = "discipline superstep: full: all ranks ask who sends to them, and wait for all. known: the "
               "ranks know who sends to them, and wait for those alone",
       .tier = Tier::experiment,
       .source = "Horvitz, Bisseling, section 2: full",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_in_supersteps},
      {.name = "interchange",
       .field = at(&DenseOptions::interchange),
       .help = "How dense LU exchanges the rows of a panel's pivots in the other columns. pairwise (schedule "
               "flat): one row after the other. shared (discipline superstep): each row to all who need it "
               "at once. auto: mix, with another discipline than messages direct, and shared if supersteps "
               "look ahead",
       .tier = Tier::experiment,
       .source = "Horvitz, Bisseling, section 2.3: direct. Tate 2004, section 2: pairwise",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu},
      {.name = "row_swap",
       .field = at(&DenseOptions::row_swap),
       .help = "discipline onesided: native: each rank gets the other's rows from where they are. generic: "
               "both ranks pack their rows for two general transfers",
       .tier = Tier::experiment,
       .source = "Tate 2004, section 2: the vector swap",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_onesided},
      {.name = "memory",
       .field = at(&DenseOptions::memory),
       .help = "discipline onesided: in whose memory the matrix is while other ranks access it. user "
               "(dense): the matrix is made in a window. copy: the matrix is in a window during the "
               "factorisation. attach: the matrix stays in the caller's memory, whose address is sent. auto: "
               "user if possible, otherwise attach on threads and simulated machines, otherwise copy",
       .tier = Tier::experiment,
       .source = "Tate 2004, section 3.1: three kinds of memory",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_onesided},
      {.name = "depth",
       .field = at(&DenseOptions::depth),
       .help =
           "schedules lookahead and hybrid: the number of panels that are factorised ahead. Schedule "
           "parity: 0 is the order of paper 2; otherwise ranks that wait for a panel update meanwhile. -1: "
           "1, with method supernodal 10",
       .low = -1,
       .high = 64,
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = distributes_to_grid},
      {.name = "block",
       .field = at(&DenseOptions::block),
       .help = "The order of the blocks in which a dense matrix is distributed to the grid, and the number "
               "of columns of a panel. 0: chosen by the order of the matrix",
       .low = 0,
       .high = 65536,
       .commands = solve_and_dense},
      {.name = "panel_width",
       .field = at(&DenseOptions::panel_width),
       .help = "dense LU: the number of columns of a panel, if it differs from the block. It is a multiple "
               "of the block, and its process columns factorise the panel together. It needs discipline "
               "superstep, schedule flat and pivot_search columns. 0: the block",
       .tier = Tier::experiment,
       .source = "Horvitz, Bisseling, section 2.1: nb'",
       .low = 0,
       .high = 65536,
       .commands = solve_and_dense,
       .is_read = makes_dense_lu},
      {.name = "grid",
       .field = at(&DenseOptions::grid),
       .help = "dense LU and supernodal: the numbers of process rows and process columns. auto: all ranks, "
               "as square as possible",
       .form = "auto, or PxQ as in 2x3",
       .wanted = "auto, or process rows x columns as in 2x3",
       .commands = solve_and_dense,
       .is_read = distributes_to_grid},
      {.name = "grid_order",
       .field = at(&DenseOptions::grid_order),
       .help = "dense LU, Cholesky and QR: the order in which ranks fill the grid. auto: rows, and columns "
               "if only that order puts the ranks of each node side by side (schedule parity)",
       .tier = Tier::experiment,
       .source = "Viet, Yoshinaga 2006, section 4.2: the grid by rows",
       .commands = solve_and_dense},
      {.name = "broadcast",
       .field = at(&DenseOptions::broadcast),
       .help = "dense matrices: how panels travel along the process rows. auto: modified_ring, with schedule "
               "parity two_phase, with discipline onesided no messages. With discipline onesided, any other "
               "value sends searches for pivots as messages, and all broadcasts except direct",
       .tier = Tier::experiment,
       .source = "Viet, Yoshinaga 2006, section 3.2. Tate 2004, Figure 3. Horvitz, Bisseling, section 2.2",
       .commands = solve_and_dense,
       .of_distributed_matrix = true},
  };
}

}  // namespace overlapack::api
