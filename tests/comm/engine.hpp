#pragma once
#include "comm/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

/// The conformance tests of the contract: compiled once, run on every engine (design: docs/contract.md).
/// Inside a run only EXPECT_ is used: an ASSERT_ that leaves one rank early would make the others wait for it.
namespace overlapack::comm::conformance {

/// What the command line asked for; set by engine_main before any test runs.
struct Setup {
  std::string engine = "thread";
  std::vector<int> sizes{1, 2, 3, 4, 7};  ///< mpi and smpi: {0}, the launcher's number
};
Setup& setup();
inline bool is_thread() { return setup().engine == "thread"; }
/// So many workers where the engine has any.
inline int workers(int count) { return setup().engine == "smpi" ? 0 : count; }

/// A fresh team of each size, one after the other.
inline void each_team(TeamOptions options, const std::function<void(Team&)>& test) {
  for (const int size : setup().sizes) {
    options.engine = setup().engine;
    options.ranks = size;
    SCOPED_TRACE("engine " + options.engine + ", asked for " + std::to_string(size) + " ranks");
    test(*open(options));
  }
}

/// Run fn on a fresh team of each size.
inline void on_each_team(const TeamOptions& options, const std::function<void(Rank&)>& fn) {
  each_team(options, [&](Team& team) { team.run(fn); });
}
inline void on_each_team(const std::function<void(Rank&)>& fn) { on_each_team(TeamOptions{}, fn); }

/// The error with which a run ends.
inline Error error_of(Team& team, const std::function<void(Rank&)>& fn) {
  try {
    team.run(fn);
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::not_converged, "nothing was thrown");
}

/// Bytes that tell who sent them, to whom and as which: wrong delivery cannot go unseen.
inline std::vector<std::int64_t> pattern(int from, int to, std::int64_t number, std::size_t length) {
  std::vector<std::int64_t> values(length);
  const std::int64_t first = ((std::int64_t{from} * 1009 + to) * 1000003 + number) * 31;
  for (std::size_t i = 0; i < length; ++i) values[i] = first + static_cast<std::int64_t>(i);
  return values;
}
inline bool holds_pattern(const Message& message, int to, std::int64_t number, std::size_t length) {
  const auto expected = pattern(message.source, to, number, length);
  const auto got = message.body.as<std::int64_t>();
  return std::vector<std::int64_t>(got.begin(), got.end()) == expected;
}

/// Let so many seconds pass, real or simulated, with calls that move bytes.
inline void pause(Rank& rank, double seconds) {
  const bool is_real = !rank.capabilities().virtual_time;
  for (const double end = rank.now() + seconds; rank.now() < end; rank.poll())
    rank.compute({.kind = "pause", .flops = 1e4}, [is_real] {
      if (is_real) std::this_thread::sleep_for(std::chrono::microseconds(20));
    });
}

inline int right_of(const Rank& rank) { return (rank.rank() + 1) % rank.size(); }
inline int left_of(const Rank& rank) { return (rank.rank() - 1 + rank.size()) % rank.size(); }

}  // namespace overlapack::comm::conformance
