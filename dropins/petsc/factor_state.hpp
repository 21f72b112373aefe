#pragma once
#include "attempt.hpp"
#include "overlapack/options.hpp"
#include "pattern_factors.hpp"

#include <optional>
#include <petsc/private/matimpl.h>
#include <vector>

/// The state of a factored Mat of solver type overlapack.
namespace overlapack::dropins::petsc {

struct FactorState {
  Options options;
  MPI_Comm communicator = MPI_COMM_NULL;  ///< options point to it
  bool is_distributed = false;            ///< several processes
  std::vector<Index> rows;                ///< owned by this process
  std::optional<PatternFactors<PetscScalar>> factors;
  /// attached by the program, A^H v = 0: what right-hand sides have of it, A x cannot give
  MatNullSpace left = nullptr;
  bool judges = false;  ///< KSPPREONLY solves: a right-hand side without a solution is to fail
  bool raises = false;  ///< the program wants an error where there is no solution (KSPSetErrorIfNotConverged)
  Outcome last;         ///< of the last factorisation or solve
};

/// Whether F is a factored matrix of this library.
bool is_ours(Mat F);
inline FactorState& state_of(Mat F) { return *static_cast<FactorState*>(F->data); }

/// Whether F is 0 x 0, so that there is nothing to factorise or to solve. The block of a process without rows is (PCBJACOBI on the levels of
/// PCGAMG).
inline bool is_empty(Mat F) { return F->rmap->N == 0; }

/// Whether a solve with this status has set x, also with an error above the option accuracy.
inline bool is_answer(Status status) {
  return status == Status::ok || status == Status::ill_conditioned || status == Status::inaccurate;
}

/// The MatFactorError for failures of matrix, right-hand side or memory; MAT_FACTOR_NOERROR for others.
MatFactorError factor_error(Status status);

/// Raise a PETSc error for this outcome, with its sentence.
PetscErrorCode raise(MPI_Comm communicator, const Outcome& outcome);

/// Set the options of Mat F, which factorises A: those of -PREFIXmat_overlapack_NAME, PETSc's kind of factors, and its communicator.
PetscErrorCode set_options(Mat F, Mat A);

/// Positions of the entries of A on this process that a factorisation of this kind reads: all, or one triangle.
PetscErrorCode positions_of(Mat A, bool is_half, Triplets<PetscScalar>& positions);
/// The values of these entries, in the order of `positions`.
/// Errors  A has entries at other positions
PetscErrorCode values_of(Mat A, bool is_half, const Triplets<PetscScalar>& positions,
                         std::vector<PetscScalar>& values);

/// The null space attached to A, or to its transpose, if it is one of A^H; else null.
/// left  in: the null space that was found before; out: a reference that the caller destroys
PetscErrorCode find_left_null_space(Mat A, MatNullSpace* left);

/// Register a KSPPREONLY whose reason includes failures of our solves.
PetscErrorCode register_preonly();

/// Install the functions of F that need factors: solves, inertia, view, figures.
void install_answers(Mat F);

}  // namespace overlapack::dropins::petsc
