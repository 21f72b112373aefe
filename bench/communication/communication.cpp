// Supersteps and one-sided moves beside what they replace, on 2 ranks; prints a JSON array, a row a comparison.
// bench_communication [thread|mpi [rounds]]       under mpirun: mpi
#include "comm/collective/collective.hpp"
#include "comm/onesided/pair_swap.hpp"
#include "comm/receive.hpp"
#include "comm/superstep/world.hpp"
#include "comm/team.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace overlapack;
using comm::superstep::World;

constexpr std::size_t mega = 1 << 20;
constexpr std::size_t strided = 1000, row_bytes = 32768;  // numbers of a row, and how far apart they stand
constexpr int small_puts = 10000;

struct Row {
  const char *what, *beside;
  double s, beside_s;
};

/// Two ways to do the same, in turn; the least seconds of each, of the slower rank.
class Bench {
 public:
  Bench(comm::Rank& rank, int rounds) : rank_(rank), rounds_(rounds) {}

  void compare(const char* what, const std::function<void()>& ours, const char* beside,
               const std::function<void()>& theirs, int times) {
    double best[2] = {1e9, 1e9};
    for (int round = 0; round <= rounds_; ++round)
      for (const int who : {0, 1}) {
        comm::collective::barrier(rank_);
        const double begin = rank_.now();
        for (int i = 0; i < times; ++i) (who == 0 ? ours : theirs)();
        const double took = comm::collective::all_reduce(rank_, rank_.now() - begin,
                                                         [](double a, double b) { return std::max(a, b); });
        if (round > 0) best[who] = std::min(best[who], took / times);  // the first warms up
      }
    rows_.push_back({what, beside, best[0], best[1]});
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  comm::Rank& rank_;
  int rounds_;
  std::vector<Row> rows_;
};

/// A megabyte, which each puts to the other in a superstep, beside a copy of it in its own memory.
void measure_supersteps(comm::Rank& rank, Bench& bench) {
  const int other = 1 - rank.rank();
  std::vector<std::byte> source(mega, std::byte{1}), target(mega), copied(mega);
  std::vector<std::int64_t> numbers(small_puts), small_target(small_puts);
  World world(rank);
  const auto area = world.push_reg(target);
  const auto small_area = world.push_reg(std::as_writable_bytes(std::span(small_target)));
  world.sync();
  bench.compare(
      "an empty superstep", [&] { world.sync(); }, "a barrier", [&] { comm::collective::barrier(rank); },
      1000);
  bench.compare(
      "1 MB by hpput, in a superstep",
      [&] {
        world.hpput(other, source, area, 0);
        world.sync();
      },
      "a copy of 1 MB", [&] { std::memcpy(copied.data(), source.data(), mega); }, 50);
  bench.compare(
      "10000 puts of 8 bytes, in a superstep",
      [&] {
        for (std::size_t i = 0; i < numbers.size(); ++i)
          world.put(other, std::as_bytes(std::span(&numbers[i], 1)), small_area, i * sizeof numbers[i]);
        world.sync();
      },
      "10000 messages",
      [&] {
        for (const std::int64_t& number : numbers)
          rank.start_send(comm::Lane::user, other, {}, comm::Body::copy_of(std::span(&number, 1)));
        for (std::size_t i = 0; i < numbers.size(); ++i) comm::receive(rank, comm::Lane::user, other);
      },
      3);
  world.end();
}

/// A row of a matrix by columns, exchanged with the other rank's.
void measure_swaps(comm::Rank& rank, Bench& bench) {
  const auto window = rank.make_window(strided * row_bytes);
  comm::onesided::Signals signals(rank, *window);
  const auto number = [&](std::size_t i) { return window->local().data() + i * row_bytes; };
  const auto scatter = [&](const std::byte* values) {
    for (std::size_t i = 0; i < strided; ++i)
      std::memcpy(number(i), values + i * sizeof(double), sizeof(double));
  };
  const auto swap = [&] {
    comm::onesided::PairSwap pair(signals, *window, 1 - rank.rank(),
                                  {{0, sizeof(double), row_bytes, strided}});
    pair.get();
    pair.finish();
    scatter(pair.values().data());
  };
  const auto by_messages = [&] {
    std::vector<double> packed(strided);
    for (std::size_t i = 0; i < strided; ++i) std::memcpy(&packed[i], number(i), sizeof(double));
    rank.start_send(comm::Lane::user, 1 - rank.rank(), {}, comm::Body::adopt(std::move(packed)));
    scatter(comm::receive(rank, comm::Lane::user, 1 - rank.rank()).body.data());
  };
  bench.compare("a swap of 1000 strided numbers by gets", swap, "packed messages", by_messages, 200);
  // through pointers, where there are any: read, say so, write
  if (std::byte* const theirs = window->direct(1 - rank.rank())) {
    std::vector<double> values(strided);
    const auto meet = [&] {
      signals.send(1 - rank.rank());
      signals.wait_for_next(1 - rank.rank());
    };
    const auto by_loads = [&] {
      meet();
      for (std::size_t i = 0; i < strided; ++i)
        std::memcpy(&values[i], theirs + i * row_bytes, sizeof(double));
      meet();
      scatter(reinterpret_cast<const std::byte*>(values.data()));
    };
    bench.compare("the same by loads from the shared window", by_loads, "packed messages", by_messages, 200);
  }
  comm::collective::barrier(rank);
}

void print(const comm::Rank& rank, const std::vector<Row>& rows) {
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf(
        "%s\n {\"engine\": \"%s\", \"what\": \"%s\", \"us\": %.3f, \"beside\": \"%s\", \"beside_us\": %.3f}",
        i ? "," : "", std::string(rank.capabilities().engine).c_str(), rows[i].what, rows[i].s * 1e6,
        rows[i].beside, rows[i].beside_s * 1e6);
  std::printf("\n]\n");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string engine = count > 1 ? arguments[1] : "thread";
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 10;
  try {
    comm::open({.engine = engine, .ranks = engine == "thread" ? 2 : 0})->run([&](comm::Rank& rank) {
      if (rank.size() != 2) throw Error(Status::bad_plan, "this needs two ranks");
      Bench bench(rank, rounds);
      measure_supersteps(rank, bench);
      measure_swaps(rank, bench);
      if (rank.rank() == 0) print(rank, bench.rows());
    });
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
