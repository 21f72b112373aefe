#pragma once
#include "call.hpp"
#include "overlapack/factors.hpp"
#include "overlapack/options.hpp"
#include "pattern_factors.hpp"

namespace overlapack::dropins::pardiso {

/// What an mtype says of a matrix.
struct Kind {
  FactorKind factorization = FactorKind::lu;
  Listed listed = Listed::all;
  bool is_complex = false;

  bool is_symmetric() const { return listed != Listed::all; }
};

/// Errors  Refusal: no mtype of MKL's
Kind kind_of(Index mtype);

/// Errors  Refusal: what iparm asks for and is not here
void require_supported(const Call& call);

/// What iparm, mtype and perm ask for.
Options options_of(const Call& call, const Kind& kind);

/// iparm[7]
int refinement_steps(const Call& call);
/// iparm[11]
Transpose op_of(const Call& call);

/// The code of an error of the library's.
Code code_of(Status status, const Kind& kind);

}  // namespace overlapack::dropins::pardiso
