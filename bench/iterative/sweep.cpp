#include "../kernels/thread_clock.hpp"
#include "base/large_memory.hpp"
#include "kernels/sparse/stencil.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// bench_sweep N ROUNDS: the sweep over N^3 points beside STREAM's triad on three arrays of as many numbers, in turns; one
// line of JSON with the seconds of each. A store first fetches its line: a point of the sweep moves 24 bytes (u read, next
// fetched and written), an element of the triad 32 (b and c read, a fetched and written).
namespace {

double seconds(auto&& work) {
  const double start = thread_seconds();  // of the processor: other programs take the memory's time only
  work();
  return thread_seconds() - start;
}

[[gnu::noinline]] void triad(double* __restrict a, const double* __restrict b, const double* __restrict c,
                             std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
}

void print(const char* name, const std::vector<double>& values, const char* end) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%.6g", i ? ", " : "", values[i]);
  std::printf("]%s", end);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace overlapack;
  const Index n = argc > 1 ? std::atoll(argv[1]) : 256;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  const kernels::Box box{n, n, n};
  const std::size_t size = static_cast<std::size_t>(box.size());
  using Vector = LargeVector<double>;  // as the iterations have them
  Vector u(size, 1.0), next(size, 1.0), third(size, 2.0);
  std::vector<double> sweeps, triads;
  // at least 20 ms or so
  const int repeats = static_cast<int>(std::max(1.0, 4e7 / static_cast<double>(size)));
  for (int round = 0; round < rounds; ++round) {
    triads.push_back(seconds([&] {
                       for (int k = 0; k < repeats; ++k) triad(third.data(), u.data(), next.data(), size);
                     }) /
                     repeats / static_cast<double>(size));
    sweeps.push_back(seconds([&] {
                       for (int k = 0; k < repeats; ++k) {
                         kernels::stencil_sweep(box, u.data(), next.data(), 1, n + 1);
                         std::swap(u, next);
                       }
                     }) /
                     repeats / static_cast<double>(box.points()));
  }
  std::printf("{\"points\": %lld, ", static_cast<long long>(box.points()));
  print("triad_s_an_element", triads, ", ");
  print("sweep_s_a_point", sweeps, "}\n");
  return third[size / 2] == 0;
}
