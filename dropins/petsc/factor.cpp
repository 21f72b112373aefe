#include "factor_state.hpp"

/// Registers the solver type "overlapack" with PETSc, and makes factors for it.
namespace overlapack::dropins::petsc {
namespace {

bool reads_half(Mat F) { return F->factortype == MAT_FACTOR_CHOLESKY; }

Listed listed_of(Mat F, Mat A) {
  if (!reads_half(F)) return Listed::all;
  const bool is_hermitian = PetscDefined(USE_COMPLEX) && A->hermitian == PETSC_BOOL3_TRUE;
  return is_hermitian ? Listed::hermitian_half : Listed::symmetric_half;
}

/// Store a failure of the matrix or of memory in F, where Krylov methods look for it (KSP_DIVERGED_PC_FAILED); else raise it.
PetscErrorCode store_failure(Mat F, const Outcome& outcome) {
  PetscFunctionBegin;
  const MatFactorError error = factor_error(outcome.status);
  if (state_of(F).raises || error == MAT_FACTOR_NOERROR)
    PetscCall(raise(PetscObjectComm(reinterpret_cast<PetscObject>(F)), outcome));
  PetscCall(PetscInfo(F, "overlapack: %s\n", outcome.message.c_str()));
  F->factorerrortype = error;
  PetscFunctionReturn(0);
}

PetscErrorCode factor_numeric(Mat F, Mat A, const MatFactorInfo*) {
  PetscFunctionBegin;
  FactorState& state = state_of(F);
  F->assembled = PETSC_TRUE;
  if (is_empty(F)) PetscFunctionReturn(0);
  state.raises = A->erroriffailure;
  std::vector<PetscScalar> values;
  PetscCall(values_of(A, reads_half(F), state.factors->positions(), values));
  state.last = attempt([&]() -> Outcome {
    state.factors->factorize(values, state.options);
    return {};
  });
  if (state.last.status != Status::ok) {
    PetscCall(store_failure(F, state.last));
  } else {
    F->factorerrortype = MAT_FACTOR_NOERROR;
    PetscCall(find_left_null_space(A, &state.left));
    PetscCall(PetscLogFlops(state.factors->factors().report().flops));
  }
  PetscFunctionReturn(0);
}

/// The symbolic factorisation stores the pattern. The analysis follows with the first values (PatternFactors).
PetscErrorCode factor_symbolic(Mat F, Mat A) {
  PetscFunctionBegin;
  FactorState& state = state_of(F);
  PetscCall(set_options(F, A));
  Triplets<PetscScalar> positions;
  PetscCall(positions_of(A, reads_half(F), positions));
  PetscInt first = 0, last = 0;
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  state.last = attempt([&]() -> Outcome {
    state.rows.clear();
    for (Index i = first; i < last; ++i) state.rows.push_back(i);
    state.factors.emplace(std::move(positions), listed_of(F, A), state.is_distributed);
    return {};
  });
  if (state.last.status != Status::ok)
    PetscCall(raise(PetscObjectComm(reinterpret_cast<PetscObject>(F)), state.last));
  F->ops->lufactornumeric = F->ops->choleskyfactornumeric = factor_numeric;
  install_answers(F);
  PetscFunctionReturn(0);
}

PetscErrorCode lu_symbolic(Mat F, Mat A, IS, IS, const MatFactorInfo*) { return factor_symbolic(F, A); }
PetscErrorCode cholesky_symbolic(Mat F, Mat A, IS, const MatFactorInfo*) { return factor_symbolic(F, A); }

PetscErrorCode solver_type(Mat, MatSolverType* type) {
  *type = "overlapack";
  return 0;
}

PetscErrorCode destroy(Mat F) {
  PetscFunctionBegin;
  PetscCall(MatNullSpaceDestroy(&state_of(F).left));
  delete static_cast<FactorState*>(F->data);
  F->data = nullptr;
  PetscCall(
      PetscObjectComposeFunction(reinterpret_cast<PetscObject>(F), "MatFactorGetSolverType_C", nullptr));
  PetscFunctionReturn(0);
}

PetscErrorCode create_factor(Mat A, MatFactorType type, Mat* factor) {
  PetscFunctionBegin;
  Mat F = nullptr;
  PetscCall(MatCreate(PetscObjectComm(reinterpret_cast<PetscObject>(A)), &F));
  PetscCall(MatSetSizes(F, A->rmap->n, A->cmap->n, A->rmap->N, A->cmap->N));
  PetscCall(PetscStrallocpy("overlapack", &reinterpret_cast<PetscObject>(F)->type_name));
  PetscCall(MatSetUp(F));
  F->data = new FactorState;
  F->factortype = type;
  F->ops->lufactorsymbolic = lu_symbolic;
  F->ops->choleskyfactorsymbolic = cholesky_symbolic;
  F->ops->destroy = destroy;
  PetscCall(PetscFree(F->solvertype));
  PetscCall(PetscStrallocpy("overlapack", &F->solvertype));
  // None of PETSc's orderings is computed: the library has its own.
  for (const MatFactorType kind : {MAT_FACTOR_LU, MAT_FACTOR_CHOLESKY})
    PetscCall(PetscStrallocpy(MATORDERINGEXTERNAL, const_cast<char**>(&F->preferredordering[kind])));
  PetscCall(
      PetscObjectComposeFunction(reinterpret_cast<PetscObject>(F), "MatFactorGetSolverType_C", solver_type));
  *factor = F;
  PetscFunctionReturn(0);
}

/// Check that this PETSc has the scalar type and the size of integers with which the library was built. Otherwise memory would be read wrongly.
PetscErrorCode require_same_petsc() {
  PetscFunctionBegin;
  size_t scalar = 0, integer = 0;
  PetscInt major = 0, minor = 0;
  PetscDataType type = PETSC_DATATYPE_UNKNOWN;
  PetscBool is_known = PETSC_FALSE;
  PetscCall(PetscDataTypeFromString("scalar", &type,
                                    &is_known));  // the loader's type; PETSC_SCALAR is this library's
  PetscCall(PetscDataTypeGetSize(type, &scalar));
  PetscCall(PetscDataTypeGetSize(PETSC_INT, &integer));
  PetscCall(PetscGetVersionNumber(&major, &minor, nullptr, nullptr));
  PetscCheck(scalar == sizeof(PetscScalar) && integer == sizeof(PetscInt), PETSC_COMM_SELF, PETSC_ERR_LIB,
             "liboverlapack_petsc is for scalars of %zu and integers of %zu bytes, this PETSc has %zu and "
             "%zu: load the one "
             "that was built with this PETSc",
             sizeof(PetscScalar), sizeof(PetscInt), scalar, integer);
  PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_LIB,
             "liboverlapack_petsc was built with PETSc %d.%d, this one is %d.%d: build it again",
             PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, static_cast<int>(major), static_cast<int>(minor));
  PetscFunctionReturn(0);
}

}  // namespace

bool is_ours(Mat F) { return F->ops->destroy == destroy; }

MatFactorError factor_error(Status status) {
  if (status == Status::out_of_memory) return MAT_FACTOR_OUTMEMORY;
  // bad_input: not finite, or not positive definite. After MAT_FACTOR_OTHER PETSc's preconditioners factorise no other values.
  return status == Status::singular || status == Status::bad_input ? MAT_FACTOR_NUMERIC_ZEROPIVOT
                                                                   : MAT_FACTOR_NOERROR;
}

}  // namespace overlapack::dropins::petsc

/// Called by PETSc when it has opened the library (-dll_prepend), by a name that it makes from the file's.
extern "C" __attribute__((visibility("default"))) PetscErrorCode OVERLAPACK_PETSC_REGISTER() {
  using namespace overlapack::dropins::petsc;
  PetscFunctionBegin;
  PetscCall(require_same_petsc());
  PetscCall(MatInitializePackage());  // register PETSc's own solvers first: they stay the default
  for (const MatType matrix : {MATSEQAIJ, MATMPIAIJ}) {
    PetscCall(MatSolverTypeRegister("overlapack", matrix, MAT_FACTOR_LU, create_factor));
    PetscCall(MatSolverTypeRegister("overlapack", matrix, MAT_FACTOR_CHOLESKY, create_factor));
  }
  for (const MatType matrix : {MATSEQSBAIJ, MATMPISBAIJ})
    PetscCall(MatSolverTypeRegister("overlapack", matrix, MAT_FACTOR_CHOLESKY, create_factor));
  PetscCall(register_preonly());
  PetscFunctionReturn(0);
}
