#pragma once
#include "call.hpp"
#include "overlapack/factors.hpp"
#include "overlapack/options.hpp"
#include "pattern_factors.hpp"

namespace overlapack::dropins::pardiso {

/// The kind of a matrix by its mtype.
struct Kind {
  FactorKind factorization = FactorKind::lu;
  Listed listed = Listed::all;
  bool is_complex = false;

  bool is_symmetric() const { return listed != Listed::all; }
};

/// The kind of an mtype.
/// Errors  Refusal: MKL has no such mtype
Kind kind_of(Index mtype);

/// Check that iparm asks for nothing that this drop-in lacks.
/// Errors  Refusal
void require_supported(const Call& call);

/// The library's options for iparm, mtype and perm.
Options options_of(const Call& call, const Kind& kind);

/// The number of refinement steps, by iparm[7].
int refinement_steps(const Call& call);
/// The op of a solve, by iparm[11].
Transpose op_of(const Call& call);

/// MKL's code for an error of the library.
Code code_of(Status status, const Kind& kind);

}  // namespace overlapack::dropins::pardiso
