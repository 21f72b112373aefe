#include "driver.hpp"

#include "blas.hpp"
#include "memory.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

namespace bench::dense {
namespace {

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--n")
      request.n = std::stoll(value);
    else if (option == "--block")
      request.block = std::stoi(value);
    else if (option == "--ranks")
      request.ranks = std::stoi(value);
    else if (option == "--repeats")
      request.repeats = std::stoi(value);
    else if (option == "--factorization")
      request.is_qr = value == "qr";
    else if (option == "--engine")
      request.engine = value;
    else if (option == "--schedule")
      request.schedule = value;
    else if (option == "--depth")
      request.depth = std::stoi(value);
    else
      throw std::runtime_error("unknown option " + option);
  }
  return request;
}

/// ||A x - b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n), HPL's, with its eps.
double scaled_residual(const std::vector<double>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  double residual = 0, norm_a = 0, norm_x = 0, norm_b = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double b = entry(i, n);
    double sum = -b, row = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double a = entry(i, j);
      sum += a * x[static_cast<std::size_t>(j)];
      row += std::abs(a);
    }
    residual = std::isnan(sum) ? sum : std::max(residual, std::abs(sum));
    norm_a = std::max(norm_a, row);
    norm_b = std::max(norm_b, std::abs(b));
    norm_x = std::max(norm_x, std::abs(x[static_cast<std::size_t>(i)]));
  }
  const double eps = std::numeric_limits<double>::epsilon() / 2;
  return residual / (eps * (norm_a * norm_x + norm_b) * static_cast<double>(n));
}

struct Measured {
  std::vector<double> times_s;
  double peak_bytes = 0;  ///< growth of the resident set, summed over the ranks
};

template <class Task>
Measured measure(Solver& solver, int repeats, bool with_b, Task task) {
  Measured measured;
  const double before = reset_peak();
  for (int r = 0; r < repeats; ++r) {
    solver.fill(with_b);
    solver.synchronise();
    measured.times_s.push_back(solver.broadcast_from_root(task()));
    if (r == 0) measured.peak_bytes = solver.sum_over_ranks(resident_bytes("VmHWM") - before);
  }
  return measured;
}

nlohmann::json measure_both(Solver& solver, const Request& request) {
  const Measured system = measure(solver, request.repeats, true, [&] { return solver.solve(); });
  const std::vector<double> x = solver.x();
  solver.release();
  const Measured factor = measure(solver, request.repeats, false, [&] { return solver.factor(); });
  nlohmann::json out = {{"blas", blas_in_use()}};
  out.update(solver.report());
  out.update({{"status", "ok"},
              {"system_s", std::ranges::min(system.times_s)},
              {"system_times_s", system.times_s},
              {"system_bytes", system.peak_bytes},
              {"factor_s", std::ranges::min(factor.times_s)},
              {"factor_times_s", factor.times_s},
              {"factor_bytes", factor.peak_bytes}});
  if (solver.is_root()) out["residual"] = scaled_residual(x);
  return out;
}

}  // namespace

Grid squarest(int ranks) {
  Grid grid{1, ranks};
  for (int rows = 1; rows * rows <= ranks; ++rows)
    if (ranks % rows == 0) grid = {rows, ranks / rows};
  return grid;
}

double entry(std::int64_t i, std::int64_t j) {
  // splitmix64
  auto z = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u +
           static_cast<std::uint64_t>(j) * 0xD1B54A32D192ED03u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

int run_driver(int argc, char** argv, const std::string& peer, const MakeSolver& make) {
  nlohmann::json out = {{"peer", peer}};
  bool is_root = true;
  try {
    const Request request = parse(argc, argv);
    const std::unique_ptr<Solver> solver = make(request);
    is_root = solver->is_root();
    out.update(measure_both(*solver, request));
  } catch (const std::exception& error) {
    out.update({{"status", "failed"}, {"message", error.what()}});
  }
  if (is_root) std::cout << out.dump() << std::endl;
  return 0;
}

}  // namespace bench::dense
