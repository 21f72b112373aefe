// LAPACK's dgetrf and dgesv, or dgeqrf and dgels: one process, threads only inside of BLAS.
#include "driver.hpp"

extern "C" {
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b, const int* ldb,
            int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* lda,
            double* b, const int* ldb, double* work, const int* lwork, int* info);
}

namespace bench::dense {
namespace {

class Lapack : public Solver {
 public:
  explicit Lapack(const Request& request)
      : n_(static_cast<int>(request.n)), threads_(request.ranks), is_qr_(request.is_qr) {}

  void fill(bool with_b) override {
    const int columns = n_ + with_b;
    A_.resize(static_cast<std::size_t>(n_) * columns);
    pivots_.resize(n_);
    tau_.resize(n_);
    work_.resize(static_cast<std::size_t>(n_) * 64);  // LAPACK's largest block
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < n_; ++i) A_[i + static_cast<std::size_t>(j) * n_] = entry(i, j);
  }

  double factor() override {
    int info = 0;
    const int words = static_cast<int>(work_.size());
    const double time_s = seconds([&] {
      if (is_qr_)
        dgeqrf_(&n_, &n_, A_.data(), &n_, tau_.data(), work_.data(), &words, &info);
      else
        dgetrf_(&n_, &n_, A_.data(), &n_, pivots_.data(), &info);
    });
    require(info);
    return time_s;
  }

  double solve() override {
    const int one = 1;
    int info = 0;
    double* const b = A_.data() + static_cast<std::size_t>(n_) * n_;
    const int words = static_cast<int>(work_.size());
    const double time_s = seconds([&] {
      if (is_qr_)
        dgels_("N", &n_, &n_, &one, A_.data(), &n_, b, &n_, work_.data(), &words, &info);
      else
        dgesv_(&n_, &one, A_.data(), &n_, pivots_.data(), b, &n_, &info);
    });
    require(info);
    return time_s;
  }

  std::vector<double> x() override { return {A_.end() - n_, A_.end()}; }
  void release() override { std::vector<double>().swap(A_); }
  nlohmann::json report() override { return {{"parameters", "threads=" + std::to_string(threads_)}}; }

 private:
  static void require(int info) {
    if (info != 0) throw Refusal("info " + std::to_string(info));
  }

  int n_, threads_;
  bool is_qr_;
  std::vector<double> A_, tau_, work_;
  std::vector<int> pivots_;
};

}  // namespace
}  // namespace bench::dense

int main(int argc, char** argv) {
  return bench::dense::run_driver(argc, argv, "lapack", [](const bench::dense::Request& request) {
    return std::make_unique<bench::dense::Lapack>(request);
  });
}
