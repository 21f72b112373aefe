// The inner product of two vectors in two supersteps:  inner_product_cpp [N [RANKS]]
// x = y = 1, 2, ..., N, distributed in turn to the processes; all of them end with the sum.
#include <overlapack/bsp.hpp>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace bsp = overlapack::bsp;

/// Cost  2 N / p + p flops, (p - 1) g + 2 l (the first superstep registers)
double inner_product(bsp::World& world, const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> sums(static_cast<std::size_t>(world.processes()));
  const bsp::Slot slot = world.push_reg<double>(sums);
  world.sync();

  const double mine = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  for (int to = 0; to < world.processes(); ++to)
    world.put<double>(to, {&mine, 1}, slot, static_cast<std::size_t>(world.process()));
  world.sync();

  world.pop_reg(slot);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000, ranks = argc > 2 ? std::atoi(argv[2]) : 0;
  const bsp::Cost cost = bsp::run({.ranks = ranks}, [n](bsp::World& world) {
    std::vector<double> x;
    for (int i = world.process() + 1; i <= n; i += world.processes()) x.push_back(i);
    const double product = inner_product(world, x, x);
    if (world.process() == 0)
      std::printf("%d processes: the sum of i^2 for i = 1 .. %d is %.0f\n", world.processes(), n, product);
  });
  std::printf("%lld supersteps, h sums up to %lld words\n", static_cast<long long>(cost.supersteps),
              static_cast<long long>(cost.words));
} catch (const overlapack::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
