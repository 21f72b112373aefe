#include "api/words/option_use.hpp"

#include "api/words/options_table.hpp"

#include <utility>

namespace overlapack::api {

bool solves_with_blocks(const Options& options) { return options.method == Method::multisplitting; }

bool iterates_in_blocks(const Options& options) {
  return solves_with_blocks(options) && options.multisplitting.inner == InnerSolve::conjugate_gradients;
}

bool predicts_memory(const Options& options) {
  return options.method != Method::jacobi &&
         !(options.method == Method::multisplitting &&
           options.multisplitting.inner == InnerSolve::conjugate_gradients);
}

Accelerator accelerator_of(const Options& options) {
  const MultisplittingOptions& blocks = options.multisplitting;
  const bool is_asked = options.iteration.sweeps > 0 || blocks.weights || blocks.coarse != Coarse::none;
  return options.iteration.accelerator.value_or(is_asked ? Accelerator::gmres : Accelerator::none);
}

bool preconditions(const Options& options) { return accelerator_of(options) != Accelerator::none; }

OverlapWeights weights_of(const Options& options) {
  const bool is_symmetric = accelerator_of(options) == Accelerator::cg;
  return options.multisplitting.weights.value_or(is_symmetric ? OverlapWeights::both : OverlapWeights::owner);
}

Variant variant_of(const Options& options) {
  const bool is_in_step = options.method == Method::multisplitting || preconditions(options);
  return options.iteration.variant.value_or(is_in_step ? Variant::sync : Variant::async);
}

bool iterates(const Options& options) {
  return options.method == Method::jacobi || solves_with_blocks(options);
}

bool iterates_out_of_step(const Options& options) {
  return iterates(options) && variant_of(options) != Variant::sync;
}

bool iterates_async(const Options& options) {
  return iterates(options) && variant_of(options) == Variant::async;
}

bool makes_fronts(const Options& options) {
  return options.method == Method::multifrontal || options.method == Method::block_triangular ||
         (solves_with_blocks(options) && !iterates_in_blocks(options));
}

bool makes_nodes(const Options& options) { return options.method == Method::supernodal; }

bool makes_sparse_factors(const Options& options) { return makes_fronts(options) || makes_nodes(options); }

bool makes_dense_factors(const Options& options) { return options.method == Method::dense; }

namespace {

FactorKind dense_kind(const Options& options) { return options.factorization.value_or(FactorKind::lu); }

/// Whether this is the discipline, or auto may choose it.
bool is_by(const Options& options, Discipline discipline) {
  return options.dense.discipline.value_or(discipline) == discipline;
}

}  // namespace

bool makes_dense_lu(const Options& options) {
  return makes_dense_factors(options) && dense_kind(options) == FactorKind::lu;
}

bool makes_dense_lu_or_cholesky(const Options& options) {
  return makes_dense_factors(options) && dense_kind(options) != FactorKind::qr;
}

bool makes_dense_lu_onesided(const Options& options) {
  return makes_dense_lu(options) && is_by(options, Discipline::onesided);
}

bool makes_dense_lu_in_supersteps(const Options& options) {
  return makes_dense_lu(options) && is_by(options, Discipline::superstep);
}

bool factorizes(const Options& options) {
  return makes_sparse_factors(options) || makes_dense_factors(options);
}

bool makes_factors(const Options& options) { return factorizes(options) && !iterates(options); }

bool refines(const Options& options) {
  return makes_factors(options) && (!makes_dense_factors(options) || makes_dense_lu_or_cholesky(options));
}

bool distributes_to_grid(const Options& options) {
  return makes_nodes(options) || makes_dense_factors(options);
}

bool is_compressing(const Options& options) { return options.compression.kind == Compression::blr; }

bool compresses_fronts(const Options& options) { return makes_fronts(options) && is_compressing(options); }

std::string unused_options(Options options, Method runs) {
  options.method = runs;
  std::string names;
  for (const OptionEntry& entry : options_table())
    if (!entry.field.is_default(options) && entry.is_read && !entry.is_read(options))
      names += (names.empty() ? "" : ", ") + full_name(entry);
  return names;
}

}  // namespace overlapack::api
