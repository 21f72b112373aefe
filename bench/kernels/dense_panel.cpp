// The panel of a dense LU on one rank against LAPACK's dgetrf on the same tall matrix, alternately in the same run.
// bench_dense_panel [rows [width]]
#include "base/random.hpp"
#include "comm/team.hpp"
#include "dense/lu/panel/panel.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "kernels/product/blas_threads.hpp"
#include "thread_clock.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

extern "C" void dgetrf_(const int*, const int*, double*, const int*, int*, int*);

namespace {

using namespace overlapack;

class Panel {
 public:
  Panel(Index rows, Index width) : rows_(rows), width_(width), ld_(padded_ld(rows)), original_(ld_ * width) {
    Random random(1);
    for (double& x : original_) x = random.uniform(-1, 1);
  }

  void compare(dist::Moves<double>& moves, const dense::PanelPlan& plan, const char* name) {
    const dist::ProcessGrid grid(1, 1, dist::GridOrder::row_major, 1);
    std::vector<int> pivots(static_cast<std::size_t>(width_));
    const double flops = static_cast<double>(width_ * width_) * (static_cast<double>(rows_) - width_ / 3.0);
    const auto [ours, theirs] = fastest(
        [&] {
          const dist::DistributedMatrix<double> A{&grid,
                                                  {0, 0},
                                                  {rows_, width_, 1, 0},
                                                  {width_, width_, 1, 0},
                                                  {values_.data(), rows_, width_, ld_}};
          dense::factor_panel(moves, A, 0, width_, plan, {});
        },
        [&] {
          const int m = static_cast<int>(rows_), n = static_cast<int>(width_), ld = static_cast<int>(ld_);
          int info;
          dgetrf_(&m, &n, values_.data(), &ld, pivots.data(), &info);
        });
    std::printf("%6ld x %-4ld %-22s ours %6.2f  dgetrf %6.2f GF/s  ratio %5.2f   (%.0f us)\n", long(rows_),
                long(width_), name, flops / ours / 1e9, flops / theirs / 1e9, theirs / ours, ours * 1e6);
  }

 private:
  /// Least seconds of each on fresh values.
  std::pair<double, double> fastest(const std::function<void()>& ours, const std::function<void()>& theirs) {
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < 30; ++round)
      for (const int who : {0, 1}) {
        values_ = original_;
        const double start = thread_seconds();
        (who == 0 ? ours : theirs)();
        best[who] = std::min(best[who], thread_seconds() - start);
      }
    return {best[0], best[1]};
  }

  Index rows_, width_, ld_;
  std::vector<double> original_, values_;
};

}  // namespace

int main(int argc, char** argv) {
  using enum dense::PanelOrder;
  const kernels::SingleThreadedBlas guard;
  const auto argument = [&](int i, Index otherwise) {
    return argc > i ? Index{std::atol(argv[i])} : otherwise;
  };
  Panel panel(argument(1, 4000), argument(2, 128));
  comm::run({}, [&](comm::Rank& rank) {
    comm::Exchange exchange(rank, comm::Lane::bulk);
    dist::MessageMoves<double> moves(exchange, {});
    constexpr const char* names[] = {"left", "crout", "right"};
    for (const Index smallest : {8, 16})
      for (const dense::PanelOrder recursion : {left, crout, right})
        for (const dense::PanelOrder base : {left, crout, right}) {
          char name[64];
          std::snprintf(name, sizeof name, "%s, %s below %ld", names[static_cast<int>(recursion)],
                        names[static_cast<int>(base)], long(smallest));
          panel.compare(moves, {.recursion = recursion, .base = base, .smallest = smallest}, name);
        }
    exchange.close();
  });
}
