#include "controls.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace overlapack::dropins::pardiso {

Kind kind_of(Index mtype) {
  switch (mtype) {
    case 1:
    case 11:
      return {};
    case 2:
      return {FactorKind::cholesky, Listed::symmetric_half, false};
    case -2:
      return {FactorKind::ldlt, Listed::symmetric_half, false};
    case 3:
    case 13:
      return {FactorKind::lu, Listed::all, true};
    case 4:
      return {FactorKind::cholesky, Listed::hermitian_half, true};
    case -4:
      return {FactorKind::ldlt, Listed::hermitian_half, true};
    case 6:
      return {FactorKind::ldlt, Listed::symmetric_half, true};
    default:
      throw Refusal(bad_input, "mtype is " + std::to_string(mtype) +
                                   "; give 1, 2, -2, 3, 4, -4, 6, 11 or 13, as MKL has them");
  }
}

void require_supported(const Call& call) {
  struct Wanted {
    at::Place place;
    std::int64_t low, high;
    const char* what;
  };
  static constexpr Wanted all[] = {
      {at::user_order, 0, 2, "such use of perm; give 0, 1 or 2"},
      {at::op, 0, 2, "such system; give 0 (A), 1 (A^H) or 2 (A^T)"},
      {at::is_single, 0, 1, "such precision; give 0 or 1"},
      {at::from_zero, 0, 1, "such numbering; give 0 (from 1) or 1 (from 0)"},
      {at::schur, 0, 0,
       "Schur complement; call overlapack itself: schur in C++ and Python, olp_make_schur in C"},
      {at::blocks, 0, 0, "matrix in blocks (BSR); give it by rows (CSR)"},
      {at::out_of_core, 0, 2, "such place for factors; give 0, 1 or 2"},
  };
  for (const Wanted& wanted : all) {
    const std::int64_t value = call.iparm[wanted.place];
    if (value < wanted.low || value > wanted.high)
      throw Refusal(bad_input, "iparm[" + std::to_string(wanted.place) + "] (from 0) is " +
                                   std::to_string(value) + ", but overlapack's PARDISO interface has no " +
                                   wanted.what);
  }
}

namespace {

/// The variables in the order of their places perm[].
std::vector<Index> variables_by_position(const Call& call) {
  if (!call.perm)
    throw Refusal(bad_input, "iparm[4] (from 0) is 1, but perm is a null pointer; give the order");
  std::vector<Index> variables(static_cast<std::size_t>(call.n), -1);
  for (Index i = 0; i < call.n; ++i) {
    const Index place = call.perm[i] - call.base();
    if (place < 0 || place >= call.n || variables[static_cast<std::size_t>(place)] >= 0)
      throw Refusal(bad_input, "perm gives row " + std::to_string(i + call.base()) + " the place " +
                                   std::to_string(call.perm[i]) +
                                   ", which is out of range or taken; give each place once");
    variables[static_cast<std::size_t>(place)] = i;
  }
  return variables;
}

}  // namespace

Options options_of(const Call& call, const Kind& kind) {
  Options options;
  options.run.engine = Engine::thread;
  options.factorization = kind.factorization;
  options.singular = SingularMatrix::always;  // as PARDISO, which goes on from small pivots
  options.refinement.steps = refinement_steps(call);
  if (call.iparm[at::order] == 0) options.sparse.ordering = Ordering::amd;
  if (call.iparm[at::user_order] == 1) {
    options.sparse.ordering = Ordering::user;
    options.sparse.user_order = variables_by_position(call);
  }
  if (call.iparm[at::out_of_core] == 2) options.disk.factors = FactorsIn::disk;
  return options;
}

int refinement_steps(const Call& call) {
  constexpr std::int64_t most = 1000, usual = 2;
  const std::int64_t asked = call.iparm[at::refinement_steps];
  return static_cast<int>(asked == 0 ? usual : std::min(std::abs(std::max(asked, -most)), most));
}

Transpose op_of(const Call& call) {
  switch (call.iparm[at::op]) {
    case 1:
      return Transpose::conj_trans;
    case 2:
      return Transpose::trans;
    default:
      return Transpose::none;
  }
}

Code code_of(Status status, const Kind& kind) {
  switch (status) {
    case Status::out_of_memory:
      return no_memory;
    case Status::singular:
      return zero_pivot;
    case Status::bad_input:  // positions and values were looked at before
      return kind.factorization == FactorKind::cholesky ? zero_pivot : bad_input;
    case Status::bad_plan:
      return bad_input;
    default:
      return internal;
  }
}

void set_defaults(Index mtype, std::array<std::int64_t, 64>& iparm) {
  const bool is_unsymmetric = mtype == 11 || mtype == 13;
  iparm.fill(0);
  iparm[at::given] = 1;
  iparm[at::order] = 2;
  iparm[at::pivot_exponent] = mtype == 1 || mtype == 3 || is_unsymmetric ? 13 : 8;
  iparm[at::scaling] = iparm[at::matching] = is_unsymmetric ? 1 : 0;
  iparm[at::factor_entries] = -1;
  iparm[at::two_by_two] = 1;
}

}  // namespace overlapack::dropins::pardiso
