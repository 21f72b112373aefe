#include "api/words/option_field.hpp"
#include "api/words/option_rows.hpp"
#include "api/words/option_use.hpp"

namespace overlapack::api {

std::vector<OptionEntry> iteration_options() {
  const auto at = fields_of(&Options::iteration);
  return {
      {.name = "variant",
       .field = at(&IterationOptions::variant),
       .help = "iterations: sync: all ranks in step; async: nobody waits, halos are whole; racy: nobody "
               "waits, each number of a halo comes by itself; auto: async, multisplitting and "
               "preconditioners sync",
       .commands = iterations,
       .common = iterations},
      {.name = "in_flight",
       .field = at(&IterationOptions::in_flight),
       .help = "iterations: messages under way to each neighbour (async); 0: as many as the round trip takes "
               "iterations, at most 8",
       .low = 0,
       .high = 1e6,
       .commands = iterations,
       .is_read = iterates_async},
      {.name = "halo_period",
       .field = at(&IterationOptions::halo_period),
       .help = "iterations: so many between two exchanges with the neighbours; 0: sync 1, else so many that "
               "exchanges take 5 % of the time, as far as the news of one last",
       .low = 0,
       .high = 1e9,
       .commands = iterations},
      {.name = "tolerance",
       .field = at(&IterationOptions::tolerance),
       .help =
           "iterations: stop when ||b - A x||_2 / ||b||_2 of the vector that is returned is at most this; 0: "
           "1e-8, in single precision 1e-5",
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
       .commands = iterations,
       .is_read = iterates_out_of_step},
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
       .commands = iterations,
       .is_read = iterates_out_of_step},
      {.name = "sweeps",
       .field = at(&IterationOptions::sweeps),
       .help = "iterations: so many from 0 are an operator, which preconditions; in step a fixed one; 0: 1 "
               "where there is an accelerator, else none",
       .low = 0,
       .high = 1e6},
      {.name = "accelerator",
       .field = at(&IterationOptions::accelerator),
       .help = "iterations: what sweeps precondition; gmres: flexible GMRES, whatever the sweeps; cg: "
               "flexible conjugate gradients, for blocks in step with weights both or none of a symmetric "
               "positive definite matrix; auto: gmres where sweeps, weights or coarse are given"},
      {.name = "slow_rank",
       .field = at(&IterationOptions::slow_rank),
       .help = "iterations, for experiments: this rank takes FACTOR times as long for an iteration",
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
       .high = 1,
       .is_read = iterates_in_blocks},
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
      {.name = "blocks",
       .field = at(&MultisplittingOptions::blocks),
       .help = "multisplitting: blocks of the matrix, at least one a rank, or a group of ranks; 0: one",
       .low = 0,
       .high = 1e6},
      {.name = "weights",
       .field = at(&MultisplittingOptions::weights),
       .help = "multisplitting as preconditioner in step: how blocks share their overlap; owner: a row's "
               "owner gives its correction; both: the root of one over the blocks that have it, before the "
               "solve and behind it; none: all are added; auto: owner, for cg both"},
      {.name = "coarse",
       .field = at(&MultisplittingOptions::coarse),
       .help = "multisplitting as preconditioner in step: a level of a few unknowns a block over them, "
               "solved directly; near_null_space: ones, or the vectors that come with the matrix"},
  };
}

}  // namespace overlapack::api
