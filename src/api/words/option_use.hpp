#pragma once
#include "overlapack/options.hpp"

#include <string>

/// Which options a run reads. In all that follows options.method is the method that runs.
namespace overlapack::api {

bool makes_fronts(const Options& options);
bool makes_nodes(const Options& options);
bool makes_sparse_factors(const Options& options);
bool makes_dense_factors(const Options& options);
bool makes_dense_lu(const Options& options);
bool makes_dense_lu_or_cholesky(const Options& options);
bool makes_dense_lu_onesided(const Options& options);
bool makes_dense_lu_in_supersteps(const Options& options);
/// Makes factors of any kind, of the whole matrix or of blocks.
bool factorizes(const Options& options);
/// Makes factors of the whole matrix.
bool makes_factors(const Options& options);
/// Refines with factors of the whole matrix.
bool refines(const Options& options);
/// Distributes nodes, or blocks of dense matrices.
bool distributes_to_grid(const Options& options);
bool is_compressing(const Options& options);
bool compresses_fronts(const Options& options);
bool iterates(const Options& options);
/// What iterations precondition, and how blocks then share their overlap.
Accelerator accelerator_of(const Options& options);
OverlapWeights weights_of(const Options& options);
/// Iterations are the preconditioner of a Krylov method.
bool preconditions(const Options& options);
/// The variant of an iteration by these options.
Variant variant_of(const Options& options);
bool iterates_out_of_step(const Options& options);
bool iterates_async(const Options& options);
bool solves_with_blocks(const Options& options);
bool iterates_in_blocks(const Options& options);
/// Memory is predicted: factors, whole or incomplete, are made.
bool predicts_memory(const Options& options);

/// The names of options that are set to other than their defaults, but not read by this method: "tolerance, experiment.relax".
std::string unused_options(Options options, Method runs);

}  // namespace overlapack::api
