// UMFPACK (GPL): one rank; threads only inside BLAS. Variants: amd (its default: AMD or COLAMD by strategy), metis.
#include "driver.hpp"

#include <array>
#include <umfpack.h>

namespace bench {

namespace {

class Umfpack : public Solver {
 public:
  Umfpack(const Matrix& a, const Request& request) : a_(compressed<SuiteSparse_long>(a, false, 0)), n_(a.n) {
    umfpack_dl_defaults(control_.data());
    if (request.variant == "metis")
      control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    else if (request.variant != "amd")
      throw std::runtime_error("umfpack has no variant " + request.variant);
  }
  ~Umfpack() override {
    umfpack_dl_free_numeric(&numeric_);
    umfpack_dl_free_symbolic(&symbolic_);
  }

  double analyse() override {
    return seconds([&] {
      require(umfpack_dl_symbolic(n_, n_, a_.start.data(), a_.row.data(), a_.value.data(), &symbolic_,
                                  control_.data(), info_.data()),
              "analysis");
    });
  }

  double factor() override {
    umfpack_dl_free_numeric(&numeric_);
    return seconds([&] {
      require(umfpack_dl_numeric(a_.start.data(), a_.row.data(), a_.value.data(), symbolic_, &numeric_,
                                 control_.data(), info_.data()),
              "factorisation");
    });
  }

  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    return seconds([&] {
      require(umfpack_dl_solve(UMFPACK_A, a_.start.data(), a_.row.data(), a_.value.data(), x.data(), b.data(),
                               numeric_, control_.data(), info_.data()),
              "solve");
    });
  }

  nlohmann::json report() const override {
    return {{"version", std::to_string(UMFPACK_MAIN_VERSION) + "." + std::to_string(UMFPACK_SUB_VERSION) +
                            "." + std::to_string(UMFPACK_SUBSUB_VERSION)},
            {"parameters",
             "strategy=auto ordering=" + std::to_string(static_cast<int>(control_[UMFPACK_ORDERING])) +
                 " used=" + std::to_string(static_cast<int>(info_[UMFPACK_ORDERING_USED])) +
                 " irstep=" + std::to_string(static_cast<int>(control_[UMFPACK_IRSTEP]))},
            {"factor_nnz", info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]},
            {"flops", info_[UMFPACK_FLOPS]},
            {"reported_bytes", info_[UMFPACK_PEAK_MEMORY] * info_[UMFPACK_SIZE_OF_UNIT]}};
  }

 private:
  static void require(SuiteSparse_long status, const char* phase) {
    if (status != UMFPACK_OK)
      throw SolverFailure(std::string(phase) + ": UMFPACK status " + std::to_string(status));
  }

  CompressedColumns<SuiteSparse_long> a_;
  SuiteSparse_long n_;
  std::array<double, UMFPACK_CONTROL> control_{};
  std::array<double, UMFPACK_INFO> info_{};
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::run_driver(argc, argv, "umfpack", [](const bench::Matrix& a, const bench::Request& request) {
    return std::make_unique<bench::Umfpack>(a, request);
  });
}
