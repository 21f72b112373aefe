#include "api/dense/cholesky_factorization.hpp"
#include "base/public_call.hpp"
#include "base/random.hpp"
#include "overlapack/benchmark.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

namespace overlapack::api {
namespace {

template <class T>
T random_entry(Random& random) {
  const auto part = [&] { return static_cast<Real<T>>(random.uniform() - 0.5); };
  const Real<T> re = part();
  if constexpr (ScalarTraits<T>::is_complex)
    return T(re, part());
  else
    return re;
}

/// A random positive definite matrix, by its lower triangle. It is definite since |entries| < 1 and the diagonal is n.
template <class T>
std::vector<T> definite_matrix(Index n, Random& random) {
  std::vector<T> A(static_cast<std::size_t>(n * n));
  for (Index j = 0; j < n; ++j) {
    A[static_cast<std::size_t>(j + j * n)] = T(static_cast<Real<T>>(n));
    for (Index i = j + 1; i < n; ++i) A[static_cast<std::size_t>(i + j * n)] = random_entry<T>(random);
  }
  return A;
}

template <class T>
benchmark::Run solve_definite(Index n, std::uint64_t seed, const Options& options) {
  if (is_phantom())
    throw Error(Status::bad_plan,
                "Cholesky is not simulated by shapes alone, its matrix is made on the first process; leave "
                "out --phantom");
  Random random(seed);
  std::vector<T> A, b;
  if (is_first_process()) {
    A = definite_matrix<T>(n, random);
    for (Index i = 0; i < n; ++i) b.push_back(random_entry<T>(random));
  }
  typename dense::CholeskyFactorization<T>::Implementation factors(dense::View<T>{A.data(), n, n, n},
                                                                   options);
  const Solution<T> solution = factors.solve(b, 1, dense::Transpose::none);
  return {.report = solution.report, .timeline = factors.take_timeline()};
}

}  // namespace
}  // namespace overlapack::api

namespace overlapack {

benchmark::Run benchmark::cholesky(Index n, ScalarType type, std::uint64_t seed, const Options& options) {
  return public_call(call::benchmark, [&]() -> benchmark::Run {
    return dispatch(type, [&]<class T>() { return api::solve_definite<T>(n, seed, options); });
  });
}

}  // namespace overlapack
