#include "factor_state.hpp"

#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

/// Corrects the reason of KSPPREONLY, which takes it from the factorisation only and counts every solve as converged. A solve of ours may find
/// that there is no solution. Other types of KSP see that by the infinity in x.
namespace overlapack::dropins::petsc {
namespace {

PetscErrorCode (*create_original)(KSP) = nullptr;
PetscErrorCode (*solve_original)(KSP) = nullptr;
PetscErrorCode (*mat_solve_original)(KSP, Mat, Mat) = nullptr;

/// The factors of ksp's preconditioner if they are ours, else null.
PetscErrorCode our_factors(KSP ksp, Mat* factors) {
  PetscFunctionBegin;
  *factors = nullptr;
  PetscBool is_factor = PETSC_FALSE;
  PetscCall(
      PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(ksp->pc), &is_factor, PCLU, PCCHOLESKY, ""));
  if (!is_factor) PetscFunctionReturn(0);
  Mat F = nullptr;
  PetscCall(PCFactorGetMatrix(ksp->pc, &F));
  if (F && is_ours(F)) *factors = F;
  PetscFunctionReturn(0);
}

PetscErrorCode set_converged_reason(KSP ksp) {
  PetscFunctionBegin;
  Mat F = nullptr;
  PetscCall(our_factors(ksp, &F));
  if (F && ksp->reason > 0 && !is_answer(state_of(F).last.status)) {
    ksp->its = 0;
    ksp->reason = KSP_DIVERGED_PC_FAILED;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode preonly_solve(KSP ksp) {
  PetscFunctionBegin;
  Mat F = nullptr;
  PetscCall(our_factors(ksp, &F));
  if (F) state_of(F).judges = true;
  const PetscErrorCode code = solve_original(ksp);
  if (F) state_of(F).judges = false;
  PetscCall(code);
  PetscCall(set_converged_reason(ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode preonly_mat_solve(KSP ksp, Mat B, Mat X) {
  PetscFunctionBegin;
  PetscCall(mat_solve_original(ksp, B, X));
  PetscCall(set_converged_reason(ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode create_preonly(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(create_original(ksp));
  solve_original = ksp->ops->solve;
  mat_solve_original = ksp->ops->matsolve;
  ksp->ops->solve = preonly_solve;
  if (mat_solve_original) ksp->ops->matsolve = preonly_mat_solve;
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode register_preonly() {
  PetscFunctionBegin;
  PetscCall(KSPInitializePackage());
  PetscCall(PetscFunctionListFind(KSPList, KSPPREONLY, &create_original));
  if (create_original && create_original != create_preonly)
    PetscCall(KSPRegister(KSPPREONLY, create_preonly));
  PetscFunctionReturn(0);
}

}  // namespace overlapack::dropins::petsc
