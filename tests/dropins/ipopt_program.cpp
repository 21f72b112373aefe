/// A program of Ipopt's C interface: solves problems with MUMPS and with HSL_MA97, and compares the ways they took.
///
///   LD_LIBRARY_PATH=FOLDER ipopt_program [MATRICES]      FOLDER has the drop-in as libhsl.so, by which Ipopt knows HSL
///
/// Problems of Hock and Schittkowski (1981) from their formulas, with second derivatives by Jet; quadratic programs whose
/// Hessian and constraints are those of real KKT matrices.
#include "overlapack/io.hpp"

#include <IpStdCInterface.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr double none = 2e19;  // Ipopt's infinity

/// A number with its gradient and Hessian in n variables.
struct Jet {
  double value = 0;
  std::vector<double> slope, curve;  // n, n x n

  static Jet constant(double value, std::size_t n) {
    return {value, std::vector<double>(n), std::vector<double>(n * n)};
  }
};

/// f(a, b) by its value and first and second partial derivatives.
Jet chain(const Jet& a, const Jet& b, double f, double fa, double fb, double faa, double fab, double fbb) {
  const std::size_t n = a.slope.size();
  Jet r = Jet::constant(f, n);
  for (std::size_t i = 0; i < n; ++i) {
    r.slope[i] = fa * a.slope[i] + fb * b.slope[i];
    for (std::size_t j = 0; j < n; ++j)
      r.curve[i * n + j] = fa * a.curve[i * n + j] + fb * b.curve[i * n + j] + faa * a.slope[i] * a.slope[j] +
                           fab * (a.slope[i] * b.slope[j] + a.slope[j] * b.slope[i]) +
                           fbb * b.slope[i] * b.slope[j];
  }
  return r;
}
Jet operator+(const Jet& a, const Jet& b) { return chain(a, b, a.value + b.value, 1, 1, 0, 0, 0); }
Jet operator-(const Jet& a, const Jet& b) { return chain(a, b, a.value - b.value, 1, -1, 0, 0, 0); }
Jet operator*(const Jet& a, const Jet& b) {
  return chain(a, b, a.value * b.value, b.value, a.value, 0, 1, 0);
}
Jet log(const Jet& a) {
  return chain(a, a, std::log(a.value), 1 / a.value, 0, -1 / (a.value * a.value), 0, 0);
}
Jet operator+(const Jet& a, double c) { return a + Jet::constant(c, a.slope.size()); }
Jet operator-(const Jet& a, double c) { return a + -c; }
Jet operator*(double c, const Jet& a) { return Jet::constant(c, a.slope.size()) * a; }
Jet sq(const Jet& a) { return a * a; }

using Jets = std::vector<Jet>;

/// min f(x), lower <= g(x) <= upper, least <= x <= most.
struct Problem {
  std::string name;
  std::vector<double> start;
  double least = -none, most = none;
  std::vector<double> lower, upper;
  double optimum = std::nan("");  ///< NaN: not known
  struct Entry {
    Index row, col;
  };
  std::vector<Entry> jacobian, hessian;                                              ///< lower triangle
  std::function<std::vector<double>(const std::vector<double>& x)> values;           ///< f, g
  std::function<std::vector<double>(const std::vector<double>& x)> gradient;         ///< of f
  std::function<std::vector<double>(const std::vector<double>& x)> jacobian_values;  ///< as `jacobian`
  std::function<std::vector<double>(const std::vector<double>& x, double factor, const double* lambda)>
      hessian_values;
};

/// From a formula for f and g.
Problem small(std::string name, std::vector<double> start, std::function<Jets(const Jets&)> formula,
              double optimum, std::vector<double> lower, std::vector<double> upper, double least = -none,
              double most = none) {
  Problem problem{std::move(name),
                  std::move(start),
                  least,
                  most,
                  std::move(lower),
                  std::move(upper),
                  optimum,
                  {},
                  {},
                  {},
                  {},
                  {},
                  {}};
  const std::size_t n = problem.start.size(), m = problem.lower.size();
  const auto at = [formula, n](const std::vector<double>& x) {
    Jets variables;
    for (std::size_t i = 0; i < n; ++i) {
      variables.push_back(Jet::constant(x[i], n));
      variables.back().slope[i] = 1;
    }
    return formula(variables);
  };
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) problem.jacobian.push_back({Index(i), Index(j)});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) problem.hessian.push_back({Index(i), Index(j)});
  problem.values = [at](const std::vector<double>& x) {
    std::vector<double> values;
    for (const Jet& jet : at(x)) values.push_back(jet.value);
    return values;
  };
  problem.gradient = [at](const std::vector<double>& x) { return at(x).front().slope; };
  problem.jacobian_values = [at, m](const std::vector<double>& x) {
    std::vector<double> values;
    const Jets jets = at(x);
    for (std::size_t i = 0; i < m; ++i)
      values.insert(values.end(), jets[i + 1].slope.begin(), jets[i + 1].slope.end());
    return values;
  };
  problem.hessian_values = [at, m, n](const std::vector<double>& x, double factor, const double* lambda) {
    std::vector<double> values;
    const Jets jets = at(x);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        values.push_back(factor * jets[0].curve[i * n + j]);
        for (std::size_t k = 0; k < m; ++k) values.back() += lambda[k] * jets[k + 1].curve[i * n + j];
      }
    return values;
  };
  return problem;
}

std::vector<Problem> hock_schittkowski() {
  const std::vector<double> zero1{0}, zero2{0, 0}, zero3{0, 0, 0}, none1{none}, none3{none, none, none};
  std::vector<Problem> list;
  list.push_back(small(
      "HS6", {-1.2, 1},
      [](const Jets& x) {
        return Jets{sq(x[0] - 1), 10 * (x[1] - sq(x[0]))};
      },
      0, zero1, zero1));
  list.push_back(small(
      "HS7", {2, 2},
      [](const Jets& x) {
        const Jet s = sq(x[0]) + 1;
        return Jets{log(s) - x[1], sq(s) + sq(x[1]) - 4};
      },
      -std::sqrt(3.0), zero1, zero1));
  list.push_back(
      small("HS14", {2, 2},
            [](const Jets& x) {
              return Jets{sq(x[0] - 2) + sq(x[1] - 1), -0.25 * sq(x[0]) - sq(x[1]) + 1, x[0] - 2 * x[1] + 1};
            },
            9 - 2.875 * std::sqrt(7.0), zero2, {none, 0}));
  list.push_back(small(
      "HS28", {-4, 1, 1},
      [](const Jets& x) {
        return Jets{sq(x[0] + x[1]) + sq(x[1] + x[2]), x[0] + 2 * x[1] + 3 * x[2] - 1};
      },
      0, zero1, zero1));
  list.push_back(small(
      "HS35", {0.5, 0.5, 0.5},
      [](const Jets& x) {
        return Jets{2 * sq(x[0]) + 2 * sq(x[1]) + sq(x[2]) + 2 * (x[0] * x[1]) + 2 * (x[0] * x[2]) -
                        8 * x[0] - 6 * x[1] - 4 * x[2] + 9,
                    -1 * x[0] - x[1] - 2 * x[2] + 3};
      },
      1.0 / 9, zero1, none1, 0));
  list.push_back(small(
      "HS39", {2, 2, 2, 2},
      [](const Jets& x) {
        return Jets{-1 * x[0], x[1] - x[0] * sq(x[0]) - sq(x[2]), sq(x[0]) - x[1] - sq(x[3])};
      },
      -1, zero2, zero2));
  list.push_back(small(
      "HS40", {0.8, 0.8, 0.8, 0.8},
      [](const Jets& x) {
        return Jets{-1 * (x[0] * x[1] * x[2] * x[3]), x[0] * sq(x[0]) + sq(x[1]) - 1, sq(x[0]) * x[3] - x[2],
                    sq(x[3]) - x[1]};
      },
      -0.25, zero3, zero3));
  list.push_back(small(
      "HS43", {0, 0, 0, 0},
      [](const Jets& x) {
        return Jets{
            sq(x[0]) + sq(x[1]) + 2 * sq(x[2]) + sq(x[3]) - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3],
            -1 * sq(x[0]) - sq(x[1]) - sq(x[2]) - sq(x[3]) - x[0] + x[1] - x[2] + x[3] + 8,
            -1 * sq(x[0]) - 2 * sq(x[1]) - sq(x[2]) - 2 * sq(x[3]) + x[0] + x[3] + 10,
            -2 * sq(x[0]) - sq(x[1]) - sq(x[2]) - 2 * x[0] + x[1] + x[3] + 5};
      },
      -44, zero3, none3));
  list.push_back(small(
      "HS50", {35, -31, 11, 5, -5},
      [](const Jets& x) {
        return Jets{sq(x[0] - x[1]) + sq(x[1] - x[2]) + sq(sq(x[2] - x[3])) + sq(x[3] - x[4]),
                    x[0] + 2 * x[1] + 3 * x[2] - 6, x[1] + 2 * x[2] + 3 * x[3] - 6,
                    x[2] + 2 * x[3] + 3 * x[4] - 6};
      },
      0, zero3, zero3));
  list.push_back(small(
      "HS71", {1, 5, 5, 1},
      [](const Jets& x) {
        return Jets{x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], x[0] * x[1] * x[2] * x[3],
                    sq(x[0]) + sq(x[1]) + sq(x[2]) + sq(x[3])};
      },
      17.0140173, {25, 40}, {none, 40}, 1, 5));
  list.push_back(small(
      "HS76", {0.5, 0.5, 0.5, 0.5},
      [](const Jets& x) {
        return Jets{sq(x[0]) + 0.5 * sq(x[1]) + sq(x[2]) + 0.5 * sq(x[3]) - x[0] * x[2] + x[2] * x[3] - x[0] -
                        3 * x[1] + x[2] - x[3],
                    -1 * x[0] - 2 * x[1] - x[2] - x[3] + 5, -3 * x[0] - x[1] - 2 * x[2] + x[3] + 4,
                    x[1] + 4 * x[2] - 1.5};
      },
      -4.681818181, zero3, none3, 0));
  list.push_back(small(
      "HS78", {-2, 1.5, 2, -1, -1},
      [](const Jets& x) {
        return Jets{x[0] * x[1] * x[2] * x[3] * x[4],
                    sq(x[0]) + sq(x[1]) + sq(x[2]) + sq(x[3]) + sq(x[4]) - 10,
                    x[1] * x[2] - 5 * (x[3] * x[4]), x[0] * sq(x[0]) + x[1] * sq(x[1]) + 1};
      },
      -2.91970041, zero3, zero3));
  return list;
}

/// min x^T H x / 2 + q^T x, A x = A x0, 0 <= x <= 2, with H and A from K = (H A^T; A D).
Problem quadratic(const std::string& path, Index n) {
  const auto K = std::get<overlapack::SparseMatrix<double>>(overlapack::io::read_matrix(path).matrix);
  Problem problem;
  problem.name = std::filesystem::path(path).filename();
  problem.least = 0;
  problem.most = 2;
  problem.start.assign(static_cast<std::size_t>(n), 0.5);
  problem.lower.assign(static_cast<std::size_t>(K.rows - n), 0);
  auto H = std::make_shared<std::vector<double>>(), A = std::make_shared<std::vector<double>>();
  for (Index j = 0; j < n; ++j)
    for (auto p = K.start[j]; p < K.start[j + 1]; ++p) {
      const auto i = static_cast<Index>(K.row[p]);
      if (i < j) continue;
      (i < n ? problem.hessian : problem.jacobian).push_back({i < n ? i : i - n, j});
      (i < n ? H : A)->push_back(K.value[p]);
      if (i >= n) problem.lower[i - n] += K.value[p] * (0.1 + 0.9 * ((j * 37) % 101) / 101.0);
    }
  problem.upper = problem.lower;
  const auto slope = [H, positions = problem.hessian, n](const std::vector<double>& x) {  // H x
    std::vector<double> y(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < positions.size(); ++k) {
      y[positions[k].row] += (*H)[k] * x[positions[k].col];
      if (positions[k].row != positions[k].col) y[positions[k].col] += (*H)[k] * x[positions[k].row];
    }
    return y;
  };
  const auto q = [](Index i) { return ((i * 53) % 97) / 48.0 - 1; };
  problem.values = [=, positions = problem.jacobian, m = problem.lower.size()](const std::vector<double>& x) {
    std::vector<double> values(m + 1);
    const auto y = slope(x);
    for (Index i = 0; i < n; ++i) values[0] += x[i] * (y[i] / 2 + q(i));
    for (std::size_t k = 0; k < positions.size(); ++k)
      values[positions[k].row + 1] += (*A)[k] * x[positions[k].col];
    return values;
  };
  problem.gradient = [=](const std::vector<double>& x) {
    auto y = slope(x);
    for (Index i = 0; i < n; ++i) y[i] += q(i);
    return y;
  };
  problem.jacobian_values = [A](const std::vector<double>&) { return *A; };
  problem.hessian_values = [H](const std::vector<double>&, double factor, const double*) {
    auto values = *H;
    for (double& x : values) x *= factor;
    return values;
  };
  return problem;
}

// What Ipopt calls.
struct Run {
  const Problem& problem;
  int iterations = 0;
  std::vector<double> at(const Number* x) const { return {x, x + problem.start.size()}; }
};
const Run& run_of(UserDataPtr data) { return *static_cast<Run*>(data); }

Bool eval_f(Index, Number* x, Bool, Number* f, UserDataPtr data) {
  *f = run_of(data).problem.values(run_of(data).at(x)).front();
  return TRUE;
}
Bool eval_gradient(Index, Number* x, Bool, Number* gradient, UserDataPtr data) {
  const auto values = run_of(data).problem.gradient(run_of(data).at(x));
  std::copy(values.begin(), values.end(), gradient);
  return TRUE;
}
Bool eval_g(Index, Number* x, Bool, Index, Number* g, UserDataPtr data) {
  const auto values = run_of(data).problem.values(run_of(data).at(x));
  std::copy(values.begin() + 1, values.end(), g);
  return TRUE;
}
/// Where entries are, or what they are.
void give(const std::vector<Problem::Entry>& positions, const std::vector<double>& values, Index* rows,
          Index* cols, Number* to) {
  for (std::size_t k = 0; k < positions.size(); ++k)
    if (to)
      to[k] = values[k];
    else
      rows[k] = positions[k].row, cols[k] = positions[k].col;
}
Bool eval_jacobian(Index, Number* x, Bool, Index, Index, Index* rows, Index* cols, Number* values,
                   UserDataPtr data) {
  const Problem& problem = run_of(data).problem;
  give(problem.jacobian, values ? problem.jacobian_values(run_of(data).at(x)) : std::vector<double>(), rows,
       cols, values);
  return TRUE;
}
Bool eval_hessian(Index, Number* x, Bool, Number factor, Index, Number* lambda, Bool, Index, Index* rows,
                  Index* cols, Number* values, UserDataPtr data) {
  const Problem& problem = run_of(data).problem;
  give(problem.hessian,
       values ? problem.hessian_values(run_of(data).at(x), factor, lambda) : std::vector<double>(), rows,
       cols, values);
  return TRUE;
}
Bool count(Index, Index iteration, Number, Number, Number, Number, Number, Number, Number, Number, Index,
           UserDataPtr data) {
  static_cast<Run*>(data)->iterations = iteration;
  return TRUE;
}

struct Ending {
  int status, iterations;
  double objective;
};

Ending solve(const Problem& problem, std::string solver) {
  const auto n = static_cast<Index>(problem.start.size()), m = static_cast<Index>(problem.lower.size());
  std::vector<double> least(problem.start.size(), problem.least), most(problem.start.size(), problem.most),
      x = problem.start;
  auto lower = problem.lower, upper = problem.upper;
  IpoptProblem ipopt = CreateIpoptProblem(n, least.data(), most.data(), m, lower.data(), upper.data(),
                                          static_cast<Index>(problem.jacobian.size()),
                                          static_cast<Index>(problem.hessian.size()), 0, eval_f, eval_g,
                                          eval_gradient, eval_jacobian, eval_hessian);
  const auto set = [&](std::string name, std::string value) {
    return AddIpoptStrOption(ipopt, name.data(), value.data());
  };
  if (!set("linear_solver", solver)) return {-1, 0, 0};
  set("sb", "yes");
  std::string level = "print_level";
  AddIpoptIntOption(ipopt, level.data(), 0);
  Run run{problem};
  SetIntermediateCallback(ipopt, count);
  Ending ending{};
  ending.status = IpoptSolve(ipopt, x.data(), nullptr, &ending.objective, nullptr, nullptr, nullptr, &run);
  ending.iterations = run.iterations;
  FreeIpoptProblem(ipopt);
  return ending;
}

/// Both end at an optimum, the same one, and that of the book; iterations differ by 10 % at most.
bool compare(const Problem& problem) {
  const Ending mumps = solve(problem, "mumps"), ours = solve(problem, "ma97");
  const double known = std::isnan(problem.optimum) ? mumps.objective : problem.optimum;
  const bool is_right = mumps.status == 0 && ours.status == 0 &&
                        std::abs(ours.objective - known) <= 1e-6 * std::max(1.0, std::abs(known)) &&
                        std::abs(ours.iterations - mumps.iterations) <= 0.1 * mumps.iterations;
  std::printf(
      "%s %s: %d iterations with MUMPS, %d with overlapack as MA97, status %d and %d, objective %.9g\n",
      is_right ? "ok" : "FAILED", problem.name.c_str(), mumps.iterations, ours.iterations, mumps.status,
      ours.status, ours.objective);
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  int passed = 0, failed = 0;
  if (dlsym(RTLD_DEFAULT, "overlapack_mumps_message")) std::printf("MUMPS is overlapack here, too\n");
  const auto take = [&](const Problem& problem) { ++(compare(problem) ? passed : failed); };
  for (const Problem& problem : hock_schittkowski()) take(problem);
  if (argc > 1) {
    const std::string folder = argv[1];
    take(quadratic(folder + "/kkt_stcqp2.mtx.gz", 4097));
    take(quadratic(folder + "/kkt_dtoc3.mtx.gz", 14999));
    take(quadratic(folder + "/kkt_aug2dc.mtx.gz", 20200));
  }
  std::printf("%d problems passed, %d failed\n", passed, failed);
  return failed > 0;
}
