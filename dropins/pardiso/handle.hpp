#pragma once
#include "controls.hpp"

#include <memory>

namespace overlapack::dropins::pardiso {

/// The object behind a handle: one pattern, and the factors of up to maxfct matrices with that pattern.
class Handle {
 public:
  virtual ~Handle() = default;

  /// Phase 1: store the pattern, read the values if MKL reads them, and drop all factors.
  virtual void analyse(Call& call) = 0;
  /// Phase 2: factorise matrix mnum. If phase 1 has not analysed, the first values are analysed.
  virtual void factorize(Call& call) = 0;
  /// Phase 3, and its parts 331, 332 and 333.
  virtual void solve(Call& call) = 0;
  virtual void solve_part(Call& call) = 0;
  /// Phase 0: drop the factors of matrix mnum.
  virtual void forget(Index mnum) = 0;
  virtual void diagonals(Index mnum, void* df, void* da) = 0;
  /// Check that the call has the mtype and precision of the analysis.
  /// Errors  Refusal
  virtual void require_same(const Call& call) const = 0;
};

/// Make a handle for the mtype and precision of the call.
std::unique_ptr<Handle> make_handle(const Call& call);

}  // namespace overlapack::dropins::pardiso
