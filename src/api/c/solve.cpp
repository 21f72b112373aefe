#include "api/c/matrix.hpp"
#include "api/c/solver.hpp"
#include "overlapack/iterative.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace overlapack::c {

Transpose transpose_from(int op) {
  if (op < OLP_NO_TRANS || op > OLP_CONJ_TRANS)
    refuse(Status::bad_input,
           "op is " + std::to_string(op) + "; give OLP_NO_TRANS, OLP_TRANS or OLP_CONJ_TRANS");
  return static_cast<Transpose>(op);
}

Index count_of_numbers(Index a, Index b) {
  constexpr Index most = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(std::complex<double>));
  if (b > 0 && a > most / b)
    refuse(Status::bad_input,
           std::to_string(a) + " times " + std::to_string(b) +
               " numbers are asked for, which no array can hold; check the sizes, as nrhs");
  return a * b;
}

void check_columns(const char* name, Index rows, Index nrhs, Index ld) {
  if (nrhs < 0) refuse(Status::bad_input, "nrhs is " + std::to_string(nrhs) + "; give 0 or more");
  count_of_numbers(rows, nrhs);
  if (nrhs > 0 && ld < rows)
    refuse(Status::bad_input, std::string(name) + " is " + std::to_string(ld) + ", but columns have " +
                                  std::to_string(rows) + " entries; give at least that");
}

namespace {

template <class T>
std::vector<T> packed_columns(const void* B, Index rows, Index nrhs, Index ldb) {
  std::vector<T> values(static_cast<std::size_t>(rows * nrhs));
  for (Index j = 0; j < nrhs; ++j)
    std::copy_n(static_cast<const T*>(B) + j * ldb, rows, values.data() + j * rows);
  return values;
}

/// Copy `values` to the caller's columns X.
/// Errors  BadInput: under MPI, nrhs differs from rank 0's, which is known only after the call
template <class T>
void write_columns(const std::vector<T>& values, Index rows, Index nrhs, void* X, Index ldx) {
  if (X == nullptr || nrhs == 0 || values.empty()) return;
  const auto found = static_cast<Index>(values.size());
  if (found != rows * nrhs)
    refuse(Status::bad_input, "nrhs is " + std::to_string(nrhs) + ", but that of rank 0 is " +
                                  std::to_string(rows > 0 ? found / rows : 0) +
                                  "; give the same on every rank");
  for (Index j = 0; j < nrhs; ++j) std::copy_n(values.data() + j * rows, rows, static_cast<T*>(X) + j * ldx);
}

/// The solver's iteration.
/// Errors  BadPlan if the solver has factors instead
template <class T>
iterative::Iteration<T>& iteration_of(Held<T>& held) {
  auto* const iteration = dynamic_cast<iterative::Iteration<T>*>(held.factors.get());
  if (!iteration)
    refuse(Status::bad_plan,
           "the solver holds factors and no iteration; set option method to multisplitting or jacobi");
  return *iteration;
}

/// Copy x to the caller's X, store the report's message for olp_message, and return its status.
template <class T>
olp_status write_solution(olp_solver& solver, const std::vector<T>& x, const Report& report, Index rows,
                          Index nrhs, void* X, Index ldx) {
  write_columns(x, rows, nrhs, X, ldx);
  solver.message = report.message;
  return static_cast<olp_status>(report.status);
}

/// Copy the caller's right-hand sides; empty on a rank that has none.
template <class T>
std::vector<T> given_columns(const void* B, Index n, Index nrhs, Index ldb) {
  if (B == nullptr) return {};
  check_columns("ldb", n, nrhs, ldb);
  return packed_columns<T>(B, n, nrhs, ldb);
}

/// Copy the caller's right-hand sides from a sparse matrix; empty on a rank that has none.
template <class T>
std::vector<T> given_sparse_columns(const olp_matrix* B, Index n, Index nrhs) {
  if (B == nullptr) return {};
  require_type<T>(B->type);
  if (is_type_alone(*B)) return {};
  if (n == 0 && B->rows != 0) return {};  // a rank that has no matrix: rank 0's B counts
  if (B->rows != n || B->cols != nrhs)
    refuse(Status::bad_input, "B is " + std::to_string(B->rows) + " x " + std::to_string(B->cols) +
                                  "; give " + std::to_string(n) + " x " + std::to_string(nrhs) +
                                  ", the order of the matrix and nrhs");
  const SparseMatrix<T> columns = whole_matrix<T>(*B);
  std::vector<T> b(static_cast<std::size_t>(n * nrhs));
  for (Index j = 0; j < nrhs; ++j)
    for (Index p = columns.start[j]; p < columns.start[j + 1]; ++p)
      b[columns.row[p] + j * n] += columns.value[p];
  return b;
}

/// The arguments of a solve: op, and the right-hand sides.
template <class T>
struct Question {
  std::vector<T> b;
  Transpose op;
};

/// Check the caller's X.
/// Errors  BadInput: columns overlap, or X is null although ranks are threads. A process may pass null and leave X to the others
template <class T>
void check_place_for_x(const Held<T>& held, Index nrhs, const void* X, Index ldx) {
  if (X == nullptr && held.factors->report().engine != to_string(Engine::thread)) return;
  check_columns("ldx", held.order(), nrhs, X != nullptr ? ldx : held.order());
  if (held.order() > 0 && nrhs > 0) require_pointer(X, "X");
}

/// Read and check the arguments of a solve, on all ranks together.
template <class T>
Question<T> checked_question(const Held<T>& held, int type, int op, Index nrhs, const void* B, Index ldb,
                             const void* X, Index ldx) {
  return read_arguments_together(*held.factors, [&] {
    require_type<T>(type);
    check_place_for_x(held, nrhs, X, ldx);
    return Question<T>{given_columns<T>(B, held.n, nrhs, ldb), transpose_from(op)};
  });
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_solve(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb, void* X,
                     int64_t ldx) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    const c::Question<T> asked = c::checked_question<T>(held, type, op, nrhs, B, ldb, X, ldx);
    const Solution<T> solution = held.factors->solve(asked.b, nrhs, asked.op);
    return c::write_solution(*solver, solution.x, solution.report, held.order(), nrhs, X, ldx);
  });
}

olp_status olp_solve_sparse(olp_solver* solver, int op, int64_t nrhs, const olp_matrix* B, void* X,
                            int64_t ldx) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    const auto asked = c::read_arguments_together(*held.factors, [&] {
      c::check_place_for_x(held, nrhs, X, ldx);
      return c::Question<T>{c::given_sparse_columns<T>(B, held.n, nrhs), c::transpose_from(op)};
    });
    const Solution<T> solution = held.factors->solve(asked.b, nrhs, asked.op);
    return c::write_solution(*solver, solution.x, solution.report, held.order(), nrhs, X, ldx);
  });
}

olp_status olp_solve_from(olp_solver* solver, int type, int64_t nrhs, const void* B, int64_t ldb, void* X,
                          int64_t ldx) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    const c::Question<T> asked = c::checked_question<T>(held, type, OLP_NO_TRANS, nrhs, B, ldb, X, ldx);
    const auto x0 = c::read_arguments_together(*held.factors, [&] {
      c::iteration_of(held);
      return c::packed_columns<T>(c::require_pointer(X, "X"), held.n, nrhs, ldx);
    });
    const Solution<T> solution = c::iteration_of(held).solve_from(x0, asked.b, nrhs);
    return c::write_solution(*solver, solution.x, solution.report, held.order(), nrhs, X, ldx);
  });
}

olp_status olp_apply(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb, void* X,
                     int64_t ldx) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    c::check_arguments_together(*held.factors, [&] { c::iteration_of(held); });
    const c::Question<T> asked = c::checked_question<T>(held, type, op, nrhs, B, ldb, X, ldx);
    c::write_columns(c::iteration_of(held).apply(asked.b, nrhs, asked.op), held.order(), nrhs, X, ldx);
    return OLP_OK;
  });
}

olp_status olp_solve_distributed(olp_solver* solver, int type, int op, int64_t first, int64_t count,
                                 int64_t nrhs, const void* B, int64_t ldb, void* X, int64_t ldx) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    Transpose transpose{};
    const auto b = c::read_arguments_together(*held.factors, [&] {
      transpose = c::transpose_from(op);
      c::require_type<T>(type);
      if (held.sparse == nullptr)
        c::refuse(Status::bad_plan,
                  "only the factors of a sparse matrix take rows of B by rank; call olp_solve");
      if (count < 0 || first < 0)
        c::refuse(Status::bad_input, "first is " + std::to_string(first) + " and count " +
                                         std::to_string(count) + "; give 0 or more");
      c::check_columns("ldb", count, nrhs, ldb);
      c::check_columns("ldx", count, nrhs, ldx);
      if (count > 0 && nrhs > 0) c::require_pointer(B, "B");
      std::vector<RowPart<T>> rows(1);
      rows[0].rows.resize(static_cast<std::size_t>(count));
      std::iota(rows[0].rows.begin(), rows[0].rows.end(), first);
      rows[0].values = c::packed_columns<T>(B, count, nrhs, ldb);
      return rows;
    });
    const SolutionRows wanted{SolutionRows::Where::chosen, {b[0].rows}};
    const DistributedSolution<T> solution = held.sparse->solve_distributed(b, wanted, transpose);
    return c::write_solution(*solver, solution.x.front().values, solution.report, count, nrhs, X, ldx);
  });
}
