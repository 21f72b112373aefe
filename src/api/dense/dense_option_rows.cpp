#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

namespace {

/// Also accept the name of a discipline as schedule: flat by that discipline.
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

}  // namespace

std::vector<OptionEntry> dense_options() {
  const auto at = fields_of(&Options::dense);
  return {
      {.name = "schedule",
       .field = schedule_or_discipline(at(&DenseOptions::schedule)),
       .help = "dense LU: in which order the tasks of a step run; dense QR: flat or lookahead; supernodal: "
               "flat, pipelined or "
               "lookahead; "
               "auto: lookahead, flat where the discipline is not messages; a discipline's name: flat by it",
       .commands = solve_and_dense,
       .common = command_dense,
       .of_distributed_matrix = true,
       .is_read = distributes_to_grid},
      {.name = "discipline",
       .field = at(&DenseOptions::discipline),
       .help =
           "dense LU, Cholesky (not onesided): how data move; onesided: puts and gets into the memory of "
           "others; superstep: all ranks communicate and synchronise at the same time, as in BSPlib; auto: "
           "of LU, what is predicted to be fastest on this machine (report entry choice)",
       .commands = solve_and_dense,
       .common = command_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_or_cholesky},
      {.name = "pivot_search",
       .field = at(&DenseOptions::pivot_search),
       .help = "dense LU: candidates carry their rows along; columns (schedule flat): search, exchange and "
               "update a column one after the other; tournament: one search a panel, less stable, see growth",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu},
      {.name = "sync",
       .field = at(&DenseOptions::sync),
       .help = "discipline superstep: all ask who sends to them and wait for all; known: they know, and wait "
               "for those alone",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_in_supersteps},
      {.name = "interchange",
       .field = at(&DenseOptions::interchange),
       .help = "dense LU: how rows that a panel exchanged travel right and left of it; auto: mix, by other "
               "disciplines than messages direct, but shared where supersteps look ahead; pairwise (schedule "
               "flat): one after the other; shared (discipline superstep): each to all who need it at once",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu},
      {.name = "row_swap",
       .field = at(&DenseOptions::row_swap),
       .help =
           "discipline onesided: each rank gets the other's rows from where they lie, or both pack them for "
           "two general transfers",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_onesided},
      {.name = "memory",
       .field = at(&DenseOptions::memory),
       .help =
           "discipline onesided: in whose memory the matrix stands while others access it. user: where it "
           "is made, in a window (dense); copy: in a window for the time of the factorisation; attach: the "
           "caller's own, whose address is told; auto: user where that can be, else attach on threads and "
           "simulated machines, else copy",
       .commands = solve_and_dense,
       .of_distributed_matrix = true,
       .is_read = makes_dense_lu_onesided},
      {.name = "depth",
       .field = at(&DenseOptions::depth),
       .help =
           "dense LU, QR and supernodal: panels that are factorised ahead (schedules lookahead and hybrid); "
           "-1: 1, supernodal 10",
       .low = -1,
       .high = 64,
       .commands = solve_and_dense,
       .common = command_dense,
       .of_distributed_matrix = true,
       .is_read = distributes_to_grid},
      {.name = "block",
       .field = at(&DenseOptions::block),
       .help = "dense matrices: order of the blocks that are distributed to the grid, and columns of a "
               "panel; 0: by "
               "the order of the matrix",
       .low = 0,
       .high = 65536,
       .commands = solve_and_dense,
       .common = command_dense},
      {.name = "panel_width",
       .field = at(&DenseOptions::panel_width),
       .help = "dense LU: columns of a panel apart from the block (paper 4's nb'): a multiple of it, whose "
               "process columns factorise the panel together (discipline superstep, schedule flat, "
               "pivot_search columns); 0: the block",
       .low = 0,
       .high = 65536,
       .commands = solve_and_dense,
       .is_read = makes_dense_lu},
      {.name = "grid",
       .field = at(&DenseOptions::grid),
       .help = "dense LU and supernodal: process rows x process columns; auto: all ranks, as square as they "
               "allow",
       .form = "auto, or PxQ as in 2x3",
       .wanted = "auto, or process rows x columns as in 2x3",
       .commands = solve_and_dense,
       .common = command_dense,
       .is_read = distributes_to_grid},
      {.name = "grid_order",
       .field = at(&DenseOptions::grid_order),
       .help = "dense LU, Cholesky and QR: the order in which ranks fill the grid; auto: rows, but columns "
               "where that alone "
               "lays the ranks of each node side by side (schedule parity)",
       .commands = solve_and_dense},
      {.name = "broadcast",
       .field = at(&DenseOptions::broadcast),
       .help = "dense matrices: how panels travel along the process rows; auto: modified_ring, with schedule "
               "parity two_phase; discipline onesided, auto: no messages at all; a kind: searches for pivots "
               "are messages, and broadcasts but for direct",
       .commands = solve_and_dense,
       .of_distributed_matrix = true},
  };
}

}  // namespace overlapack::api
