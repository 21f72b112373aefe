// CHOLMOD (its supernodal part is GPL): positive definite matrices; threads only inside BLAS.
// Variant: default (AMD, and METIS where AMD's fill is large; the better one).
#include "driver.hpp"

#include <cholmod.h>

namespace bench {

namespace {

class Cholmod : public Solver {
 public:
  Cholmod(const Matrix& a, const Request&) : a_(a), lower_(compressed<SuiteSparse_long>(a, true, 0)) {
    cholmod_l_start(&common_);
    common_.print = 0;
    sparse_.nrow = sparse_.ncol = static_cast<std::size_t>(a.n);
    sparse_.nzmax = lower_.row.size();
    sparse_.p = lower_.start.data();
    sparse_.i = lower_.row.data();
    sparse_.x = lower_.value.data();
    sparse_.stype = -1;
    sparse_.itype = CHOLMOD_LONG;
    sparse_.xtype = CHOLMOD_REAL;
    sparse_.dtype = CHOLMOD_DOUBLE;
    sparse_.sorted = sparse_.packed = 1;
  }
  ~Cholmod() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }

  double analyse() override {
    return seconds([&] {
      factor_ = cholmod_l_analyze(&sparse_, &common_);
      require("analysis");
    });
  }

  double factor() override {
    return seconds([&] {
      cholmod_l_factorize(&sparse_, factor_, &common_);
      require("factorisation");
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
    const int method = common_.selected >= 0 ? common_.method[common_.selected].ordering : -1;
    return {
        {"version", std::to_string(CHOLMOD_MAIN_VERSION) + "." + std::to_string(CHOLMOD_SUB_VERSION) + "." +
                        std::to_string(CHOLMOD_SUBSUB_VERSION)},
        {"parameters", "supernodal=auto used=" + std::string(factor_ && factor_->is_super ? "yes" : "no") +
                           " ordering used=" + std::to_string(method) + " refinement=2 (bench)"},
        {"factor_nnz", common_.lnz},
        {"flops", common_.fl},
        {"reported_bytes", static_cast<double>(common_.memory_usage)}};
  }

 private:
  void apply_inverse(std::vector<double>& x) {
    cholmod_dense right{};
    right.nrow = right.d = right.nzmax = x.size();
    right.ncol = 1;
    right.x = x.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solution = cholmod_l_solve(CHOLMOD_A, factor_, &right, &common_);
    require("solve");
    const double* values = static_cast<const double*>(solution->x);
    x.assign(values, values + x.size());
    cholmod_l_free_dense(&solution, &common_);
  }

  void require(const char* phase) const {
    if (common_.status == CHOLMOD_NOT_POSDEF)
      throw SolverFailure(std::string(phase) + ": not positive definite at column " +
                          std::to_string(factor_->minor));
    if (common_.status != CHOLMOD_OK)
      throw SolverFailure(std::string(phase) + ": CHOLMOD status " + std::to_string(common_.status));
  }

  const Matrix& a_;
  CompressedColumns<SuiteSparse_long> lower_;
  cholmod_common common_{};
  cholmod_sparse sparse_{};
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::run_driver(argc, argv, "cholmod", [](const bench::Matrix& a, const bench::Request& request) {
    return std::make_unique<bench::Cholmod>(a, request);
  });
}
