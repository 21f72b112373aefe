#include "api/c/matrix.hpp"
#include "api/c/solver.hpp"
#include "overlapack/diagnose.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

using namespace overlapack;

template <template <class> class Kind>
using OfAnyType =
    std::variant<Kind<float>, Kind<double>, Kind<std::complex<float>>, Kind<std::complex<double>>>;

template <class T>
using Numbers = std::vector<T>;

struct olp_half_factors {
  OfAnyType<HalfFactors> kept;
  OfAnyType<Numbers> room = {};  ///< for HalfFactors::substitute, which may be called thousands of times
};
struct olp_schur_complement {
  OfAnyType<SchurComplement> kept;
};

namespace overlapack::c {
namespace {

/// Return f(factors) with the solver's sparse factors.
template <class F>
olp_status with_sparse(olp_solver* solver, F&& f) {
  return call(solver, [&](olp_solver& s) {
    return visit_factors(s, [&]<class T>(Held<T>& held) {
      if (held.sparse == nullptr)
        refuse(Status::bad_plan,
               "only the factors of a sparse matrix answer this; call olp_factorize with a method that makes "
               "them");
      if constexpr (std::is_same_v<decltype(f(*held.sparse)), olp_status>) {
        return f(*held.sparse);
      } else {
        f(*held.sparse);
        return OLP_OK;
      }
    });
  });
}

/// with_sparse for a call that has the type of the caller's numbers. check() inspects its other arguments, on all ranks together.
template <class Check, class F>
olp_status with_sparse_of(olp_solver* solver, int type, Check&& check, F&& f) {
  return with_sparse(solver, [&]<class T>(Factorization<T>& factors) {
    check_arguments_together(factors, [&] {
      require_type<T>(type);
      check();
    });
    return f(factors);
  });
}

/// Return the status f(held), where `held` is the C++ object in a handle such as olp_half_factors.
template <class Object, class F>
olp_status with_kept(olp_solver* solver, Object* object, const char* name, F&& f) {
  return call(solver, [&](olp_solver&) { return std::visit(f, require_pointer(object, name)->kept); });
}

void check_in_columns(const void* X, Index rows, Index nrhs, Index ld) {
  check_columns("ldx", rows, nrhs, ld);
  if (nrhs > 0) require_pointer(X, "X");
}

/// Apply f to columns that are ld numbers apart. If they are not adjacent, f gets an adjacent copy, which is copied back.
template <class T, class F>
void apply_to_columns(void* X, Index rows, Index nrhs, Index ld, F&& f) {
  T* const x = static_cast<T*>(X);
  if (ld == rows) return f(std::span<T>(x, static_cast<std::size_t>(rows * nrhs)));
  std::vector<T> columns(static_cast<std::size_t>(rows * nrhs));
  for (Index j = 0; j < nrhs; ++j) std::copy_n(x + j * ld, rows, columns.data() + j * rows);
  f(std::span<T>(columns));
  for (Index j = 0; j < nrhs; ++j) std::copy_n(columns.data() + j * rows, rows, x + j * ld);
}

template <class T>
void copy_out(const std::vector<T>& values, void* to) {
  if (!values.empty())
    std::ranges::copy(values, static_cast<T*>(require_pointer(to, "the place for the numbers")));
}

/// The caller's adjacent columns; empty on a rank that has none.
template <class T>
std::span<const T> given_rows(const void* columns, Index rows, Index nrhs) {
  if (columns == nullptr) return {};
  return {static_cast<const T*>(columns), static_cast<std::size_t>(count_of_numbers(rows, nrhs))};
}

/// The status of an answer. Its message is stored for olp_message.
olp_status status_of(olp_solver& solver, const Report& report) {
  return set_status(&solver, report.status, report.message);
}

/// Work space for `count` numbers, with any contents.
template <class T>
std::span<T> room_of(olp_half_factors& half, Index count) {
  if (!std::holds_alternative<std::vector<T>>(half.room)) half.room = std::vector<T>();
  auto& room = std::get<std::vector<T>>(half.room);
  room.resize(static_cast<std::size_t>(count));
  return room;
}

template <class T>
void apply(const HalfFactors<T>& half, int part, std::span<T> x, Index nrhs, std::span<T> room) {
  switch (part) {
    case OLP_HALF_SOLVE_L:
      return half.solve_l(x, nrhs);
    case OLP_HALF_SOLVE_D:
      return half.solve_d(x, nrhs);
    case OLP_HALF_SOLVE_LT:
      return half.solve_lt(x, nrhs);
    case OLP_HALF_SUBSTITUTE:
      return half.substitute(x, nrhs, room);
    case OLP_HALF_MULTIPLY:
      return half.multiply(x, nrhs);
    case OLP_HALF_SOLVE:
      return half.solve(x, nrhs);
    case OLP_HALF_SOLVE_ADJOINT:
      return half.solve_adjoint(x, nrhs);
    default:
      refuse(Status::bad_input, "part is " + std::to_string(part) + "; give one of olp_half_part");
  }
}

}  // namespace
}  // namespace overlapack::c

olp_status olp_substitute(olp_solver* solver, int type, int op, int64_t nrhs, void* X, int64_t ldx) {
  return c::with_sparse(solver, [&]<class T>(Factorization<T>& factors) {
    const Index n = factors.report().n;
    const Transpose transpose = c::read_arguments_together(factors, [&] {
      c::require_type<T>(type);
      c::check_in_columns(X, n, nrhs, ldx);
      return c::transpose_from(op);
    });
    c::apply_to_columns<T>(X, n, nrhs, ldx, [&](std::span<T> x) { factors.substitute(x, nrhs, transpose); });
  });
}

olp_status olp_set_pivot_threshold(olp_solver* solver, double threshold) {
  return c::with_sparse(solver, [&](auto& factors) { factors.set_pivot_threshold(threshold); });
}

olp_status olp_null_space(olp_solver* solver, int type, int op, int64_t* count, void* Z) {
  return c::with_sparse(solver, [&]<class T>(Factorization<T>& factors) {
    const auto check = [&] {
      c::require_type<T>(type);
      c::require_pointer(count, "the place for their number");
      c::transpose_from(op);
    };
    if (Z != nullptr)
      c::check_arguments_together(factors, check);
    else  // no rank asks another
      check();
    const Report& report = factors.report();
    *count = report.numerical_rank < 0 ? 0 : report.n - report.numerical_rank;
    if (Z == nullptr && report.numerical_rank < 0 && report.engine == "thread")
      factors.null_space(c::transpose_from(op));  // refuses factors that leave the rank open, as with Z
    if (Z != nullptr) c::copy_out(factors.null_space(c::transpose_from(op)), Z);
  });
}

olp_status olp_inverse_entries(olp_solver* solver, int type, int64_t count, const int64_t* rows,
                               const int64_t* cols, void* values) {
  const auto check = [&] {
    if (count < 0) c::refuse(Status::bad_input, "count is " + std::to_string(count) + "; give 0 or more");
    if (count > 0) c::require_pointer(rows, "rows"), c::require_pointer(cols, "cols");
  };
  return c::with_sparse_of(solver, type, check, [&](auto& factors) {
    const auto size = static_cast<std::size_t>(count);
    const auto entries = factors.inverse_entries({rows, size}, {cols, size});
    if (entries.size() != size)
      c::refuse(Status::bad_input, "count is " + std::to_string(count) + ", but rank 0 asks for " +
                                       std::to_string(entries.size()) +
                                       " entries; give the same count on every rank");
    c::copy_out(entries, values);
    return c::status_of(*solver, factors.report());
  });
}

olp_status olp_inverse_diagonal(olp_solver* solver, int type, void* diagonal) {
  return c::with_sparse_of(
      solver, type, [] {},
      [&](auto& factors) {
        c::copy_out(factors.inverse_diagonal(), diagonal);
        return c::status_of(*solver, factors.report());
      });
}

olp_status olp_selected_inverse(olp_solver* solver, olp_matrix* Z) {
  return c::with_sparse(solver, [&](auto& factors) {
    c::check_arguments_together(factors, [&] { c::require_pointer(Z, "the place for the matrix"); });
    c::move_to_caller(factors.selected_inverse(), Z);
    return c::status_of(*solver, factors.report());
  });
}

olp_status olp_triangular_factors(olp_solver* solver, olp_matrix* L, olp_matrix* U, int64_t* row_position,
                                  int64_t* col_position) {
  return c::with_sparse(solver, [&](auto& factors) {
    c::check_arguments_together(
        factors, [&] { c::require_pointer(L, "the place for L"), c::require_pointer(U, "the place for U"); });
    auto parts = factors.triangular_factors();
    c::copy_out(parts.row_position, row_position);
    c::copy_out(parts.col_position, col_position);
    c::move_to_caller(std::move(parts.L), L);
    c::move_to_caller(std::move(parts.U), U);
  });
}

olp_status olp_symmetric_factors(olp_solver* solver, olp_matrix* L, olp_matrix* D, int64_t* position) {
  return c::with_sparse(solver, [&](auto& factors) {
    c::check_arguments_together(
        factors, [&] { c::require_pointer(L, "the place for L"), c::require_pointer(D, "the place for D"); });
    auto parts = factors.symmetric_factors();
    c::copy_out(parts.position, position);
    c::move_to_caller(std::move(parts.L), L);
    c::move_to_caller(std::move(parts.D), D);
  });
}

olp_status olp_make_half(olp_solver* solver, olp_half_factors** half) {
  return c::with_sparse(solver, [&](auto& factors) {
    c::check_arguments_together(factors,
                                [&] { *c::require_pointer(half, "the place for the half") = nullptr; });
    *half = new olp_half_factors{factors.half()};
  });
}

void olp_free_half(olp_half_factors* half) { delete half; }

olp_status olp_half_apply(olp_solver* solver, olp_half_factors* half, int type, int part, int64_t nrhs,
                          void* X, int64_t ldx) {
  return c::with_kept(solver, half, "half", [&]<class T>(const HalfFactors<T>& kept) {
    c::require_type<T>(type);
    c::check_in_columns(X, kept.order(), nrhs, ldx);
    c::apply_to_columns<T>(X, kept.order(), nrhs, ldx, [&](std::span<T> x) {
      c::apply(kept, part, x, nrhs, c::room_of<T>(*half, kept.order()));
    });
    return OLP_OK;
  });
}

olp_status olp_make_schur(olp_solver* solver, const olp_matrix* A, int64_t count, const int64_t* variables,
                          olp_schur_complement** schur) {
  return c::call(solver, [&](olp_solver& s) {
    c::check_arguments_together(s, [&] {
      *c::require_pointer(schur, "the place for the complement") = nullptr;
      if (count < 0) c::refuse(Status::bad_input, "count is " + std::to_string(count) + "; give 0 or more");
      if (count > 0) c::require_pointer(variables, "variables");
    });
    return c::dispatch(c::read_type_together(s, A, "A"), [&]<class T>() {
      SparseMatrix<T> matrix = c::read_arguments_together(s, [&] { return c::callers_matrix<T>(*A); });
      SchurComplement<T> made = overlapack::schur(
          std::move(matrix), std::span<const Index>(variables, static_cast<std::size_t>(count)), s.options);
      const olp_status status = c::status_of(s, made.report());
      *schur = new olp_schur_complement{std::move(made)};
      return status;
    });
  });
}

void olp_free_schur(olp_schur_complement* schur) { delete schur; }

olp_status olp_schur_sizes(olp_solver* solver, const olp_schur_complement* schur, int64_t* n,
                           int64_t* count) {
  return c::call(solver, [&](olp_solver&) {
    c::require_pointer(n, "the place for n");
    c::require_pointer(count, "the place for count");
    std::visit(
        [&](const auto& kept) {
          *count = kept.order();
          *n = kept.report().n + *count;
        },
        c::require_pointer(schur, "schur")->kept);
    return OLP_OK;
  });
}

olp_status olp_schur_matrix(olp_solver* solver, olp_schur_complement* schur, int type, void* S, int64_t lds) {
  return c::with_kept(solver, schur, "schur", [&]<class T>(const SchurComplement<T>& kept) {
    const Index order = kept.order();
    c::require_type<T>(type);
    c::check_columns("lds", order, order, lds);
    c::require_pointer(S, "S");
    for (Index j = 0; j < order; ++j)
      std::copy_n(kept.matrix().data() + j * order, order, static_cast<T*>(S) + j * lds);
    return OLP_OK;
  });
}

olp_status olp_schur_condense(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                              const void* b, void* condensed) {
  return c::with_kept(solver, schur, "schur", [&]<class T>(SchurComplement<T>& kept) {
    c::check_arguments_together(kept,
                                [&] { c::require_type<T>(type), c::check_columns("nrhs", 0, nrhs, 0); });
    const Solution<T> made = kept.condense(c::given_rows<T>(b, kept.report().n + kept.order(), nrhs), nrhs);
    c::copy_out(made.x, condensed);
    return c::status_of(*solver, made.report);
  });
}

olp_status olp_schur_expand(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                            const void* b, const void* x_v, void* x) {
  return c::with_kept(solver, schur, "schur", [&]<class T>(SchurComplement<T>& kept) {
    c::check_arguments_together(kept,
                                [&] { c::require_type<T>(type), c::check_columns("nrhs", 0, nrhs, 0); });
    const Solution<T> made = kept.expand(c::given_rows<T>(b, kept.report().n + kept.order(), nrhs),
                                         c::given_rows<T>(x_v, kept.order(), nrhs), nrhs);
    c::copy_out(made.x, x);
    return c::status_of(*solver, made.report);
  });
}

olp_status olp_diagnose(olp_solver* solver, const olp_matrix* A, const char* const* names, int json,
                        const char** text) {
  return c::call(solver, [&](olp_solver& s) {
    c::require_pointer(text, "the place for the text");
    ModelFacts facts;
    if (names != nullptr)
      for (Index i = 0; i < c::require_pointer(A, "A")->cols; ++i)
        facts.unknowns.emplace_back(c::require_pointer(names[i], "a name"));
    c::dispatch(c::require_pointer(A, "A")->type, [&]<class T>() {
      const Diagnosis diagnosis = diagnose(c::whole_matrix<T>(*A), facts, s.options);
      s.text = json != 0 ? to_json(diagnosis) : table_of(diagnosis);
    });
    *text = s.text.c_str();
    return OLP_OK;
  });
}
