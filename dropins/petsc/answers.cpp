#include "factor_state.hpp"
#include "overlapack/environment.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

/// The functions of factored matrices that PETSc calls.
namespace overlapack::dropins::petsc {
namespace {

/// This process's rows of some columns.
struct Columns {
  PetscScalar* data;
  PetscInt ld;
};

Outcome solve_here(FactorState& state, const PetscScalar* b, PetscInt ldb, Columns x, PetscInt count,
                   Transpose op) {
  const std::size_t rows = state.rows.size();
  std::vector<PetscScalar> B;
  B.reserve(rows * static_cast<std::size_t>(count));
  for (PetscInt j = 0; j < count; ++j) B.insert(B.end(), b + j * ldb, b + j * ldb + rows);
  Factorization<PetscScalar>& factors = state.factors->factors();
  const auto give = [&](const std::vector<PetscScalar>& X) {
    for (PetscInt j = 0; j < count; ++j)
      std::copy_n(X.data() + static_cast<std::size_t>(j) * rows, rows, x.data + j * x.ld);
  };
  if (!state.is_distributed) {
    const auto solution = factors.solve(B, count, op);
    give(solution.x);
    return outcome_of(solution.report);
  }
  const RowPart<PetscScalar> part{state.rows, std::move(B)};
  const auto solution =
      factors.solve_distributed({&part, 1}, {SolutionRows::Where::chosen, {state.rows}}, op);
  give(solution.x.front().values);
  return outcome_of(solution.report);
}

/// Fill X with infinity, which PETSc's methods take as a failure of the preconditioner.
void set_infinite(const FactorState& state, Columns x, PetscInt count) {
  for (PetscInt j = 0; j < count; ++j)
    std::fill_n(x.data + j * x.ld, state.rows.size(),
                PetscScalar(std::numeric_limits<PetscReal>::infinity()));
}

/// X = op(A)^-1 B. If there is no solution, X becomes infinite or, if the program wants that, an error is raised. A solution with an error above
/// the option accuracy is accepted, and the log has the sentence.
PetscErrorCode solve_columns(Mat F, const PetscScalar* b, PetscInt ldb, Columns x, PetscInt count,
                             Transpose op) {
  PetscFunctionBegin;
  if (is_empty(F)) PetscFunctionReturn(0);
  FactorState& state = state_of(F);
  bool is_given = false;
  state.last = attempt([&] {
    const Outcome outcome = solve_here(state, b, ldb, x, count, op);
    is_given = true;
    return outcome;
  });
  if (state.last.status == Status::ok) PetscFunctionReturn(0);
  if (!is_answer(state.last.status)) {
    if (state.raises || factor_error(state.last.status) == MAT_FACTOR_NOERROR)
      PetscCall(raise(PetscObjectComm(reinterpret_cast<PetscObject>(F)), state.last));
    const bool has_some =
        is_given && state.factors->factors().report().unsolved_columns > 0;  // x is NaN in the others
    if (!has_some) set_infinite(state, x, count);
  }
  PetscCall(PetscInfo(F, "overlapack: %s\n", state.last.message.c_str()));
  PetscFunctionReturn(0);
}

/// The part of b that can be solved for. A residual of a Krylov method or of multigrid is in the range of A up to rounding, and near convergence
/// rounding may be most of it. The component outside the range is removed.
PetscErrorCode solvable_part(const FactorState& state, Vec b, Transpose op, Vec* part) {
  PetscFunctionBegin;
  if (!state.left || state.judges || op != Transpose::none) {
    PetscCall(PetscObjectReference(reinterpret_cast<PetscObject>(*part = b)));
    PetscFunctionReturn(0);
  }
  PetscCall(VecDuplicate(b, part));
  PetscCall(VecCopy(b, *part));
  PetscCall(MatNullSpaceRemove(state.left, *part));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_vector(Mat F, Vec right_hand_side, Vec x, Transpose op) {
  PetscFunctionBegin;
  Vec b = nullptr;
  PetscCall(solvable_part(state_of(F), right_hand_side, op, &b));
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(VecGetArrayRead(b, &from));
  PetscCall(VecGetArray(x, &to));
  PetscCall(solve_columns(F, from, 0, {to, 0}, 1, op));
  PetscCall(VecRestoreArray(x, &to));
  PetscCall(VecRestoreArrayRead(b, &from));
  PetscCall(VecDestroy(&b));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_matrix(Mat F, Mat B, Mat X, Transpose op) {
  PetscFunctionBegin;
  const MPI_Comm communicator = PetscObjectComm(reinterpret_cast<PetscObject>(F));
  PetscBool is_dense = PETSC_FALSE, gives_dense = PETSC_FALSE;
  PetscCall(
      PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(B), &is_dense, MATSEQDENSE, MATMPIDENSE, ""));
  PetscCall(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(X), &gives_dense, MATSEQDENSE,
                                      MATMPIDENSE, ""));
  PetscCheck(is_dense && gives_dense, communicator, PETSC_ERR_SUP,
             "overlapack: MatMatSolve takes dense matrices of right-hand sides and solutions; convert them "
             "with MatConvert");
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscInt ldb = 0, ldx = 0;
  PetscCall(MatDenseGetLDA(B, &ldb));
  PetscCall(MatDenseGetLDA(X, &ldx));
  PetscCall(MatDenseGetArrayRead(B, &from));
  PetscCall(MatDenseGetArray(X, &to));
  PetscCall(solve_columns(F, from, ldb, {to, ldx}, B->cmap->N, op));
  PetscCall(MatDenseRestoreArray(X, &to));
  PetscCall(MatDenseRestoreArrayRead(B, &from));
  PetscFunctionReturn(0);
}

PetscErrorCode solve(Mat F, Vec b, Vec x) { return solve_vector(F, b, x, Transpose::none); }
PetscErrorCode solve_transpose(Mat F, Vec b, Vec x) { return solve_vector(F, b, x, Transpose::trans); }
PetscErrorCode mat_solve(Mat F, Mat B, Mat X) { return solve_matrix(F, B, X, Transpose::none); }
PetscErrorCode mat_solve_transpose(Mat F, Mat B, Mat X) { return solve_matrix(F, B, X, Transpose::trans); }

PetscErrorCode get_inertia(Mat F, PetscInt* negative, PetscInt* zero, PetscInt* positive) {
  PetscFunctionBegin;
  FactorState& state = state_of(F);
  Inertia inertia;
  state.last = attempt([&]() -> Outcome {
    if (!is_empty(F)) inertia = state.factors->factors().inertia();
    return {};
  });
  if (state.last.status != Status::ok)
    PetscCall(raise(PetscObjectComm(reinterpret_cast<PetscObject>(F)), state.last));
  if (negative) *negative = static_cast<PetscInt>(inertia.negative);
  if (zero) *zero = static_cast<PetscInt>(inertia.zero);
  if (positive) *positive = static_cast<PetscInt>(inertia.positive);
  PetscFunctionReturn(0);
}

/// The report's words and numbers, one on each line; in detail the whole report as JSON.
std::string report_text(const Report& report, bool in_detail) {
  if (in_detail) return to_json(report) + "\n";
  std::string text;
  const auto entries = nlohmann::ordered_json::parse(to_json(report));
  for (const auto& [name, value] : entries.items())
    if (!value.is_null() && !value.is_structured() && value != 0 && value != "")
      text += "  " + name + ": " + (value.is_string() ? value.get<std::string>() : value.dump()) + "\n";
  return text;
}

PetscErrorCode view(Mat F, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscBool is_text = PETSC_FALSE;
  PetscViewerFormat format = PETSC_VIEWER_DEFAULT;
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &is_text));
  if (!is_text) PetscFunctionReturn(0);
  PetscCall(PetscViewerGetFormat(viewer, &format));
  if (format != PETSC_VIEWER_ASCII_INFO && format != PETSC_VIEWER_ASCII_INFO_DETAIL) PetscFunctionReturn(0);
  const FactorState& state = state_of(F);
  PetscCall(PetscViewerASCIIPrintf(viewer, "overlapack %s\n", version()));
  if (state.last.status != Status::ok)
    PetscCall(PetscViewerASCIIPrintf(viewer, "  %s\n", state.last.message.c_str()));
  if (!state.factors || !state.factors->has_factors()) PetscFunctionReturn(0);
  // one call a line: PETSc indents each call, and cuts it at the size of its buffer
  const std::string text =
      report_text(state_of(F).factors->factors().report(), format == PETSC_VIEWER_ASCII_INFO_DETAIL);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    PetscCall(PetscViewerASCIIPrintf(viewer, "%s\n", text.substr(begin, end - begin).c_str()));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode get_info(Mat F, MatInfoType, MatInfo* info) {
  PetscFunctionBegin;
  *info = {};
  info->block_size = 1;
  FactorState& state = state_of(F);
  if (!state.factors || !state.factors->has_factors()) PetscFunctionReturn(0);
  const Report& report = state.factors->factors().report();
  info->nz_allocated = info->nz_used = static_cast<PetscLogDouble>(report.factor_nnz);
  info->memory = report.peak_bytes;
  if (report.nnz > 0)
    info->fill_ratio_needed =
        static_cast<PetscLogDouble>(report.factor_nnz) / static_cast<PetscLogDouble>(report.nnz);
  PetscFunctionReturn(0);
}

}  // namespace

void install_answers(Mat F) {
  F->ops->solve = solve;
  F->ops->solvetranspose = solve_transpose;
  F->ops->matsolve = mat_solve;
  F->ops->matsolvetranspose = mat_solve_transpose;
  F->ops->getinertia = F->factortype == MAT_FACTOR_CHOLESKY ? get_inertia : nullptr;
  F->ops->view = view;
  F->ops->getinfo = get_info;
}

}  // namespace overlapack::dropins::petsc
