#include "api/sparse/factorization.hpp"
#include "api/sparse/pattern_analysis.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <memory>
#include <utility>

/// The public functions factorize and solve.
namespace overlapack {
namespace {

template <class T>
Factorization<T> factorized(SparseMatrix<T> A, const Options& options,
                            const PatternAnalysis::Implementation* kept) {
  using Implementation = typename Factorization<T>::Implementation;
  return public_call(call::factorize, [&] {
    return Factorization<T>(make_handle<Implementation>(std::move(A), options, kept));
  });
}

/// Factorise and solve. kept: the analysis to use, or null. The factors end with the call.
template <class T>
Solution<T> solved(SparseMatrix<T> A, std::span<const T> b, const Options& options,
                   const PatternAnalysis::Implementation* kept) {
  typename Factorization<T>::Implementation factors(std::move(A), options, kept);
  return factors.solve(b, factors.A.rows > 0 ? static_cast<Index>(b.size()) / factors.A.rows : 1,
                       Transpose::none);
}

}  // namespace

template <class T>
Factorization<T> factorize(SparseMatrix<T> A, const Options& options) {
  return factorized(std::move(A), options, nullptr);
}

template <class T>
Factorization<T> factorize(SparseMatrix<T> A, const PatternAnalysis& analysis, const Options& options) {
  return factorized(std::move(A), options, analysis.implementation());
}

template <class T>
Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const Options& options) {
  const Index n = A.rows;
  if (iterative::is_iterative(options.method))
    return iterative::iteration(std::move(A), options).solve(b, n > 0 ? static_cast<Index>(b.size()) / n : 1);
  return public_call(call::solve, [&] {
    drop_zeros(A);  // no refactorize needs their positions
    return solved(std::move(A), b, options, nullptr);
  });
}

template <class T>
Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const PatternAnalysis& analysis,
                  const Options& options) {
  return public_call(call::solve,
                     [&] { return solved(std::move(A), b, options, analysis.implementation()); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                               \
  template Factorization<T> factorize(SparseMatrix<T>, const Options&);                         \
  template Factorization<T> factorize(SparseMatrix<T>, const PatternAnalysis&, const Options&); \
  template Solution<T> solve(SparseMatrix<T>, std::span<const T>, const Options&);              \
  template Solution<T> solve(SparseMatrix<T>, std::span<const T>, const PatternAnalysis&, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
