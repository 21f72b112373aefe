#pragma once
#include "controls.hpp"

#include <memory>

namespace overlapack::dropins::pardiso {

/// What a handle holds: one pattern, and the factors of up to maxfct matrices that have it.
class Handle {
 public:
  virtual ~Handle() = default;

  /// Phase 1: the pattern, and the values where MKL reads them. Factors go.
  virtual void analyse(Call& call) = 0;
  /// Phase 2: those of matrix mnum. What phase 1 has not analysed is analysed with the first values.
  virtual void factorize(Call& call) = 0;
  /// Phase 3, or a part of it (331, 332, 333).
  virtual void solve(Call& call) = 0;
  virtual void solve_part(Call& call) = 0;
  /// Phase 0.
  virtual void forget(Index mnum) = 0;
  virtual void diagonals(Index mnum, void* df, void* da) = 0;
  /// Errors  Refusal: another mtype or precision than that of the analysis
  virtual void require_same(const Call& call) const = 0;
};

/// Of the call's mtype and precision.
std::unique_ptr<Handle> make_handle(const Call& call);

}  // namespace overlapack::dropins::pardiso
