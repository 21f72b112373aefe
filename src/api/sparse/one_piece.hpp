#pragma once
#include "overlapack/options.hpp"

namespace overlapack::api {

/// A copy of `options` for factors of this kind by fronts of one rank, in memory. Options that contradict this are replaced.
inline Options one_piece_options(const Options& options, FactorKind kind) {
  Options one;
  one.method = Method::multifrontal;
  one.factorization = kind;
  one.ranks = 1;
  one.run.engine = Engine::thread;
  one.run.memory_limit_bytes = options.run.memory_limit_bytes;
  one.progress = options.progress;
  one.sparse = options.sparse;
  one.sparse.null_pivots = false;
  if (kind == FactorKind::ldlt && options.factorization == FactorKind::quasidefinite) {
    one.factorization = FactorKind::quasidefinite;
    return one;
  }
  one.sparse.signs.clear();
  one.sparse.perturbation = 0;
  one.sparse.regularization = 0;
  return one;
}

}  // namespace overlapack::api
