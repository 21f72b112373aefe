// overlapack's LU by messages in its schedules, and QR: on threads or on MPI.
#include "comm/collective/collective.hpp"
#include "comm/team.hpp"
#include "comm/wrap/traced.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"
#include "dense/qr/qr.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "driver.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <algorithm>

namespace bench::dense {
namespace {

using namespace overlapack;

overlapack::dense::LuPlan plan_of(const Request& request) {
  overlapack::dense::LuPlan plan;
  const auto schedule = choice_named<Schedule>(request.schedule);
  if (!schedule) throw Refusal("there is no schedule " + request.schedule);
  plan.schedule = *schedule;
  plan.depth = request.depth;
  return plan;
}

/// One rank with helper threads for the hybrid schedule; else all are ranks.
comm::TeamOptions team_of(const Request& request) {
  const bool is_hybrid = request.schedule == "hybrid";
  comm::TeamOptions options{.engine = request.engine, .ranks = request.engine == "mpi" ? 0 : request.ranks};
  if (is_hybrid) {
    if (request.engine == "mpi" || request.ranks == 1)
      throw Refusal("hybrid needs helper threads beside a rank");
    options.ranks = 1;
    options.workers = request.ranks - 1;
  }
  return options;
}

class Overlapack : public Solver {
 public:
  explicit Overlapack(const Request& request)
      : request_(request),
        plan_(plan_of(request)),
        team_(comm::open(team_of(request))),
        shape_(squarest(team_->size())),
        grid_(shape_.rows, shape_.cols, dist::GridOrder::row_major, team_->size()) {
    parts_.resize(static_cast<std::size_t>(team_->local_count()));
  }

  bool is_root() const override { return team_->first_local() == 0; }
  double sum_over_ranks(double value) override {
    double sum = 0;
    team_->run([&](comm::Rank& rank) {
      const double mine = rank.rank() == team_->first_local() ? value : 0;  // a process counts once
      const double all = comm::collective::all_reduce(rank, mine, std::plus<>());
      if (rank.rank() == team_->first_local()) sum = all;
    });
    return sum;
  }

  void fill(bool with_b) override {
    const std::int64_t columns = request_.n + with_b;
    const dist::BlockCyclic rows{.size = request_.n, .block = request_.block, .processes = shape_.rows};
    const dist::BlockCyclic cols{.size = columns, .block = request_.block, .processes = shape_.cols};
    team_->run([&](comm::Rank& rank) {
      auto& part = part_of(rank);
      if (part.view().n() != columns) part = dist::OwnedMatrix<double>(grid_, rank.rank(), rows, cols);
      const auto& A = part.view();
      for (Index j = 0; j < A.local.cols; ++j)
        for (Index i = 0; i < A.local.rows; ++i)
          A.local(i, j) = entry(rows.global({i}, A.me.row).value, cols.global({j}, A.me.col).value);
    });
  }

  double factor() override {
    if (request_.is_qr) return timed([&](comm::Rank& rank) { reflect(rank); });
    return timed([&](comm::Rank& rank) { factorize(rank, plan_); });
  }

  /// As HPL does it: the interchanges left of a panel are left out, b goes along with A.
  double solve() override {
    if (request_.is_qr) return timed([&](comm::Rank& rank) { solve_by_qr(rank); });
    auto plan = plan_;
    plan.exchange_left = false;
    return timed([&](comm::Rank& rank) {
      factorize(rank, plan);
      std::vector<double> x = overlapack::dense::back_substitute(rank, part_of(rank).view(), plan);
      if (rank.rank() == 0) x_ = std::move(x);
    });
  }

  std::vector<double> x() override { return x_; }
  void release() override {
    for (auto& part : parts_) part = {};
  }

  /// The shares of waiting come from a factorisation of its own.
  nlohmann::json report() override {
    fill(false);
    double waited = 0, overlapped = 0;
    team_->run([&](comm::Rank& rank) {
      trace::Recorder recorder(rank.rank(), trace::Recorder::Keep::totals);
      overlapack::dense::FactorResult result;
      comm::collective::barrier(rank);
      const double begin = rank.now();
      {
        comm::TracedRank traced(rank, recorder);
        result = request_.is_qr ? reflect(traced) : factorize(traced, plan_);
      }
      const double elapsed = rank.now() - begin;
      const double share = recorder.totals()[trace::What::wait] / elapsed / rank.size();
      const double all = comm::collective::all_reduce(rank, share, std::plus<>());
      const double messages =
          comm::collective::all_reduce(rank, static_cast<double>(result.overlapped_messages), std::plus<>());
      if (rank.rank() == 0) waited = all, overlapped = messages;
    });
    return {{"version", OVERLAPACK_VERSION},
            {"blas", blas_info().text()},
            {"parameters", "engine=" + request_.engine + " schedule=" + request_.schedule +
                               " grid=" + std::to_string(shape_.rows) + "x" + std::to_string(shape_.cols) +
                               " block=" + std::to_string(request_.block) +
                               " depth=" + std::to_string(request_.depth)},
            {"wait_share", waited},
            {"overlapped_messages", overlapped}};
  }

 private:
  dist::OwnedMatrix<double>& part_of(const comm::Rank& rank) {
    return parts_[static_cast<std::size_t>(rank.rank() - team_->first_local())];
  }

  overlapack::dense::FactorResult factorize(comm::Rank& rank, const overlapack::dense::LuPlan& plan) {
    const auto& A = part_of(rank).view();
    std::vector<Index> pivots(static_cast<std::size_t>(request_.n));
    const auto result = overlapack::dense::lu_factor<double>(rank, A, pivots, plan);
    if (result.info != 0) throw Error(Status::singular, "info " + std::to_string(result.info));
    return result;
  }

  overlapack::dense::QrPlan qr_plan() const {
    return {.messages = plan_.messages, .depth = plan_.schedule == Schedule::flat ? 0 : plan_.depth};
  }

  /// Of the square; S is dropped unless it is asked for.
  overlapack::dense::FactorResult reflect(comm::Rank& rank, std::vector<double>* kept = nullptr) {
    const auto A = square_of(rank);
    std::vector<double> s(static_cast<std::size_t>(request_.block * request_.n));
    const auto result = overlapack::dense::qr_factor<double>(
        rank, {A, {s.data(), request_.block, request_.n, request_.block}}, qr_plan());
    if (kept != nullptr) *kept = std::move(s);
    return result;
  }

  void solve_by_qr(comm::Rank& rank) {
    std::vector<double> s;
    reflect(rank, &s);
    const auto A = square_of(rank), b = last_column_of(rank);
    const overlapack::dense::QrFactors<double> factors{
        A, {s.data(), request_.block, request_.n, request_.block}};
    overlapack::dense::qr_least_squares(rank, factors, b, qr_plan());
    std::vector<double> x(static_cast<std::size_t>(request_.n), 0);
    for (Index j = 0; j < b.local.cols; ++j)
      for (Index i = 0; i < b.local.rows; ++i)
        x[static_cast<std::size_t>(b.rows.global({i}, b.me.row).value)] = b.local(i, j);
    comm::collective::all_reduce(rank, std::span<double>(x), std::plus<>());
    if (rank.rank() == 0) x_ = std::move(x);
  }

  /// A and b of [A | b].
  dist::DistributedMatrix<double> square_of(const comm::Rank& rank) {
    auto A = part_of(rank).view();
    A.local.cols = A.first_col({request_.n});
    A.cols.size = request_.n;
    return A;
  }
  dist::DistributedMatrix<double> last_column_of(const comm::Rank& rank) {
    auto b = part_of(rank).view();
    const Index before = b.first_col({request_.n});
    b.local = b.local.block(0, before, b.local.rows, b.local.cols - before);
    b.cols = {.size = 1, .block = 1, .processes = shape_.cols, .source = b.cols.owner({request_.n})};
    return b;
  }

  template <class Work>
  double timed(Work work) {
    double time_s = 0;
    team_->run([&](comm::Rank& rank) {
      comm::collective::barrier(rank);
      const double begin = rank.now();
      work(rank);
      comm::collective::barrier(rank);
      if (rank.rank() == 0) time_s = rank.now() - begin;
    });
    return time_s;
  }

  Request request_;
  overlapack::dense::LuPlan plan_;
  std::unique_ptr<comm::Team> team_;
  Grid shape_;
  dist::ProcessGrid grid_;
  std::vector<dist::OwnedMatrix<double>> parts_;
  std::vector<double> x_;
};

}  // namespace
}  // namespace bench::dense

int main(int argc, char** argv) {
  return bench::dense::run_driver(argc, argv, "overlapack", [](const bench::dense::Request& request) {
    return std::make_unique<bench::dense::Overlapack>(request);
  });
}
