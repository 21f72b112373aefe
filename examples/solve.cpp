// Solves A x = b for a matrix from a file:  solve_cpp FILE [OPTION VALUE]...
// b = A * ones, so that the error of x is known.
#include <overlapack/io.hpp>
#include <overlapack/multiply.hpp>
#include <overlapack/option_text.hpp>
#include <overlapack/overlapack.hpp>
#include <overlapack/trace.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

void solve(const std::string& path, overlapack::Options options) {
  const auto A = overlapack::io::matrix_as<double>(overlapack::io::read_matrix(path).matrix);
  const std::vector<double> ones(static_cast<std::size_t>(A.cols), 1.0);
  const std::vector<double> b = overlapack::multiply<double>(A, ones);

  auto factors = overlapack::factorize(A, options);
  const auto [x, report] = factors.solve(b);

  double error = 0;
  for (const double v : x) error = std::max(error, std::abs(v - 1));
  std::printf("n = %lld, ordering %s, %lld entries in the factors\n", static_cast<long long>(report.n),
              report.ordering.c_str(), static_cast<long long>(report.factor_nnz));
  std::printf("backward error %.1e, error %.1e\n", report.backward_error, error);
  std::puts(overlapack::trace::summary_table(factors.timeline()).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE [OPTION VALUE]...\n", argv[0]);
    return 2;
  }
  try {
    overlapack::Options options{.sparse = {.ordering = overlapack::Ordering::metis}};
    for (int i = 2; i + 1 < argc; i += 2)  // more of them by name
      overlapack::set_option(options, argv[i], argv[i + 1]);
    solve(argv[1], options);
    return 0;
  } catch (const overlapack::Error& error) {  // one sentence that says what to do next
    std::fprintf(stderr, "%s: %s\n", overlapack::to_string(error.status()).data(), error.what());
    return 1;
  }
}
