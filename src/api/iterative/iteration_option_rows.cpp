#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

std::vector<OptionEntry> iteration_options() {
  const auto at = fields_of(&Options::iteration);
  return {
      {.name = "variant",
       .field = at(&IterationOptions::variant),
       .help = "Iterations. sync: all ranks in step. async: no rank waits, and each halo is whole. racy: no "
               "rank waits, and each number of a halo comes by itself. auto: async, but sync for "
               "multisplitting and for preconditioners",
       .commands = iterations},
      {.name = "in_flight",
       .field = at(&IterationOptions::in_flight),
       .help = "Iterations: the number of messages under way to each neighbour (variant async). 0: as many "
               "as the round trip takes iterations, at most 8",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 3.1.2: R",
       .low = 0,
       .high = 1e6,
       .commands = iterations,
       .is_read = iterates_async},
      {.name = "halo_by",
       .field = at(&IterationOptions::halo_by),
       .help = "Iterations: how halos travel to the neighbours (variant async). messages: as messages. puts: "
               "into buffers of the neighbour, with a count beside them, on engine shmem and in simulations. "
               "engine: puts on engine shmem, else messages",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014: section 3.1.2 has messages, section 3.2.2 puts",
       .commands = iterations,
       .is_read = iterates_async},
      {.name = "halo_period",
       .field = at(&IterationOptions::halo_period),
       .help =
           "Iterations: the number of iterations between two exchanges with the neighbours. 0: 1 for variant "
           "sync. For the others, exchanges take 5 % of the time unless neighbours would hear too rarely",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 6.3: N",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "tolerance",
       .field = at(&IterationOptions::tolerance),
       .help = "Iterations stop if the 2-norm of b - A x is at most this times the 2-norm of b, for the "
               "vector x that is returned. 0: 1e-8, in single precision 1e-5",
       .tier = Tier::common,
       .low = 0,
       .high = 1,
       .commands = iterations},
      {.name = "max_iterations",
       .field = at(&IterationOptions::max_iterations),
       .help = "Iterations stop after this number of iterations, as an average over the ranks. Asynchronous "
               "ranks "
               "finish the iterations that they have begun, and may make a few more",
       .low = 0,
       .high = 1e15,
       .commands = iterations},
      {.name = "residual_period",
       .field = at(&IterationOptions::residual_period),
       .help = "Iterations: the number of iterations between two checks of the residual. 0: 100 for Jacobi's "
               "method, 1 for multisplitting",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, Figure 1: 100",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "residual_sum",
       .field = at(&IterationOptions::residual_sum),
       .help = "Iterations: how the ranks sum a residual without waiting (variants async, racy). tree: up "
               "and down a binary tree, one step in each iteration. doubling: exchanges with ranks 1, 2, 4, "
               "... away that go on in every poll, as a non-blocking reduction of MPI does",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 3.1.2: tree",
       .commands = iterations,
       .is_read = iterates_out_of_step},
      {.name = "mapping",
       .field = at(&IterationOptions::mapping),
       .help = "Command jacobi: which boxes of the grid the ranks of a node have. ranks: the next boxes, x "
               "fastest. nodes: a box of boxes",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 3: ranks",
       .commands = command_jacobi},
      {.name = "final_sweeps",
       .field = at(&IterationOptions::final_sweeps),
       .help = "Iterations: the number of iterations in step after an asynchronous end",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 3.1.2: its proposal",
       .low = 0,
       .high = 1e6,
       .commands = iterations,
       .is_read = iterates_out_of_step},
      {.name = "sweeps",
       .field = at(&IterationOptions::sweeps),
       .help =
           "Iterations as a preconditioner: the number of iterations from 0. In step the preconditioner is a "
           "fixed operator. 0: 1 if there is an accelerator, otherwise the iteration is no preconditioner",
       .low = 0,
       .high = 1e6},
      {.name = "accelerator",
       .field = at(&IterationOptions::accelerator),
       .help = "The Krylov method that an iteration preconditions. gmres: flexible GMRES. cg: flexible "
               "conjugate gradients, for a symmetric positive definite matrix and blocks in step with "
               "weights both or none. auto: gmres if sweeps, weights or coarse are given, otherwise none"},
      {.name = "slow_rank",
       .field = at(&IterationOptions::slow_rank),
       .help = "Iterations: this rank takes FACTOR times as long for an iteration",
       .tier = Tier::experiment,
       .source = "Bethune and others 2014, section 6.1: a slow core",
       .form = "none, or RANK:FACTOR as in 3:2",
       .wanted = "none, or RANK:FACTOR as in 3:2, with a factor of at least 1",
       .commands = iterations},
  };
}

std::vector<OptionEntry> multisplitting_options() {
  const auto at = fields_of(&Options::multisplitting);
  return {
      {.name = "overlap",
       .field = at(&MultisplittingOptions::overlap),
       .help = "multisplitting: the number of layers of the matrix's graph by which the block of a rank "
               "reaches into other blocks. -1: 4, for inner ilu 0",
       .low = -1,
       .high = 1e6},
      {.name = "inner",
       .field = at(&MultisplittingOptions::inner),
       .help = "multisplitting: how a rank solves with its block. direct: the block is factorised once by "
               "the multifrontal method. cg: conjugate gradients, for symmetric positive definite matrices. "
               "ilu: incomplete LU without fill, for a preconditioner in step. auto: ilu with a coarse level "
               "if all numbers on the diagonal are on one side of zero, otherwise direct"},
      {.name = "inner_tolerance",
       .field = at(&MultisplittingOptions::inner_tolerance),
       .help =
           "inner cg: conjugate gradients reduce the residual of a block by this factor in each iteration",
       .low = 0,
       .high = 1,
       .is_read = iterates_in_blocks},
      {.name = "damping",
       .field = at(&MultisplittingOptions::damping),
       .help = "multisplitting: the share of each step that is taken. A value below 1 helps if many blocks "
               "overshoot",
       .low = 0,
       .high = 1},
      {.name = "ranks_per_block",
       .field = at(&MultisplittingOptions::ranks_per_block),
       .help = "multisplitting: this number of consecutive ranks factorise a block together and solve with "
               "it together. The first of them iterates. It divides the number of ranks",
       .low = 1,
       .high = 4096},
      {.name = "blocks",
       .field = at(&MultisplittingOptions::blocks),
       .help = "multisplitting: the number of blocks of the matrix, at least one for each rank or group of "
               "ranks. 0: one for each, or with a coarse level and ranks_per_block 1 one for about 800 nodes",
       .low = 0,
       .high = 1e6},
      {.name = "weights",
       .field = at(&MultisplittingOptions::weights),
       .help = "multisplitting as a preconditioner in step: how blocks share the rows of their overlap. "
               "owner: the owner of a row gives its correction. both: the root of one over the number of "
               "blocks that have the row, before and after the solve. none: all corrections are added. auto: "
               "owner, for cg both"},
      {.name = "coarse",
       .field = at(&MultisplittingOptions::coarse),
       .help =
           "multisplitting as a preconditioner in step: a coarse level with a few unknowns for each "
           "block, which is solved directly. near_null_space: ones on each part of a block that is coupled "
           "strongly, or the vectors that come with the matrix"},
  };
}

}  // namespace overlapack::api
