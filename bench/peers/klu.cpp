// KLU (LGPL): block triangular form and Gilbert-Peierls LU, one rank. Variant: amd (its default).
#include "driver.hpp"

#include <klu.h>

namespace bench {

namespace {

class Klu : public Solver {
 public:
  Klu(const Matrix& a, const Request&) : a_(a), columns_(compressed<SuiteSparse_long>(a, false, 0)) {
    klu_l_defaults(&common_);
  }
  ~Klu() override {
    klu_l_free_numeric(&numeric_, &common_);
    klu_l_free_symbolic(&symbolic_, &common_);
  }

  double analyse() override {
    return seconds([&] {
      symbolic_ = klu_l_analyze(a_.n, columns_.start.data(), columns_.row.data(), &common_);
      require("analysis");
    });
  }

  double factor() override {
    klu_l_free_numeric(&numeric_, &common_);
    return seconds([&] {
      numeric_ = klu_l_factor(columns_.start.data(), columns_.row.data(), columns_.value.data(), symbolic_,
                              &common_);
      require("factorisation");
    });
  }

  /// The pivots of the last factorisation, which nobody tests.
  double refactor() override {
    return seconds([&] {
      klu_l_refactor(columns_.start.data(), columns_.row.data(), columns_.value.data(), symbolic_, numeric_,
                     &common_);
      require("refactorisation");
    });
  }

  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    return seconds([&] {
      x = b;
      apply_inverse(x);
      refine(a_, b, x, [&](std::vector<double>& r) { apply_inverse(r); });
    });
  }

  nlohmann::json report() const override {
    return {{"version", std::to_string(KLU_MAIN_VERSION) + "." + std::to_string(KLU_SUB_VERSION) + "." +
                            std::to_string(KLU_SUBSUB_VERSION)},
            {"parameters", "btf=1 ordering=AMD tol=" + std::to_string(common_.tol) + " refinement=2 (bench)"},
            {"factor_nnz", numeric_ ? numeric_->lnz + numeric_->unz + numeric_->nzoff : 0},
            {"reported_bytes", static_cast<double>(common_.mempeak)}};
  }

 private:
  void apply_inverse(std::vector<double>& x) {
    klu_l_solve(symbolic_, numeric_, a_.n, 1, x.data(), &common_);
    require("solve");
  }

  void require(const char* phase) const {
    if (common_.status != KLU_OK)
      throw SolverFailure(std::string(phase) + ": KLU status " + std::to_string(common_.status));
  }

  const Matrix& a_;
  CompressedColumns<SuiteSparse_long> columns_;
  klu_l_common common_{};
  klu_l_symbolic* symbolic_ = nullptr;
  klu_l_numeric* numeric_ = nullptr;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::run_driver(argc, argv, "klu", [](const bench::Matrix& a, const bench::Request& request) {
    return std::make_unique<bench::Klu>(a, request);
  });
}
