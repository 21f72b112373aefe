// What BLAS and the small kernels touch is seen by sanitizers, which do not see into them: watched_program SIZE OPERAND does what they
// have to report. Of C <- C - A B with matrices of SIZE rows and columns, the operand A, B or C is one number too short, or another
// thread writes it meanwhile.
#include "base/touched.hpp"
#include "kernels/product/gemm.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  using namespace overlapack;
  if (argc != 3) return 2;
  const Index n = std::stoi(argv[1]);
  std::vector<double> numbers[3];
  for (auto& of_one : numbers) of_one.assign(static_cast<std::size_t>(n * n), 1.0);
  std::vector<double>& chosen = numbers[argv[2][0] - 'A'];
#ifdef __SANITIZE_ADDRESS__
  chosen.pop_back();
  chosen.shrink_to_fit();
#else
  const std::jthread other([&] { std::ranges::fill(chosen, 2.0); });
#endif
  const auto view = [&](std::vector<double>& of_one) { return MatrixView<double>{of_one.data(), n, n, n}; };
  kernels::gemm<double>(kernels::Op::none, kernels::Op::none, -1.0, view(numbers[0]), view(numbers[1]), 1.0,
                        view(numbers[2]));
}
