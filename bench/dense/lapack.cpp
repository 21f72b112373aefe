// LAPACK's dgetrf and dgesv: one process, threads only inside of BLAS.
#include "driver.hpp"

extern "C" {
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b, const int* ldb,
            int* info);
}

namespace bench::dense {
namespace {

class Lapack : public Solver {
 public:
  explicit Lapack(const Request& request) : n_(static_cast<int>(request.n)), threads_(request.ranks) {}

  void fill(bool with_b) override {
    const int columns = n_ + with_b;
    A_.resize(static_cast<std::size_t>(n_) * columns);
    pivots_.resize(n_);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < n_; ++i) A_[i + static_cast<std::size_t>(j) * n_] = entry(i, j);
  }

  double factor() override {
    int info = 0;
    const double time_s = seconds([&] { dgetrf_(&n_, &n_, A_.data(), &n_, pivots_.data(), &info); });
    require(info);
    return time_s;
  }

  double solve() override {
    const int one = 1;
    int info = 0;
    double* const b = A_.data() + static_cast<std::size_t>(n_) * n_;
    const double time_s = seconds([&] { dgesv_(&n_, &one, A_.data(), &n_, pivots_.data(), b, &n_, &info); });
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
  std::vector<double> A_;
  std::vector<int> pivots_;
};

}  // namespace
}  // namespace bench::dense

int main(int argc, char** argv) {
  return bench::dense::run_driver(argc, argv, "lapack", [](const bench::dense::Request& request) {
    return std::make_unique<bench::dense::Lapack>(request);
  });
}
