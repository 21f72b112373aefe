#include "controls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::dropins::mumps {

void require(const Processes& processes, bool is_there, int number, const char* name) {
  if (largest(processes, is_there ? 0 : 1) > 0)
    throw Refusal(null_pointer, number, std::string(name) + " is a null pointer or too short; give an array");
}

void Controls::require_supported(int processes) const {
  struct Range {
    int number, low, high;
    const char* what;
  };
  static constexpr Range ranges[] = {
      {5, 0, 1, "such form of the matrix; give 0 or 1"},
      {11, 0, 0, "error analysis; set the option error_analysis of overlapack's own interface"},
      {19, 0, 3, "such form of the Schur complement; give 0 to 3"},
      {22, 0, 0, "factors outside of the memory"},
      {26, -1, 2, "such solve with a Schur complement; give 0 to 2"},
      {30, 0, 1, "such form of the inverse; give 0 or 1"},
      {32, 0, 0, "right-hand sides with the factorisation"},
  };
  const auto refuse = [this](int number, const std::string& what) {
    throw Refusal(not_here, number,
                  "ICNTL(" + std::to_string(number) + ") is " + std::to_string(of(number)) +
                      ", but overlapack's MUMPS interface has no " + what);
  };
  for (const Range& range : ranges)
    if (of(range.number) < range.low || of(range.number) > range.high) refuse(range.number, range.what);
  if (of(18) != 0 && of(18) != 3) refuse(18, "matrix that is distributed after the analysis; give 0 or 3");
  if (of(20) != 0 && !has_sparse_rhs() && of(20) != 10 && of(20) != 11)
    refuse(20, "such form of right-hand sides; give 0 to 3, 10 or 11");
  if (of(21) != 0 && of(21) != 1) refuse(21, "such form of the solution; give 0 or 1");
  if (!has_schur()) return;
  const bool is_whole = has_schur_by_rows() || processes == 1 || (nprow == 1 && npcol == 1);
  if (!is_whole) refuse(19, "Schur complement in blocks over processes; set NPROW and NPCOL to 1");
  if (of(18) != 0 && !is_by_elements())
    refuse(18, "Schur complement of a distributed matrix; give it on the host");
  if (has_distributed_rhs()) refuse(20, "distributed right-hand sides with a Schur complement");
  if (of(21) != 0) refuse(21, "distributed solution with a Schur complement");
  if (of(9) != 1 && sym == 0) refuse(9, "transposed solve with a Schur complement");
  if (of(33) != 0) refuse(33, "determinant with a Schur complement");
}

/// The part of ICNTL(23) for memory that is not predicted. Its least value, 1 MB, therefore is too little for any matrix, as with MUMPS.
constexpr std::int64_t own_bytes = 1000000;

Options Controls::options(const Processes& processes, const std::vector<Index>& order) const {
  Options options;
  if (processes.size > 1) {
    options.run.engine = Engine::mpi;
    options.run.fortran_communicator = processes.communicator;
  } else {
    options.run.engine = Engine::thread;
    if (!processes.is_alone) options.ranks = 1;  // the other processors belong to the other processes
  }
  options.factorization = sym == 0 ? FactorKind::lu : FactorKind::ldlt;
  if (of(6) == 0) options.sparse.matching = Switch::off;
  switch (of(7)) {
    case 0:
    case 2:
    case 6:
      options.sparse.ordering = Ordering::amd;
      break;
    case 1:
      options.sparse.ordering = Ordering::user;
      options.sparse.user_order = order;
      break;
    case 5:
      options.sparse.ordering = Ordering::metis;
      break;
    default:  // SCOTCH, PORD or automatic: orderings are only advice
      break;
  }
  options.sparse.null_pivots = of(24) == 1 || of(56) == 1;
  if (of(23) > 0)
    options.run.memory_limit_bytes =
        std::max<std::int64_t>(1, (of(23) * std::int64_t{1000000} - own_bytes) * processes.here);
  // as MUMPS, which accepts all pivots but zeros; for inertia the signs of pivots that are rounding are not good enough
  options.singular = sym == 0 ? SingularMatrix::always : SingularMatrix::refuse;
  options.refinement.steps = refinement_steps();
  if (threshold >= 0) options.sparse.pivot_threshold = std::min(threshold, sym == 0 ? 1.0 : 0.5);
  return options;
}

int Controls::refinement_steps() const {
  constexpr int most = 1000;  // of the option refinement_steps; it ends before, where it does not help
  return std::abs(std::clamp(of(10), -most, most));
}

bool Controls::factorizes_as(const Controls& other) const {
  static constexpr int numbers[] = {6, 7, 23, 24, 56};
  const auto is_same = [&](int number) { return of(number) == other.of(number); };
  return threshold == other.threshold && std::ranges::all_of(numbers, is_same);
}

void set_defaults(int sym, int* icntl, std::array<double, 15>& cntl) {
  std::fill_n(icntl, 60, 0);
  constexpr int set[][2] = {{1, 6},  {3, 6},   {4, 2},    {6, 7},  {7, 7},    {8, 77}, {9, 1},
                            {12, 1}, {14, 20}, {27, -32}, {28, 1}, {38, 600}, {48, 1}, {58, 2}};
  for (const auto& [number, value] : set) icntl[number - 1] = value;
  cntl = {};
  cntl[0] = sym == 1 ? 0 : 0.01;
  cntl[1] = std::sqrt(std::numeric_limits<double>::epsilon());
  cntl[3] = -1;
}

}  // namespace overlapack::dropins::mumps
