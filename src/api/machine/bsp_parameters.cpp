#include "api/machine/bsp_parameters.hpp"

#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/superstep/cost_line.hpp"
#include "comm/superstep/registered_buffers.hpp"
#include "kernels/product/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace overlapack::probe {
namespace {

constexpr std::int64_t steps_of_words = 8, most_words = 4096;

/// The least time of several runs of f, each on its slowest rank. Under simulation there is one run, since all runs take the same time.
template <class F>
double slowest_over_ranks(comm::Rank& rank, F&& f) {
  const int repetitions = rank.capabilities().virtual_time ? 1 : 7;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    comm::collective::barrier(rank);
    const double begin = rank.now();
    f();
    const double mine = rank.now() - begin;
    least = std::min(least, comm::collective::all_reduce(rank, mine, Larger()));
  }
  return least;
}

double flops_per_s(comm::Rank& rank) {
  constexpr Index n = 256;
  std::vector<double> A(n * n, 1), C(n * n);
  const MatrixView<double> a{A.data(), n, n, n}, c{C.data(), n, n, n};
  const auto cost = kernels::gemm_cost<double>(n, n, n);
  return cost.flops / slowest_over_ranks(rank, [&] {
           rank.compute({"gemm", cost.flops, cost.bytes, n, n, n},
                        [&] { kernels::gemm<double>(kernels::Op::none, kernels::Op::none, 1, a, a, 1, c); });
         });
}

/// One superstep in which each process sends and receives h words, the same number to and from each other process.
void exchange(comm::superstep::World& world, const comm::superstep::RegisteredBuffers::Buffer& buffer,
              std::int64_t h) {
  const int others = world.processes() - 1;
  const std::vector<double> source(static_cast<std::size_t>(h));
  const auto bytes = std::as_bytes(std::span(source));
  std::size_t begin = 0;
  for (int d = 1; d <= others; ++d) {
    const std::size_t end = static_cast<std::size_t>(h * d / others) * sizeof(double);
    if (begin < end)
      world.put((world.process() + d) % world.processes(), bytes.subspan(begin, end - begin), buffer.slot,
                begin);
    begin = end;
  }
  world.sync();
}

/// Fit g, l and the time of a message to the times of full exchanges of h words; h.front() is 0.
void fit_line(BspParameters& found, std::span<const double> h, std::span<const double> seconds) {
  comm::superstep::CostLine line;
  for (std::size_t i = 0; i < h.size(); ++i) line.add(h[i], seconds[i]);
  found.empty_sync_s = seconds.front();
  found.word_s = line.word_s();
  found.synchronisation_s = line.synchronisation_s();
  const double longer_s = found.synchronisation_s - found.empty_sync_s;
  found.message_s = std::max(0.0, longer_s) / (found.processes - 1);
  found.is_steady = line.is_as_measured() && longer_s >= 0;
  for (std::size_t i = 0; i < h.size(); ++i)
    found.largest_deviation_s = std::max(
        found.largest_deviation_s, std::abs(seconds[i] - found.word_s * h[i] - found.synchronisation_s));
}

}  // namespace

BspParameters measure_bsp_parameters(comm::Rank& rank) {
  BspParameters found{.processes = rank.size(), .flops_per_s = flops_per_s(rank)};
  if (rank.size() < 2) return found;
  comm::superstep::World world(rank, {.direct_bytes = ~std::size_t{0}});
  comm::superstep::RegisteredBuffers buffers(world, {most_words * sizeof(double)});
  const auto buffer = buffers.take(most_words * sizeof(double));
  std::vector<double> h, seconds;
  for (std::int64_t i = 0; i <= steps_of_words; ++i) {
    const auto words = most_words * i / steps_of_words;
    h.push_back(static_cast<double>(words));
    seconds.push_back(slowest_over_ranks(world.rank(), [&] { exchange(world, *buffer, words); }));
  }
  world.end();
  comm::collective::barrier(rank);
  fit_line(found, h, seconds);
  return found;
}

}  // namespace overlapack::probe
