// ScaLAPACK's pdgetrf and pdgesv, or pdgeqrf and pdgels, from whichever library is loaded first: its own, or overlapack's drop-in.
#include "driver.hpp"
#include "mpi_ranks.hpp"

#include <dlfcn.h>

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_gridexit(int context);
void Cdgsum2d(int context, const char* scope, const char* topology, int m, int n, double* A, int lda, int row,
              int col);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca,
              int* ipiv, int* info);
void pdgesv_(const int* n, const int* nrhs, double* a, const int* ia, const int* ja, const int* desca,
             int* ipiv, double* b, const int* ib, const int* jb, const int* descb, int* info);
void pdgeqrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca,
              double* tau, double* work, const int* lwork, int* info);
void pdgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* ia,
             const int* ja, const int* desca, double* b, const int* ib, const int* jb, const int* descb,
             double* work, const int* lwork, int* info);
}

namespace bench::dense {
namespace {

class Scalapack : public OnMpi<Solver> {
 public:
  explicit Scalapack(const Request& request)
      : n_(static_cast<int>(request.n)),
        block_(request.block),
        is_qr_(request.is_qr),
        grid_(squarest(ranks())) {
    Cblacs_get(-1, 0, &context_);
    Cblacs_gridinit(&context_, "Row", grid_.rows, grid_.cols);
    Cblacs_gridinfo(context_, &grid_.rows, &grid_.cols, &row_, &col_);
    rows_ = static_cast<int>(local_size(n_, block_, row_, grid_.rows));
    cols_ = static_cast<int>(local_size(n_, block_, col_, grid_.cols));
  }
  ~Scalapack() override { Cblacs_gridexit(context_); }

  void fill(bool with_b) override {
    A_.resize(static_cast<std::size_t>(rows_) * cols_);
    pivots_.resize(rows_ + block_);
    tau_.resize(cols_);
    b_.assign(with_b && col_ == 0 ? rows_ : 0, 0);
    for (int j = 0; j < cols_; ++j)
      for (int i = 0; i < rows_; ++i)
        A_[i + static_cast<std::size_t>(j) * rows_] =
            entry(global_of(i, block_, row_, grid_.rows), global_of(j, block_, col_, grid_.cols));
    for (std::size_t i = 0; i < b_.size(); ++i)
      b_[i] = entry(global_of(static_cast<std::int64_t>(i), block_, row_, grid_.rows), n_);
  }

  double factor() override {
    int info = 0;
    const auto desc = describe(n_);
    const auto qr = [&](double* work, int words) {
      pdgeqrf_(&n_, &n_, A_.data(), &one, &one, desc.data(), tau_.data(), work, &words, &info);
    };
    if (is_qr_) reserve_work(qr);
    const double time_s = timed([&] {
      if (is_qr_)
        qr(work_.data(), static_cast<int>(work_.size()));
      else
        pdgetrf_(&n_, &n_, A_.data(), &one, &one, desc.data(), pivots_.data(), &info);
    });
    require(info);
    return time_s;
  }

  double solve() override {
    int info = 0;
    const auto desca = describe(n_), descb = describe(1);
    const auto least_squares = [&](double* work, int words) {
      pdgels_("N", &n_, &n_, &one, A_.data(), &one, &one, desca.data(), b_.data(), &one, &one, descb.data(),
              work, &words, &info);
    };
    if (is_qr_) reserve_work(least_squares);
    const double time_s = timed([&] {
      if (is_qr_)
        least_squares(work_.data(), static_cast<int>(work_.size()));
      else
        pdgesv_(&n_, &one, A_.data(), &one, &one, desca.data(), pivots_.data(), b_.data(), &one, &one,
                descb.data(), &info);
    });
    require(info);
    return time_s;
  }

  std::vector<double> x() override {
    std::vector<double> x(n_, 0);
    for (std::size_t i = 0; i < b_.size(); ++i)
      x[global_of(static_cast<std::int64_t>(i), block_, row_, grid_.rows)] = b_[i];
    Cdgsum2d(context_, "All", " ", n_, 1, x.data(), n_, -1, -1);
    return x;
  }

  void release() override { std::vector<double>().swap(A_); }

  nlohmann::json report() override {
    nlohmann::json out = {{"parameters", "grid=" + std::to_string(grid_.rows) + "x" +
                                             std::to_string(grid_.cols) +
                                             " block=" + std::to_string(block_)}};
    const auto calls =
        reinterpret_cast<std::int64_t (*)()>(dlsym(RTLD_DEFAULT, "overlapack_scalapack_calls"));
    if (calls) out["drop_in_calls"] = calls();
    return out;
  }

 private:
  static constexpr int one = 1;

  std::vector<int> describe(int columns) const {
    return {1, context_, n_, columns, block_, block_, 0, 0, std::max(rows_, 1)};
  }
  /// As much as the routine asks for, outside of its time.
  template <class Routine>
  void reserve_work(Routine routine) {
    double words = 0;
    routine(&words, -1);
    work_.resize(static_cast<std::size_t>(words));
  }
  template <class Work>
  double timed(Work work) {
    return seconds([&] {
      work();
      synchronise();
    });
  }
  static void require(int info) {
    if (info != 0) throw Refusal("info " + std::to_string(info));
  }

  int n_, block_, context_ = -1, row_ = 0, col_ = 0, rows_ = 0, cols_ = 0;
  bool is_qr_;
  Grid grid_;
  std::vector<double> A_, b_, tau_, work_;
  std::vector<int> pivots_;
};

}  // namespace
}  // namespace bench::dense

int main(int argc, char** argv) {
  return bench::with_mpi(argc, argv, [&] {
    return bench::dense::run_driver(argc, argv, "scalapack", [](const bench::dense::Request& request) {
      return std::make_unique<bench::dense::Scalapack>(request);
    });
  });
}
