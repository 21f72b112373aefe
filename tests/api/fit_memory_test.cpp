#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"
#include "comm/tasks.hpp"
#include "comm/team.hpp"
#include "comm/wrap/forwarding.hpp"
#include "overlapack/error.hpp"
#include "overlapack/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace overlapack::api {
namespace {

/// Two ranks a computer.
class PairedRank final : public comm::ForwardingRank {
 public:
  using ForwardingRank::ForwardingRank;
  int node() const override { return rank() / 2; }
};

TEST(FullestShare, IsThatOfTheComputerWithMostRanks) {
  for (const int ranks : {1, 2, 3, 5}) {
    std::atomic<int> right = 0;
    comm::open({.ranks = ranks})->run([&](comm::Rank& rank) {
      PairedRank paired(rank);
      if (max_node_share(paired) == std::min(ranks, 2) / static_cast<double>(ranks)) ++right;
    });
    EXPECT_EQ(right, ranks);
  }
}

TEST(FitMemory, OneComputerHoldsItsShareOfThePrediction) {
  const SparseMatrix<double> A = sparse::generate("cube", 8);
  comm::Tasks tasks(1);
  Options options;
  Report report;
  Prepared made = prepare(A, options, report, nullptr, tasks);
  const double whole = made.prediction.bytes;
  options.run.memory_limit_bytes = static_cast<std::int64_t>(std::ceil(whole / 2));
  try {
    choose_factor_storage_within_memory(options, made, report, 0.75);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
  }
  choose_factor_storage_within_memory(options, made, report, 0.5);
  EXPECT_EQ(report.predicted_bytes, whole);
  EXPECT_EQ(report.factors, "memory");
}

TEST(FitMemory, FactorsOfManyComputersStayInMemoryWhereTheirSharesFit) {
  const SparseMatrix<double> A = sparse::generate("cube", 12);
  comm::Tasks tasks(1);
  Options options{.disk = {.scratch = "/tmp"}};
  options.disk.buffer_bytes = 0x1p12;
  Report report;
  Prepared made = prepare(A, options, report, nullptr, tasks);
  options.run.memory_limit_bytes =
      static_cast<std::int64_t>((made.prediction.bytes + made.prediction.disk_memory_bytes) / 2);
  choose_factor_storage_within_memory(options, made, report, 0.5);
  EXPECT_EQ(report.factors, "memory");
  choose_factor_storage_within_memory(options, made, report, 1);
  EXPECT_EQ(report.factors, "disk");
}

}  // namespace
}  // namespace overlapack::api
