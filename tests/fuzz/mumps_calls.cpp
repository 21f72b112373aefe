#include "base/random.hpp"
#include "fuzz/numbers.hpp"
#include "fuzz/target.hpp"

#include <array>
#include <cstdlib>
#include <dmumps_c.h>
#include <memory>

/// Programs of calls of dmumps_c: any job, order of jobs and controls, arrays that are there and long enough for what is said, or null.
namespace overlapack::test {
namespace {

constexpr int world = -987654;

struct Arrays {
  std::array<MUMPS_INT, room> row, column, permutation, variables, sparse_rows, sparse_start;
  std::array<double, room> value, rhs, schur, reduced, solution;
  std::array<MUMPS_INT, room> solution_rows;
};

template <class T>
T* maybe(Numbers& numbers, std::array<T, room>& array) {
  return numbers.is_rare(32) ? nullptr : array.data();
}

void set_controls(DMUMPS_STRUC_C& id, Numbers& numbers) {
  for (int k = numbers.below(6); k > 0; --k) {
    const int number = numbers.below(60);
    if (number < 4) continue;  // where it prints
    id.icntl[number] = numbers.about(-1, 4);
  }
  if (numbers.is_rare(8)) id.cntl[numbers.below(15)] = numbers.value();
}

void set_problem(DMUMPS_STRUC_C& id, Arrays& arrays, Numbers& numbers) {
  id.n = std::min(numbers.about(1, order), order);
  id.nz = std::min(numbers.about(1, most_entries), most_entries);
  id.nnz = numbers.is_rare(4) ? std::min(numbers.about(1, most_entries), most_entries) : 0;
  id.nelt = std::min(numbers.about(1, 4), 4);
  const int n = std::max<int>(1, id.n);
  // a system that can be solved, of which a few numbers are then anything
  Random random(static_cast<std::uint64_t>(numbers.next()));
  const auto index = [&] { return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(n))); };
  for (int k = 0; k < most_entries; ++k) {
    arrays.row[k] = k < n ? k + 1 : index();
    arrays.column[k] = k < n ? k + 1 : index();
    arrays.value[k] = random.uniform(-1, 1) + (k < n ? 8 : 0);
  }
  for (int k = 0; k < 4 * order; ++k) {
    arrays.permutation[k] = 1 + k % n;
    arrays.variables[k] = 1 + k % n;
    arrays.rhs[k] = random.uniform(-1, 1);
  }
  for (int k = numbers.is_rare(4) ? 1 + numbers.below(4) : 0; k > 0; --k) {
    const int at = numbers.below(most_entries);
    (numbers.is_rare(2) ? arrays.row : arrays.column)[at] = numbers.about(1, n);
    arrays.value[at] = numbers.value();
    arrays.permutation[at] = numbers.about(1, n);
    arrays.variables[at] = numbers.about(1, n);
  }
  id.irn = maybe(numbers, arrays.row);
  id.jcn = maybe(numbers, arrays.column);
  id.a = maybe(numbers, arrays.value);
  id.irn_loc = maybe(numbers, arrays.row);
  id.jcn_loc = maybe(numbers, arrays.column);
  id.a_loc = maybe(numbers, arrays.value);
  id.nz_loc = id.nz;
  id.perm_in = maybe(numbers, arrays.permutation);
  id.listvar_schur = maybe(numbers, arrays.variables);
  id.size_schur = numbers.is_rare(4) ? std::min(numbers.about(0, order), order) : 0;
  id.schur = maybe(numbers, arrays.schur);
  id.schur_lld = std::min(numbers.about(0, order), order);
  id.redrhs = maybe(numbers, arrays.reduced);
  id.lredrhs = std::min(numbers.about(0, order), order);
}

void set_rhs(DMUMPS_STRUC_C& id, Arrays& arrays, Numbers& numbers) {
  id.nrhs = std::min(numbers.about(1, 3), 16);
  id.lrhs = std::min(numbers.about(1, 2 * order), 2 * order);
  id.rhs = maybe(numbers, arrays.rhs);
  id.nz_rhs = std::min(numbers.about(0, order), order);
  for (int k = 0; k <= 16; ++k) arrays.sparse_start[k] = std::min(k + 1, order + 1);
  for (int k = 0; k < order; ++k) arrays.sparse_rows[k] = numbers.about(1, order);
  id.irhs_ptr = maybe(numbers, arrays.sparse_start);
  id.irhs_sparse = maybe(numbers, arrays.sparse_rows);
  id.rhs_sparse = maybe(numbers, arrays.value);
  id.irhs_loc = maybe(numbers, arrays.sparse_rows);
  id.rhs_loc = maybe(numbers, arrays.value);
  id.nloc_rhs = std::min(numbers.about(0, order), order);
  id.lrhs_loc = std::min(numbers.about(0, order), order);
  id.sol_loc = maybe(numbers, arrays.solution);
  id.isol_loc = maybe(numbers, arrays.solution_rows);
  id.lsol_loc = std::min(numbers.about(0, order), order);
}

}  // namespace

std::vector<std::string> mumps_seeds() {
  std::vector<std::string> seeds;
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    Random random(seed);
    std::string bytes;
    for (int k = 0; k < 800; ++k) bytes += static_cast<char>(random.below(256));
    seeds.push_back(bytes);
  }
  return seeds;
}

bool runs_mumps_calls(const std::string& bytes) {
  Numbers numbers(bytes);
  const auto arrays = std::make_unique<Arrays>();
  DMUMPS_STRUC_C id{};
  id.par = 1;
  id.sym = numbers.about(0, 2);
  id.comm_fortran = world;
  id.job = -1;
  dmumps_c(&id);
  bool has_solved = false;
  for (int calls = 0; calls < 8 && !numbers.is_at_end(); ++calls) {
    if (numbers.is_rare(4)) set_controls(id, numbers);
    if (calls == 0 || numbers.is_rare(4)) set_problem(id, *arrays, numbers);
    set_rhs(id, *arrays, numbers);
    id.job = numbers.is_rare(16) ? numbers.about(-3, 9) : 1 + numbers.below(6);
    if (id.job == -1) continue;  // it would leave the instance behind
    dmumps_c(&id);
    has_solved = has_solved || (id.infog[0] >= 0 && (id.job == 3 || id.job >= 5));
  }
  id.job = -2;
  dmumps_c(&id);
  return has_solved;
}

}  // namespace overlapack::test
