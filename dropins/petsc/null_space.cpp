#include "factor_state.hpp"

#include <limits>

/// Null spaces that the program has attached to its matrix.
namespace overlapack::dropins::petsc {
namespace {

/// Test whether A^H v is zero up to rounding for each vector v of the space. The answer is no if a function defines the space.
PetscErrorCode test_left_null_space(Mat A, MatNullSpace space, bool* is_left) {
  constexpr PetscReal rounding =
      100 * std::numeric_limits<PetscReal>::epsilon();  // for rows of some 100 entries
  PetscFunctionBegin;
  PetscBool has_constant = PETSC_FALSE;
  PetscInt count = 0;
  const Vec* vectors = nullptr;
  PetscReal size_of_A = 0;
  Vec image = nullptr, constant = nullptr;
  PetscCall(MatNullSpaceGetVecs(space, &has_constant, &count, &vectors));
  PetscCall(MatNorm(A, NORM_1, &size_of_A));
  PetscCall(MatCreateVecs(A, &image, &constant));
  PetscCall(VecSet(constant, 1));
  *is_left = has_constant || count > 0;
  for (PetscInt k = has_constant ? -1 : 0; k < count; ++k) {
    const Vec v = k < 0 ? constant : vectors[k];
    PetscReal size_of_v = 0, size_of_image = 0;
    PetscCall(MatMultHermitianTranspose(A, v, image));
    PetscCall(VecNorm(v, NORM_INFINITY, &size_of_v));
    PetscCall(VecNorm(image, NORM_INFINITY, &size_of_image));
    *is_left = *is_left && size_of_image <= rounding * size_of_A * size_of_v;
  }
  PetscCall(VecDestroy(&image));
  PetscCall(VecDestroy(&constant));
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode find_left_null_space(Mat A, MatNullSpace* left) {
  PetscFunctionBegin;
  PetscCall(MatNullSpaceDestroy(left));
  MatNullSpace of_transpose = nullptr, of_matrix = nullptr;
  PetscCall(MatGetTransposeNullSpace(A, &of_transpose));
  PetscCall(MatGetNullSpace(A, &of_matrix));
  for (const MatNullSpace space : {of_transpose, of_matrix}) {
    if (!space || *left) continue;
    bool is_left = false;
    PetscCall(test_left_null_space(A, space, &is_left));
    if (!is_left) continue;
    PetscCall(PetscObjectReference(reinterpret_cast<PetscObject>(space)));
    *left = space;
  }
  PetscFunctionReturn(0);
}

}  // namespace overlapack::dropins::petsc
