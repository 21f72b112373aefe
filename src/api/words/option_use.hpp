#pragma once
#include "overlapack/options.hpp"

#include <string>

/// Predicates that say what a run does, so that the table knows which options the run reads (OptionEntry::is_read). options.method is the
/// method that runs, never empty.
namespace overlapack::api {

bool makes_fronts(const Options& options);
bool makes_nodes(const Options& options);
bool makes_sparse_factors(const Options& options);
bool makes_dense_factors(const Options& options);
bool makes_dense_lu(const Options& options);
bool makes_dense_lu_or_cholesky(const Options& options);
bool makes_dense_lu_onesided(const Options& options);
bool makes_dense_lu_in_supersteps(const Options& options);
/// Whether the run makes factors, of the whole matrix or of the blocks of an iteration.
bool factorizes(const Options& options);
/// Whether the run makes factors of the whole matrix.
bool makes_factors(const Options& options);
/// Whether the run refines solutions with factors of the whole matrix.
bool refines(const Options& options);
/// Whether the run distributes nodes, or blocks of dense matrices, over a grid of ranks.
bool distributes_to_grid(const Options& options);
bool is_compressing(const Options& options);
bool compresses_fronts(const Options& options);
bool iterates(const Options& options);
/// The Krylov method that the iteration preconditions, and the weights of overlapping blocks in it; defaults are resolved.
Accelerator accelerator_of(const Options& options);
OverlapWeights weights_of(const Options& options);
/// Whether the iteration is the preconditioner of a Krylov method.
bool preconditions(const Options& options);
/// The variant of an iteration with these options; the default is resolved.
Variant variant_of(const Options& options);
bool iterates_out_of_step(const Options& options);
bool iterates_async(const Options& options);
bool solves_with_blocks(const Options& options);
bool iterates_in_blocks(const Options& options);
/// Whether the run predicts its memory, since it makes factors, whole or incomplete.
bool predicts_memory(const Options& options);

/// The names of options that are set to another value than their default, but that method `runs` does not read:
/// "tolerance, experiment.relax".
std::string unused_options(Options options, Method runs);

}  // namespace overlapack::api
