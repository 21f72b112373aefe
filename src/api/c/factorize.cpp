#include "api/c/matrix.hpp"
#include "api/c/solver.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/iterative.hpp"

namespace overlapack::c {
namespace {

/// Replace the solver's factors by make(). If make() fails, the solver has no factors, and why_empty has the reason.
template <class Make>
olp_status replace_held(olp_solver& solver, Make&& make) {
  empty(solver);
  try {
    make();
  } catch (const std::exception& error) {
    solver.why_empty = std::string("the last factorisation failed: ") + error.what();
    throw;
  }
  solver.why_empty.clear();
  return OLP_OK;
}

/// Store the analysis that make() returns in *analysis, and its report in the solver, as olp_analyse does.
template <class Make>
olp_status replace_kept(olp_solver& solver, olp_analysis** analysis, Make&& make) {
  check_arguments_together(solver,
                           [&] { *require_pointer(analysis, "the place for the analysis") = nullptr; });
  return replace_held(solver, [&] {
    auto made = std::make_unique<olp_analysis>(make());
    solver.planned = made->kept.report();
    *analysis = made.release();
  });
}

template <class T>
Held<T> held_sparse(Factorization<T>&& factors, bool is_distributed, Index n) {
  auto owned = std::make_unique<Factorization<T>>(std::move(factors));
  Factorization<T>* const sparse = owned.get();
  return {std::move(owned), sparse, is_distributed, n};
}

template <class T>
Held<T> made_of(SparseMatrix<T> matrix, const Options& options) {
  const Index n = matrix.rows;
  if (iterative::is_iterative(options.method))
    return {std::make_unique<iterative::Iteration<T>>(iterative::iteration(std::move(matrix), options)),
            nullptr, false, n};
  return held_sparse(factorize(std::move(matrix), options), false, n);
}

template <class T>
Held<T> made_of(dense::View<T> A, const Options& options) {
  if (options.factorization == FactorKind::cholesky)
    return {std::make_unique<dense::CholeskyFactorization<T>>(
                dense::cholesky_factor(A, options, dense::Stored::whole)),
            nullptr, false, A.rows};
  return {std::make_unique<dense::LuFactorization<T>>(dense::lu_factor(A, options)), nullptr, false, A.rows};
}

/// Call f.template operator()<T>(read.template operator()<T>()) for the T of A. read converts A. It is a call of all ranks, which agree on
/// errors of read.
template <class Read, class F>
void dispatch_read(olp_solver& solver, const olp_matrix* A, Read&& read, F&& f) {
  dispatch(read_type_together(solver, A, "the matrix"), [&]<class T>() {
    f(read_arguments_together(solver, [&] { return read.template operator()<T>(*A); }));
  });
}

constexpr auto whole_or_none = []<class T>(const olp_matrix& A) { return callers_matrix<T>(A); };
constexpr auto lines_here = []<class T>(const olp_matrix& A) {
  return std::vector<Triplets<T>>{my_lines_as_triplets<T>(A)};
};

template <class T>
olp_status refactorize(Held<T>& held, const olp_matrix* A) {
  const auto read = [&](auto&& take) {
    return read_arguments_together(*held.factors, [&] {
      require_type<T>(require_pointer(A, "the matrix")->type);
      return take.template operator()<T>(*A);
    });
  };
  if (held.is_distributed)
    held.sparse->refactorize_distributed(read(lines_here));
  else
    held.factors->refactorize(read(whole_or_none));
  return OLP_OK;
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_analyse(olp_solver* solver, const olp_matrix* A) {
  return c::call(solver, [&](olp_solver& s) {
    c::require_pointer(A, "the matrix");
    return c::replace_held(s, [&] {
      s.planned = c::dispatch(A->type, [&]<class T>() { return plan(c::whole_matrix<T>(*A), s.options); });
    });
  });
}

olp_status olp_keep_analysis(olp_solver* solver, const olp_matrix* A, olp_analysis** analysis) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_kept(s, analysis, [&] {
      std::optional<PatternAnalysis> made;
      c::dispatch_read(s, A, c::whole_or_none,
                       [&](auto matrix) { made = analyse(std::move(matrix), s.options); });
      return *std::move(made);
    });
  });
}

void olp_free_analysis(olp_analysis* analysis) { delete analysis; }

olp_status olp_save_analysis(olp_solver* solver, const olp_analysis* analysis, const char* path) {
  return c::call(solver, [&](olp_solver&) {
    c::require_pointer(analysis, "the analysis")->kept.save(c::require_pointer(path, "the path"));
    return OLP_OK;
  });
}

olp_status olp_load_analysis(olp_solver* solver, const char* path, olp_analysis** analysis) {
  return c::call(solver, [&](olp_solver& s) {
    c::check_arguments_together(s, [&] { c::require_pointer(path, "the path"); });
    return c::replace_kept(s, analysis, [&] { return load_analysis(path, s.options); });
  });
}

olp_status olp_factorize_with(olp_solver* solver, const olp_matrix* A, const olp_analysis* analysis) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_held(s, [&] {
      const PatternAnalysis& kept =
          c::read_arguments_together(s, [&] { return c::require_pointer(analysis, "the analysis"); })->kept;
      c::dispatch_read(s, A, c::whole_or_none, [&](auto matrix) {
        s.held = c::held_sparse(factorize(std::move(matrix), kept, s.options), false, A->rows);
      });
    });
  });
}

olp_status olp_factorize(olp_solver* solver, const olp_matrix* A) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_held(s, [&] {
      c::dispatch_read(s, A, c::whole_or_none,
                       [&](auto matrix) { s.held = c::made_of(std::move(matrix), s.options); });
    });
  });
}

olp_status olp_factorize_distributed(olp_solver* solver, const olp_matrix* mine) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_held(s, [&] {
      c::dispatch_read(s, mine, c::lines_here, [&](auto parts) {
        s.held = c::held_sparse(factorize_distributed(std::move(parts), s.options), true, mine->rows);
      });
    });
  });
}

olp_status olp_refactorize(olp_solver* solver, const olp_matrix* A) {
  return c::call(solver, [&](olp_solver& s) {
    return c::visit_factors(s, [&](auto& held) { return c::refactorize(held, A); });
  });
}

olp_status olp_factorize_dense(olp_solver* solver, int type, int64_t n, const void* A, int64_t lda) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_held(s, [&] {
      const int checked = c::read_arguments_together(s, [&] {
        if (n > 0 && lda < n)
          c::refuse(Status::bad_input, "lda is " + std::to_string(lda) + ", but columns have " +
                                           std::to_string(n) + " entries; give at least that");
        return c::dispatch(type, [&]<class T>() { return type; });
      });
      c::dispatch(checked, [&]<class T>() {
        s.held = c::made_of(dense::View<T>{static_cast<const T*>(A), n, n, lda}, s.options);
      });
    });
  });
}

olp_status olp_save(olp_solver* solver, const char* path) {
  return c::with_factors(solver, [&](auto& held) {
    c::check_arguments_together(*held.factors, [&] { c::require_pointer(path, "the path"); });
    held.factors->save(path);
    return OLP_OK;
  });
}

olp_status olp_load(olp_solver* solver, const char* path) {
  return c::call(solver, [&](olp_solver& s) {
    return c::replace_held(s, [&] {
      const int type = c::read_arguments_together(
          s, [&] { return static_cast<int>(type_of_factors(c::require_pointer(path, "the path"))); });
      c::dispatch(type, [&]<class T>() {
        Factorization<T> factors = load_factors<T>(path, s.options);
        const Index n = factors.report().n;
        s.held = c::held_sparse(std::move(factors), false, n);
      });
    });
  });
}
