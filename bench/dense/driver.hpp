#pragma once
#include "ranks.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench::dense {

/// What the harness asks: driver --n N --block B --ranks P [--repeats R] [--factorization lu|qr]
/// [--engine E --schedule S --depth D]
struct Request {
  std::int64_t n = 1000;
  int block = 64;
  int ranks = 1;  ///< ranks, or threads
  int repeats = 3;
  bool is_qr = false;
  std::string engine = "thread";       ///< of overlapack: thread or mpi
  std::string schedule = "lookahead";  ///< of overlapack
  int depth = 1;                       ///< of overlapack
};

/// Process rows and columns for this many ranks: as square as they allow, more columns than rows.
struct Grid {
  int rows = 1, cols = 1;
};
Grid squarest(int ranks);

/// Entry (i, j) of the random matrix [A | b], in [-1/2, 1/2): the same for all.
double entry(std::int64_t i, std::int64_t j);

/// Local entry l of process `me` is this one of the whole.
inline std::int64_t global_of(std::int64_t l, int block, int me, int processes) {
  return (l / block * processes + me) * block + l % block;
}
inline std::int64_t local_size(std::int64_t n, int block, int me, int processes) {
  std::int64_t mine = 0;
  for (std::int64_t first = std::int64_t{me} * block; first < n; first += std::int64_t{processes} * block)
    mine += std::min<std::int64_t>(block, n - first);
  return mine;
}

/// The solver itself refused: a row in the comparison.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One dense solver. Every rank of a parallel one holds one and makes the same calls. Times are seconds from a barrier to
/// the last rank's end.
class Solver : public Ranks {
 public:
  /// Make A, or A and b, again.
  virtual void fill(bool with_b) = 0;
  /// P A = L U or A = Q R, as LAPACK returns it.
  virtual double factor() = 0;
  /// x, from [A | b]: the factorisation and the solve.
  virtual double solve() = 0;
  /// On the root.
  virtual std::vector<double> x() = 0;
  /// Give all memory of the matrix back.
  virtual void release() = 0;
  /// version, parameters, and what else the solver tells of a factorisation, which it may do once more.
  virtual nlohmann::json report() = 0;
};

using MakeSolver = std::function<std::unique_ptr<Solver>(const Request&)>;

/// The whole program of a driver: measure both tasks, check x, print one line of JSON.
int run_driver(int argc, char** argv, const std::string& peer, const MakeSolver& make);

}  // namespace bench::dense
