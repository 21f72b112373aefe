#include "api/machine/transfer_times.hpp"

#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/onesided/addresses.hpp"
#include "comm/onesided/direct_broadcasts.hpp"
#include "comm/wrap/counted.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "dist/moves/messages/transpose.hpp"
#include "dist/moves/onesided/onesided_transpose.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace overlapack::probe {
namespace {

constexpr std::size_t body_bytes[] = {8, 8192, 65536, 1048576};
constexpr Index block_orders[] = {1, 8, 32, 90, 360};
constexpr std::size_t vector_lengths[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
// In real time: the least and the most repetitions, and the seconds after which repetitions end
constexpr int fewest = 3, most_often = 15;
constexpr double enough_s = 0.1;
constexpr std::size_t most_in_a_row = 20;

/// The least time from the last rank's start of f to the last rank's end; one run under simulation, where all are the same.
template <class F>
double elapsed(comm::Rank& rank, F&& f) {
  const bool is_virtual = rank.capabilities().virtual_time;
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int i = 0; i < (is_virtual ? 1 : fewest) || (!is_virtual && i < most_often && spent < enough_s); ++i) {
    comm::collective::barrier(rank);
    const double begin = rank.now();
    f();
    const double end = rank.now();
    const double s = comm::collective::all_reduce(rank, end, Larger()) -
                     comm::collective::all_reduce(rank, begin, Larger());  // the same on all ranks
    least = std::min(least, s);
    spent += s;
  }
  return least;
}

/// Measure one form of a transfer. The counts of one run of f are summed over the ranks; time() runs f repeatedly for the seconds.
template <class Time, class F>
TransferTime measured(comm::Rank& engine, comm::Counts& counts, TransferTime one, Time&& time, F&& f) {
  counts = {};
  std::int64_t runs = 0;
  one.seconds = time([&] { f(), ++runs; });
  std::array<double, 4> all{static_cast<double>(counts.signals), static_cast<double>(counts.put.messages),
                            static_cast<double>(counts.got.messages),
                            static_cast<double>(counts.sent.messages)};
  comm::collective::all_reduce(engine, std::span<double>(all), std::plus<>());
  const auto each = [&](std::size_t i) { return all[i] / static_cast<double>(runs); };
  one.signals = each(0), one.puts = each(1), one.gets = each(2), one.messages = each(3);
  return one;
}

comm::collective::Group everyone(const comm::Rank& rank) {
  comm::collective::Group group{.ranks = std::vector<int>(static_cast<std::size_t>(rank.size())),
                                .me = rank.rank()};
  for (int r = 0; r < rank.size(); ++r) group.ranks[static_cast<std::size_t>(r)] = r;
  return group;
}

void time_broadcasts(comm::Rank& engine, std::vector<TransferTime>& found) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  const comm::collective::Group group = everyone(rank);
  const std::size_t most = *std::ranges::max_element(body_bytes);
  const auto bodies = rank.make_window(2 * most), others = rank.make_window(0);
  comm::onesided::Signals ready(rank, *bodies), read(rank, *others);
  comm::onesided::DirectBroadcasts direct(ready, *bodies, read, 0, most, 2);  // as in an LU of paper 3
  comm::Exchange exchange(rank, comm::Lane::bulk);
  const auto elapsed_here = [&](auto&& f) { return elapsed(engine, f); };
  std::int64_t step = 0;
  for (const std::size_t bytes : body_bytes) {
    const comm::Body body = group.me == 0 ? comm::Body::adopt(std::vector<std::byte>(bytes)) : comm::Body();
    for (const BroadcastKind kind : {BroadcastKind::binary_tree, BroadcastKind::ring})
      found.push_back(
          measured(engine, counts, {"broadcast", std::string(to_string(kind)), bytes}, elapsed_here, [&] {
            comm::collective::start_broadcast(exchange, group, 0, kind, {.move = 1, .step = ++step}, bytes,
                                              body)
                ->finish();
          }));
    found.push_back(measured(engine, counts, {"broadcast", "direct", bytes}, elapsed_here,
                             [&] { direct.start(group, 0, bytes, body)->finish(); }));
  }
  exchange.close();
  comm::collective::barrier(engine);
}

/// Measure transposes of a matrix of which each process has a block, on a grid as square as the ranks allow.
void time_transposes(comm::Rank& engine, std::vector<TransferTime>& found) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
  comm::Exchange exchange(rank, comm::Lane::bulk);
  const auto elapsed_here = [&](auto&& f) { return elapsed(engine, f); };
  std::int64_t step = 0;
  for (const Index order : block_orders) {
    const auto distributed = [&](int blocks, int processes) {
      return dist::BlockCyclic{.size = order * blocks, .block = order, .processes = processes};
    };
    const int P = grid.rows(), Q = grid.cols();
    const dist::OwnedMatrix<double> A(grid, rank.rank(), distributed(P, P), distributed(Q, Q)),
        B(grid, rank.rank(), distributed(Q, P), distributed(P, Q));
    const auto bytes = static_cast<std::size_t>(order * order) * sizeof(double);
    found.push_back(measured(engine, counts, {"transpose", "messages", bytes}, elapsed_here, [&] {
      dist::transpose(exchange, A.view(), B.view(), {.move = 2, .step = ++step});
    }));
    dist::LentMatrix<double> lent(rank, A.view());
    for (const RowSwap form : {RowSwap::generic, RowSwap::native}) {
      dist::OnesidedTranspose<double> transpose(rank, lent, B.view(), form);
      found.push_back(measured(engine, counts, {"transpose", std::string(to_string(form)), bytes},
                               elapsed_here, [&] { transpose.run(); }));
      comm::collective::barrier(engine);
    }
  }
  exchange.close();
  comm::collective::barrier(engine);
}

/// The vector of rank 0 that rank 1 gets, in each kind of memory, with the signals that it is final and that it was read.
class VectorOwner {
 public:
  VectorOwner(comm::Rank& rank, std::size_t most)
      : rank_(rank),
        values_(rank.rank() == 0 ? most : 0, 1.0),
        got_(rank.rank() == 1 ? most : 0),
        window_(rank.make_window(values_.size() * sizeof(double))),
        attached_(rank.attach(std::as_writable_bytes(std::span(values_)))),
        signals_(rank, *window_),
        addresses_(rank) {}

  void exchange(LentMemory memory, std::size_t length) {
    if (rank_.rank() == 0)
      lend(memory, length);
    else if (rank_.rank() == 1)
      get(memory, length);
  }

  /// Only the get, without signals.
  void get_unsignalled(LentMemory memory, std::size_t length) {
    if (rank_.rank() == 1) get_from(memory == LentMemory::attach ? *attached_ : *window_, 0, length);
  }

 private:
  void lend(LentMemory memory, std::size_t length) {
    if (memory == LentMemory::attach) {
      addresses_.lend(1, {0, sizeof(double)});
      return addresses_.wait_until_read(1);
    }
    if (memory == LentMemory::copy)
      rank_.compute({.kind = "pack", .bytes = 2.0 * static_cast<double>(length) * sizeof(double)},
                    [&] { std::memcpy(window_->local().data(), values_.data(), length * sizeof(double)); });
    signals_.send(1);
    signals_.wait_for_next(1);
  }

  void get(LentMemory memory, std::size_t length) {
    if (memory == LentMemory::attach) {
      get_from(*attached_, addresses_.borrow(0).offset, length);
      return addresses_.give_back(0);
    }
    signals_.wait_for_next(0);
    get_from(*window_, 0, length);
    signals_.send(0);
  }

  void get_from(comm::Window& window, std::size_t offset, std::size_t length) {
    window.get(0, offset, std::as_writable_bytes(std::span(got_).first(length)));
    window.flush(0);
  }

  comm::Rank& rank_;
  std::vector<double> values_, got_;
  std::unique_ptr<comm::Window> window_, attached_;
  comm::onesided::Signals signals_;
  comm::onesided::Addresses addresses_;
};

void time_memories(comm::Rank& engine, std::vector<TransferTime>& found) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  VectorOwner owner(rank, *std::ranges::max_element(vector_lengths));
  const bool is_virtual = engine.capabilities().virtual_time;
  for (const std::size_t length : vector_lengths) {
    const int in_a_row =
        is_virtual ? 1 : static_cast<int>(std::clamp<std::size_t>(20000 / length, 1, most_in_a_row));
    const auto time = [&](auto&& once) {
      const auto repeat = [&] {
        for (int i = 0; i < in_a_row; ++i) once();
      };
      return elapsed(engine, repeat) / in_a_row;
    };
    const auto add = [&](const char* transfer, LentMemory memory, auto&& run) {
      found.push_back(measured(engine, counts,
                               {transfer, std::string(to_string(memory)), length * sizeof(double)}, time,
                               [&] { run(memory, length); }));
    };
    for (const LentMemory memory : {LentMemory::user, LentMemory::copy, LentMemory::attach})
      add("memory", memory, std::bind_front(&VectorOwner::exchange, &owner));
    for (const LentMemory memory : {LentMemory::user, LentMemory::attach})
      add("get", memory, std::bind_front(&VectorOwner::get_unsignalled, &owner));
  }
  comm::collective::barrier(engine);
}

}  // namespace

std::vector<TransferTime> measure_transfer_times(comm::Rank& rank) {
  std::vector<TransferTime> found;
  if (rank.size() < 2) return found;
  time_broadcasts(rank, found);
  time_transposes(rank, found);
  time_memories(rank, found);
  return found;
}

}  // namespace overlapack::probe
