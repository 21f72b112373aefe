// Where the time and the memory of an analysis go: bench_stages THREADS[,THREADS...] ORDERING FILE.mtx... or KIND:SIZE (of overlapack
// generate); ORDERING auto compares. One line of JSON each: seconds of every step as progress names them, of the run that was fastest in
// all, and the most memory of the first run beside the matrix.
#include <overlapack/generate.hpp>
#include <overlapack/io.hpp>
#include <overlapack/overlapack.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

using namespace overlapack;

namespace {

constexpr int runs = 3;

SparseMatrix<double> matrix_of(const std::string& name) {
  const auto colon = name.find(':');
  if (colon != std::string::npos)
    return sparse::generate(name.substr(0, colon), std::atoll(name.c_str() + colon + 1));
  const io::MatrixFile file = io::read_matrix(name);
  if (const auto* real = std::get_if<SparseMatrix<double>>(&file.matrix)) return *real;
  std::fprintf(stderr, "%s is not real\n", name.c_str());
  std::exit(1);
}

/// Seconds between one call of progress and the next go to the step that the earlier one named.
class StepClock {
 public:
  bool saw(const Progress& progress) {
    pass();
    step_ = progress.step.empty() ? "rest" : std::string(progress.step);
    return false;
  }
  void pass() {
    const auto now = Clock::now();
    if (!step_.empty())
      seconds_[step_] = seconds_.value(step_, 0.0) + std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  const nlohmann::ordered_json& seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_{};
  std::string step_;
  nlohmann::ordered_json seconds_ = nlohmann::ordered_json::object();
};

/// Of /proc/self/status, MiB.
double status_mib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == name + ":") {
      double kib = 0;
      status >> kib;
      return kib / 1024;
    }
  return 0;
}

/// The most memory that f takes, MiB.
template <class F>
double peak_mib(const F& f) {
  malloc_trim(0);
  const double before = status_mib("VmRSS");
  std::ofstream("/proc/self/clear_refs") << "5";
  f();
  return status_mib("VmHWM") - before;
}

nlohmann::ordered_json measured(const SparseMatrix<double>& A, int threads, const std::string& ordering) {
  nlohmann::ordered_json best;
  double first_mib = 0;
  double best_s = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    StepClock clock;
    Options options;
    options.ranks = threads;
    options.progress = [&](const Progress& progress) { return clock.saw(progress); };
    if (ordering != "auto") options = options_from_json("{\"ordering\": \"" + ordering + "\"}", options);
    SparseMatrix<double> copy = A;  // of which plan changes nothing
    Report report;
    const double mib = peak_mib([&] { report = plan(std::move(copy), options); });
    if (run == 0) first_mib = mib;
    clock.pass();
    if (report.analysis_s >= best_s) continue;
    best_s = report.analysis_s;
    best = {{"threads", threads},
            {"seconds", best_s},
            {"cpu_s", report.analysis_cpu_s},
            {"path_s", report.analysis_path_s},
            {"ordering", report.ordering},
            {"peak_mib", first_mib},
            {"variable_block", report.variable_block},
            {"gflop", 1e-9 * report.predicted_flops},
            {"steps", clock.seconds()}};
  }
  return best;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<int> threads;
  std::istringstream list(count > 1 ? arguments[1] : "1");
  for (std::string one; std::getline(list, one, ',');) threads.push_back(std::atoi(one.c_str()));
  const std::string ordering = count > 2 ? arguments[2] : "auto";
  for (int i = 3; i < count; ++i) {
    const SparseMatrix<double> A = matrix_of(arguments[i]);
    for (const int t : threads) {
      nlohmann::ordered_json line{{"matrix", arguments[i]}, {"n", A.rows}, {"nnz", A.nnz()}};
      line.update(measured(A, t, ordering));
      std::printf("%s\n", line.dump().c_str());
      std::fflush(stdout);
    }
  }
}
