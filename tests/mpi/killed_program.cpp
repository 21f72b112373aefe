/// killed_program ENGINE FOLDER: a factorisation with its factors in FOLDER, in which rank 1 is killed when it is about to send.
#include "comm/wrap/forwarding.hpp"
#include "sparse/multifrontal/problems.hpp"

#include <csignal>
#include <fstream>

namespace {

using namespace overlapack;

/// It leaves its last word in the folder.
class MortalRank final : public comm::ForwardingRank {
 public:
  MortalRank(comm::Rank& inner, std::string folder) : ForwardingRank(inner), folder_(std::move(folder)) {}
  comm::Send start_send(comm::Lane lane, int to, const comm::Header& header, comm::Body body) override {
    constexpr int sends_of_a_life = 20;
    if (++sends_ == sends_of_a_life && rank() == 1) {
      std::ofstream(folder_ + "/killed") << "rank 1";
      std::raise(SIGKILL);
    }
    return ForwardingRank::start_send(lane, to, header, std::move(body));
  }

 private:
  std::string folder_;
  int sends_ = 0;
};

}  // namespace

int main(int, char** argv) {
  const std::string folder = argv[2];
  sparse::FactorPlan plan = sparse::testing::strips_plan(comm::ReceiveMode::immediate, 2);
  plan.fronts.disk = {
      .is_used = true, .scratch = folder, .segment_bytes = 1, .budget_bytes = 1, .window_bytes = 1};
  const SparseMatrix<double> A = sparse::testing::cube_of<double>(8);
  const sparse::Analysis analysis = sparse::analyse(A, {.kind = FactorKind::ldlt});
  const auto team = comm::open({.engine = argv[1], .ranks = 0});
  team->run([&](comm::Rank& engine) {
    MortalRank rank(engine, folder);
    sparse::multifrontal::Multifrontal<double> factors;
    factors.factorize(rank, &analysis, &A, plan);
  });
}
