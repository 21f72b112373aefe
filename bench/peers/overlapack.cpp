// overlapack through its public interface: thread engine, its own choice of ordering and matching. Variants: default, its own
// choice of the method too; multifrontal; supernodal; default_blr1e-8, multifrontal with blocks of low rank.
// BLAS alone is called as the library calls it.
#include "driver.hpp"
#include "kernels/product/gemm.hpp"

#include <overlapack/environment.hpp>
#include <overlapack/overlapack.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <thread>

namespace bench {

namespace {

/// An Error of the library is a failure of this solver, a row of the comparison.
template <class Work>
auto guarded(Work&& work) {
  try {
    return work();
  } catch (const overlapack::Error& error) {
    throw SolverFailure(std::string(overlapack::to_string(error.status())) + ": " + error.what());
  }
}

/// What BLAS's product of order 1024 reaches on so many threads at once, each with its own: the best of five.
double dgemm_flops(int threads) {
  constexpr int n = 1024, times = 5;
  double best_s = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> work(static_cast<std::size_t>(threads),
                                        std::vector<double>(3 * n * n, 1.0));
  const auto product = [&](std::vector<double>& w) {
    using namespace overlapack::kernels;
    gemm_by_blas<double>(Op::none, Op::trans, -1e-9, {w.data(), n, n, n}, {w.data() + n * n, n, n, n}, 1.0,
                         {w.data() + 2 * n * n, n, n, n});
  };
  for (int i = 0; i < times; ++i)
    best_s = std::min(best_s, seconds([&] {
                        std::vector<std::jthread> others;
                        for (std::size_t t = 1; t < work.size(); ++t)
                          others.emplace_back([&, t] { product(work[t]); });
                        product(work[0]);
                      }));
  return 2.0 * n * n * n * threads / best_s;
}

class Overlapack : public Solver {
 public:
  Overlapack(const Matrix& a, const Request& request) : a_(a) {
    options_.run.engine = overlapack::Engine::thread;
    options_.ranks = request.ranks;
    if (request.variant == "multifrontal") options_.method = overlapack::Method::multifrontal;
    if (request.variant == "supernodal") options_.method = overlapack::Method::supernodal;
    if (request.compression > 0) options_.compression.kind = overlapack::Compression::blr;
    options_.compression.tolerance = request.compression;
    using enum overlapack::FactorKind;
    options_.factorization = !a.is_symmetric ? lu : request.is_spd ? cholesky : ldlt;
    options_.refinement.steps = 2;  // as the peers
    input_ = copy();
  }

  /// One call analyses and factorises: what it does beyond the factorisation counts as analysis.
  double analyse() override {
    factorize();
    return total_s_ - factors_->report().factor_s;
  }

  /// The first factorisation has been made by analyse.
  double factor() override {
    if (!is_first_) {
      factors_.reset();
      input_ = copy();
      factorize();
    }
    is_first_ = false;
    return factors_->report().factor_s;
  }

  /// All of the call, with its checks that pattern and symmetry are what they were.
  double refactor() override {
    input_ = copy();
    return seconds([&] { guarded([&] { factors_->refactorize(std::move(input_)); }); });
  }

  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    return solve_many(b, x, 1, true);
  }
  double solve_many(const std::vector<double>& b, std::vector<double>& x, int count, bool refines) override {
    return seconds([&] {
      guarded([&] {
        if (refines) return void(x = factors_->solve(b, count).x);
        x = b;
        factors_->substitute(x, count);
      });
    });
  }

  nlohmann::json report() const override {
    nlohmann::json out = {{"version", OVERLAPACK_VERSION}, {"blas", overlapack::blas_info().text()}};
    std::string parameters =
        "engine=thread factorization=" + std::string(to_string(*options_.factorization)) +
        " ranks=" + std::to_string(options_.ranks) + " u=" + std::to_string(options_.sparse.pivot_threshold) +
        " refinement=" + std::to_string(options_.refinement.steps);
    if (options_.compression.tolerance > 0)
      parameters += " compression_tolerance=" + std::to_string(options_.compression.tolerance);
    if (factors_) {
      const overlapack::Report& report = factors_->report();
      parameters += " ordering=" + report.ordering + " matching=" + report.matching;
      out.update({{"factor_nnz", report.factor_nnz},
                  {"flops", report.flops},
                  {"delayed", report.pivots.delayed},
                  {"perturbed", report.pivots.perturbed},
                  {"reported_bytes", report.peak_bytes}});
      if (report.flops > 1e10) out["dgemm_flops"] = dgemm_flops(options_.ranks);
    }
    out["parameters"] = parameters;
    return out;
  }

 private:
  overlapack::SparseMatrix<double> copy() const {
    overlapack::SparseMatrix<double> a;
    a.rows = a.cols = a_.n;
    a.start = a_.start;
    a.row = a_.row;
    a.value = a_.value;
    if (a_.is_symmetric) a.symmetry = overlapack::Symmetry::symmetric;
    return a;
  }

  void factorize() {
    total_s_ = seconds(
        [&] { guarded([&] { factors_.emplace(overlapack::factorize(std::move(input_), options_)); }); });
  }

  const Matrix& a_;
  overlapack::Options options_;
  overlapack::SparseMatrix<double> input_;
  std::optional<overlapack::Factorization<double>> factors_;
  double total_s_ = 0;
  bool is_first_ = true;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::run_driver(argc, argv, "overlapack",
                           [](const bench::Matrix& a, const bench::Request& request) {
                             return std::make_unique<bench::Overlapack>(a, request);
                           });
}
