#include "factor_state.hpp"
#include "overlapack/environment.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

/// Reads options and matrices from PETSc.
namespace overlapack::dropins::petsc {

PetscErrorCode raise(MPI_Comm communicator, const Outcome& outcome) {
  PetscErrorCode code = PETSC_ERR_LIB;
  if (outcome.status == Status::out_of_memory) code = PETSC_ERR_MEM;
  if (outcome.status == Status::singular) code = PETSC_ERR_MAT_LU_ZRPVT;
  if (outcome.status == Status::bad_input) code = PETSC_ERR_ARG_WRONG;
  if (outcome.status == Status::bad_plan) code = PETSC_ERR_SUP;
  SETERRQ(communicator, code, "overlapack: %s", outcome.message.c_str());
}

namespace {

using nlohmann::ordered_json;

/// Options of overlapack's table on PETSc's command line, except experiments: {"ordering": "amd", ...}.
PetscErrorCode named_options(Mat F, ordered_json& chosen) {
  PetscFunctionBegin;
  static const ordered_json table = ordered_json::parse(options_schema_json());
  PetscOptionsBegin(PetscObjectComm(reinterpret_cast<PetscObject>(F)),
                    reinterpret_cast<PetscObject>(F)->prefix, "Options of overlapack", "Mat");
  for (const ordered_json& option : table) {
    const auto& commands = option["commands"];
    if (option["tier"] == "experiment") continue;
    if (std::find(commands.begin(), commands.end(), "solve") == commands.end()) continue;
    const std::string name = option["name"], flag = "-mat_overlapack_" + name, help = option["help"],
                      usual = option["default"].is_string() ? option["default"].get<std::string>()
                                                            : option["default"].dump();
    char text[256] = "";
    PetscBool is_set = PETSC_FALSE;
    PetscCall(PetscOptionsString(flag.c_str(), help.c_str(), "", usual.c_str(), text, sizeof text, &is_set));
    if (is_set) chosen[name] = text;
  }
  PetscOptionsEnd();
  PetscFunctionReturn(0);
}

/// Call visit(row, column, value) for the entries of this process's rows; for a half, only for those of the upper triangle.
template <class Visit>
PetscErrorCode for_each_entry(Mat A, bool is_half, Visit&& visit) {
  PetscFunctionBegin;
  PetscBool stores_half = PETSC_FALSE;
  PetscInt first = 0, last = 0;
  PetscCall(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(A), &stores_half, MATSEQSBAIJ,
                                      MATMPISBAIJ, ""));
  if (stores_half) PetscCall(MatGetRowUpperTriangular(A));
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    PetscCall(MatGetRow(A, i, &count, &columns, &values));
    for (PetscInt k = 0; k < count; ++k)
      if (!is_half || columns[k] >= i) visit(i, columns[k], values[k]);
    PetscCall(MatRestoreRow(A, i, &count, &columns, &values));
  }
  if (stores_half) PetscCall(MatRestoreRowUpperTriangular(A));
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode set_options(Mat F, Mat A) {
  PetscFunctionBegin;
  FactorState& state = state_of(F);
  ordered_json chosen = ordered_json::object();
  PetscCall(named_options(F, chosen));
  MatNullSpace null_space = nullptr;
  PetscCall(MatGetNullSpace(A, &null_space));
  PetscMPIInt ranks = 1, all = 1;
  state.communicator = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  PetscCallMPI(MPI_Comm_size(state.communicator, &ranks));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &all));
  state.is_distributed = ranks > 1;
  state.last = attempt([&]() -> Outcome {
    Options options;
    // refuse: PCSetUp then reports it, as with PETSc's own factors; with a null space the program knows
    options.singular = null_space ? SingularMatrix::answer : SingularMatrix::refuse;
    const bool is_definite = A->spd == PETSC_BOOL3_TRUE && !null_space;
    if (F->factortype == MAT_FACTOR_LU)
      options.factorization = FactorKind::lu;
    else
      options.factorization = is_definite ? FactorKind::cholesky : FactorKind::ldlt;
    if (state.is_distributed) {
      options.run.engine = Engine::mpi;
      options.run.mpi_communicator = &state.communicator;
    } else {
      options.run.engine = Engine::thread;
      if (all > 1) options.ranks = 1;  // the other processors belong to the other processes
    }
    state.options = options_from_json(chosen.dump(), options);
    return {};
  });
  if (state.last.status != Status::ok) PetscCall(raise(state.communicator, state.last));
  PetscFunctionReturn(0);
}

PetscErrorCode positions_of(Mat A, bool is_half, Triplets<PetscScalar>& positions) {
  PetscFunctionBegin;
  positions = {A->rmap->N, A->cmap->N, {}, {}, {}};
  PetscCall(for_each_entry(A, is_half, [&](PetscInt i, PetscInt j, PetscScalar) {
    positions.row.push_back(i);
    positions.col.push_back(j);
  }));
  PetscFunctionReturn(0);
}

PetscErrorCode values_of(Mat A, bool is_half, const Triplets<PetscScalar>& positions,
                         std::vector<PetscScalar>& values) {
  PetscFunctionBegin;
  values.clear();
  values.reserve(positions.row.size());
  bool is_same = true;
  PetscCall(for_each_entry(A, is_half, [&](PetscInt i, PetscInt j, PetscScalar x) {
    const std::size_t k = values.size();
    is_same = is_same && k < positions.row.size() && positions.row[k] == i && positions.col[k] == j;
    values.push_back(x);
  }));
  is_same = is_same && values.size() == positions.row.size();
  const MPI_Comm communicator = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &is_same, 1, MPI_CXX_BOOL, MPI_LAND, communicator));
  PetscCheck(is_same, communicator, PETSC_ERR_ARG_WRONGSTATE,
             "overlapack: the matrix has entries at other places than the symbolic factorisation saw; do "
             "that again");
  PetscFunctionReturn(0);
}

}  // namespace overlapack::dropins::petsc
