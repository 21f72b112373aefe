// PARDISO of Intel's MKL (proprietary), loaded at run time from libmkl_rt. Variants: metis (no matching, no scaling),
// matched_metis (scaling and maximum weighted matching, iparm(11) = iparm(13) = 1); parallel_ before either: dissection by
// threads, iparm(2) = 3. Threads by MKL_NUM_THREADS.
#include "blas.hpp"
#include "driver.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <string_view>

namespace bench {

namespace {

using PardisoCall = void (*)(void** handle, const int* max_factors, const int* factor, const int* kind,
                             const int* phase, const int* n, const double* a, const int* ia, const int* ja,
                             int* permutation, const int* right_hand_sides, int* iparm,
                             const int* message_level, double* b, double* x, int* error);

constexpr int spd = 2;
constexpr int symmetric_indefinite = -2;
constexpr int unsymmetric = 11;

/// By rows from 1; of a symmetric matrix the upper triangle, with every diagonal entry present.
CompressedColumns<int> pardiso_rows(const Matrix& a) {
  if (!a.is_symmetric) return compressed<int>(transpose(a), false, 1);
  const auto lower = compressed<int>(a, true, 1);
  CompressedColumns<int> out;
  for (int j = 0; j < a.n; ++j) {
    const int begin = lower.start[j] - 1;
    const int end = lower.start[j + 1] - 1;
    out.start.push_back(static_cast<int>(out.row.size()) + 1);
    if (begin == end || lower.row[begin] != j + 1) {
      out.row.push_back(j + 1);
      out.value.push_back(0);
    }
    out.row.insert(out.row.end(), lower.row.begin() + begin, lower.row.begin() + end);
    out.value.insert(out.value.end(), lower.value.begin() + begin, lower.value.begin() + end);
  }
  out.start.push_back(static_cast<int>(out.row.size()) + 1);
  return out;
}

class Pardiso : public Solver {
 public:
  Pardiso(const Matrix& a, const Request& request)
      : rows_(pardiso_rows(a)),
        n_(static_cast<int>(a.n)),
        kind_(!a.is_symmetric  ? unsymmetric
              : request.is_spd ? spd
                               : symmetric_indefinite),
        threads_(request.ranks) {
    load(request.library);
    constexpr std::string_view by_threads = "parallel_";
    const bool is_parallel = request.variant.starts_with(by_threads);
    const std::string variant = request.variant.substr(is_parallel ? by_threads.size() : 0);
    const bool is_matched = variant == "matched_metis";
    if (!is_matched && variant != "metis")
      throw std::runtime_error("pardiso has no variant " + request.variant);
    iparm(1) = 1;                                       // not the defaults: what follows
    iparm(2) = is_parallel ? 3 : 2;                     // METIS, or dissection by threads
    iparm(10) = kind_ == unsymmetric ? 13 : 8;          // perturb pivots below 10^-iparm(10)
    iparm(11) = iparm(13) = is_matched ? 1 : 0;         // scaling, matching
    iparm(18) = iparm(19) = -1;                         // report nonzeros and Mflop
    iparm(21) = kind_ == symmetric_indefinite ? 1 : 0;  // 1x1 and 2x2 pivots
  }
  ~Pardiso() override { call(-1, nullptr, nullptr); }

  double analyse() override {
    return seconds([&] { require(call(11, nullptr, nullptr), "analysis"); });
  }
  double factor() override {
    return seconds([&] { require(call(22, nullptr, nullptr), "factorisation"); });
  }
  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    return solve_many(b, x, 1, true);
  }
  double solve_many(const std::vector<double>& b, std::vector<double>& x, int count, bool refines) override {
    std::vector<double> right = b;
    iparm(8) = refines ? 2 : 0;  // at most so many steps; after perturbed pivots 0 is two, too
    return seconds([&] { require(call(33, right.data(), x.data(), count), "solve"); });
  }

  nlohmann::json report() const override {
    std::string parameters = "mtype=" + std::to_string(kind_) + " threads=" + std::to_string(threads_);
    for (int i : {2, 8, 10, 11, 13, 21, 24, 25})
      parameters += " iparm(" + std::to_string(i) + ")=" + std::to_string(iparm_[i - 1]);
    return {{"version", version_},
            {"blas", blas_in(mkl_)},
            {"parameters", parameters},
            {"factor_nnz", iparm_[17]},
            {"flops", 1e6 * iparm_[18]},
            {"perturbed", iparm_[13]},
            {"reported_bytes", 1024.0 * std::max(iparm_[14], iparm_[15] + iparm_[16])}};
  }

 private:
  int& iparm(int i) { return iparm_[i - 1]; }

  void load(const std::string& path) {
    dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);  // MKL's GNU threading layer takes its symbols from here
    mkl_ = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!mkl_) throw std::runtime_error(std::string("cannot load MKL: ") + dlerror());
    pardiso_ = reinterpret_cast<PardisoCall>(dlsym(mkl_, "pardiso"));
    const auto describe = reinterpret_cast<void (*)(char*, int)>(dlsym(mkl_, "mkl_get_version_string"));
    if (!pardiso_ || !describe) throw std::runtime_error(path + " has no pardiso");
    std::array<char, 200> text{};
    describe(text.data(), static_cast<int>(text.size()) - 1);
    version_ = text.data();
    version_.erase(version_.find_last_not_of(' ') + 1);
  }

  int call(int phase, double* b, double* x, int rhs = 1) {
    const int one = 1;
    const int quiet = 0;
    int error = 0;
    pardiso_(handle_.data(), &one, &one, &kind_, &phase, &n_, rows_.value.data(), rows_.start.data(),
             rows_.row.data(), nullptr, &rhs, iparm_.data(), &quiet, b, x, &error);
    return error;
  }

  static void require(int error, const char* phase) {
    if (error != 0) throw SolverFailure(std::string(phase) + ": PARDISO error " + std::to_string(error));
  }

  CompressedColumns<int> rows_;
  int n_;
  int kind_;
  int threads_;
  std::string version_;
  void* mkl_ = nullptr;
  PardisoCall pardiso_ = nullptr;
  std::array<void*, 64> handle_{};
  std::array<int, 64> iparm_{};
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::run_driver(argc, argv, "pardiso", [](const bench::Matrix& a, const bench::Request& request) {
    return std::make_unique<bench::Pardiso>(a, request);
  });
}
