#include "driver.hpp"

#include "blas.hpp"
#include "memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace bench {

namespace {

constexpr std::size_t max_repeats = 10;
constexpr int many = 16;  // right-hand sides

Request parse(int argc, char** argv) {
  Request request;
  if (argc < 2)
    throw std::runtime_error("usage: driver MATRIX.bin [--variant V] [--ranks N] [--budget S] [--spd]");
  request.matrix = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--spd") {
      request.is_spd = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error("option " + option + " needs a value");
    const std::string value = argv[++i];
    if (option == "--variant") {
      const auto blocks = value.find("_blr");
      request.variant = value.substr(0, blocks);
      if (blocks != std::string::npos) request.compression = std::stod(value.substr(blocks + 4));
    } else if (option == "--library")
      request.library = value;
    else if (option == "--ranks")
      request.ranks = std::stoi(value);
    else if (option == "--budget")
      request.budget_s = std::stod(value);
    else
      throw std::runtime_error("unknown option " + option);
  }
  return request;
}

double minimum(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

/// Repeat a phase until the budget is measured; the warm-up has been made by the caller.
std::vector<double> repeat(Solver& solver, double budget_s, const std::function<double()>& phase) {
  std::vector<double> times;
  double total = 0;
  while (times.empty() || (total < budget_s && times.size() < max_repeats)) {  // once if NaN
    solver.synchronise();
    times.push_back(solver.broadcast_from_root(phase()));
    total += times.back();
  }
  return times;
}

/// The process's BLAS, unless the solver has its own.
nlohmann::json told_by(const Solver& solver) {
  nlohmann::json out = {{"blas", blas_in_use()}};
  out.update(solver.report());
  return out;
}

/// Analyse, factor, solve once (this gives peak memory), then repeat factor and solve for their times.
nlohmann::json measure(Solver& solver, const Matrix& a, const Request& request, double resident_before) {
  const std::vector<double> b = multiply(a, std::vector<double>(a.n, 1.0));
  std::vector<double> x(a.n, 0.0);
  solver.synchronise();
  const double analysis_s = solver.broadcast_from_root(solver.analyse());
  solver.synchronise();
  const auto first = repeat(solver, 0, [&] { return solver.factor(); });
  const double first_solve_s = solver.broadcast_from_root(solver.solve(b, x));
  const double peak = solver.sum_over_ranks(resident_bytes("VmHWM"));
  const double growth = solver.sum_over_ranks(resident_bytes("VmHWM") - resident_before);

  // A long factorisation is its own warm-up.
  const bool is_long = first[0] > 20 * request.budget_s;
  const auto factors = is_long ? first : repeat(solver, request.budget_s, [&] { return solver.factor(); });
  const auto solves = repeat(solver, request.budget_s / 3, [&] { return solver.solve(b, x); });

  std::vector<double> many_b;
  for (int j = 1; j <= many; ++j)
    std::transform(b.begin(), b.end(), std::back_inserter(many_b), [j](double v) { return v * j; });
  std::vector<double> many_x(many_b.size(), 0.0);
  const auto solve_all = [&](bool refines) {
    return minimum(repeat(solver, request.budget_s / 3,
                          [&] { return solver.solve_many(many_b, many_x, many, refines); }));
  };
  const double unrefined_s = solve_all(false), many_s = solve_all(true);

  // A sequence of systems with one pattern: factor again and solve, step after step.
  std::vector<double> agains;
  const auto steps = repeat(solver, request.budget_s, [&] {
    agains.push_back(solver.broadcast_from_root(solver.refactor()));
    return agains.back() + solver.solve(b, x);
  });

  nlohmann::json out = told_by(solver);
  if (std::isfinite(many_s)) out.update({{"solve16_s", many_s}, {"unrefined16_s", unrefined_s}});
  out.update({{"status", "ok"},
              {"analysis_s", analysis_s},
              {"factor_s", minimum(factors)},
              {"solve_s", minimum(solves)},
              {"first_factor_s", first[0]},
              {"solution_s", analysis_s + first[0] + first_solve_s},
              {"factor_times_s", factors},
              {"refactor_s", minimum(agains)},
              {"step_s", minimum(steps)},
              {"peak_bytes", growth},
              {"process_peak_bytes", peak}});
  if (solver.is_root()) {
    double error = 0;
    for (double v : x) error = std::max(error, std::abs(v - 1));
    out["backward_error"] = backward_error(a, x, b);
    if (std::isfinite(many_s)) {
      const auto last = static_cast<std::ptrdiff_t>(b.size()) * (many - 1);
      out["backward_error16"] =
          backward_error(a, {many_x.begin() + last, many_x.end()}, {many_b.begin() + last, many_b.end()});
    }
    out["forward_error"] = error;
  }
  return out;
}

}  // namespace

double Solver::solve_many(const std::vector<double>&, std::vector<double>&, int, bool) {
  return std::numeric_limits<double>::quiet_NaN();
}

void refine(const Matrix& a, const std::vector<double>& b, std::vector<double>& x,
            const std::function<void(std::vector<double>&)>& correct) {
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 2; ++step) {
    const double omega = backward_error(a, x, b);
    if (!(omega > 2 * std::numeric_limits<double>::epsilon()) || omega > before / 2) return;
    before = omega;
    std::vector<double> r = residual(a, x, b);
    correct(r);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += r[i];
  }
}

int run_driver(int argc, char** argv, const std::string& peer, const MakeSolver& make) {
  nlohmann::json out = {{"peer", peer}};
  bool is_root = true;
  try {
    const Request request = parse(argc, argv);
    const Matrix a = read_matrix(request.matrix);
    const auto solver = make(a, request);
    is_root = solver->is_root();
    try {
      out.update(measure(*solver, a, request, reset_peak()));
    } catch (const SolverFailure& failure) {
      out.update(told_by(*solver));
      out.update({{"status", "failed"}, {"message", failure.what()}});
    }
  } catch (const std::exception& error) {
    out.update({{"status", "failed"}, {"message", error.what()}});
  }
  if (is_root) std::cout << out.dump() << std::endl;
  return 0;
}

}  // namespace bench
