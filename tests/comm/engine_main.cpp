#include "engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

// comm_engine [gtest's options] [--engine thread|mpi|smpi] [--ranks P]
// thread: every team size in one process, or only P. mpi, smpi: started by mpirun or smpirun, one size.
// Rank 0 prints all, the others their failures; the exit code is the worst of all ranks.

namespace overlapack::comm::conformance {

Setup& setup() {
  static Setup instance;
  return instance;
}

namespace {

void read_arguments(int argc, char** argv) {
  if (const char* ranks = std::getenv("OVERLAPACK_TEST_RANKS")) setup().sizes = {std::atoi(ranks)};
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--engine") == 0) setup().engine = argv[i + 1];
    if (std::strcmp(argv[i], "--ranks") == 0) setup().sizes = {std::atoi(argv[i + 1])};
  }
  if (!is_thread()) setup().sizes = {0};
}

/// What ranks other than 0 print: their failures only.
class FailurePrinter final : public ::testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}
  void OnTestStart(const ::testing::TestInfo& test) override { test_ = &test; }
  void OnTestPartResult(const ::testing::TestPartResult& result) override {  // under a lock of gtest's
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d, %s.%s, %s:%d: %s\n", rank_, test_ ? test_->test_suite_name() : "",
                 test_ ? test_->name() : "", result.file_name() ? result.file_name() : "",
                 result.line_number(), result.message());
  }

 private:
  const int rank_;
  const ::testing::TestInfo* test_ = nullptr;
};

/// The worst result of all ranks.
int run_under_launcher() {
  const auto team = open({.engine = setup().engine, .ranks = 0});
  if (team->first_local() != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(team->first_local()));
  }
  int result = RUN_ALL_TESTS();
  team->run([&](Rank& rank) {
    std::vector<Recv> receives;
    for (int to = 0; to < rank.size(); ++to) rank.start_send(Lane::user, to, {.kind = result}, {});
    for (int from = 0; from < rank.size(); ++from) {
      Recv receive = rank.post_receive(Lane::user, from);
      Request* const request = &receive;
      rank.wait_any({&request, 1});
      result = std::max(result, static_cast<int>(receive.take().header.kind));
    }
  });
  return result;
}

}  // namespace
}  // namespace overlapack::comm::conformance

int main(int argc, char** argv) {
  using namespace overlapack::comm::conformance;
  ::testing::InitGoogleTest(&argc, argv);
  read_arguments(argc, argv);
  return is_thread() ? RUN_ALL_TESTS() : run_under_launcher();
}
