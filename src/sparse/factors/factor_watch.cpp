#include "sparse/factors/factor_watch.hpp"

#include "overlapack/error.hpp"

namespace overlapack::sparse {

void FactorWatch::report(double share) const {
  if (on_progress && !on_progress(share))
    throw Error(Status::cancelled, "the factorisation was cancelled by the caller");
}

}  // namespace overlapack::sparse
