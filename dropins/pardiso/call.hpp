#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace overlapack::dropins::pardiso {

/// MKL's error codes.
enum Code : int {
  bad_input = -1,
  no_memory = -2,
  zero_pivot = -4,
  internal = -5,
};

/// An exception that ends a call with MKL's code and a sentence.
struct Refusal : std::runtime_error {
  Refusal(Code why, const std::string& message) : std::runtime_error(message), code(why) {}
  Code code;
};

/// A list of the caller's integers, of 32 or 64 bits.
struct IntList {
  void* data = nullptr;
  bool is_wide = false;

  explicit operator bool() const { return data != nullptr; }
  Index operator[](Index k) const {
    return is_wide ? static_cast<std::int64_t*>(data)[k] : static_cast<std::int32_t*>(data)[k];
  }
  void set(Index k, Index value) const {
    if (is_wide)
      static_cast<std::int64_t*>(data)[k] = value;
    else
      static_cast<std::int32_t*>(data)[k] = static_cast<std::int32_t>(value);
  }
};

/// Elements of iparm by their number in C, from 0.
namespace at {
enum Place : int {
  given = 0,
  order = 1,
  user_order = 4,
  writes_b = 5,
  steps_done = 6,
  refinement_steps = 7,
  pivot_exponent = 9,
  scaling = 10,
  op = 11,
  matching = 12,
  perturbed = 13,
  peak_kb = 14,
  permanent_kb = 15,
  factor_kb = 16,
  factor_entries = 17,
  mflops = 18,
  two_by_two = 20,
  positive = 21,
  negative = 22,
  checks = 26,
  is_single = 27,
  from_zero = 34,
  schur = 35,
  blocks = 36,
  out_of_core = 59,
};
}  // namespace at

/// One call of pardiso.
struct Call {
  Index maxfct = 1, mnum = 1, mtype = 11, phase = 0, n = 0, nrhs = 0;
  const void* values = nullptr;
  IntList ia, ja, perm;
  std::array<std::int64_t, 64> iparm{};
  void *b = nullptr, *x = nullptr;

  Index base() const { return iparm[at::from_zero] == 1 ? 0 : 1; }
};

/// Set iparm as pardisoinit does.
void set_defaults(Index mtype, std::array<std::int64_t, 64>& iparm);

/// Run a call of pardiso; pt holds the handle. Returns MKL's code; message() has the sentence.
int run(void** pt, Call& call);
/// Copy the diagonals of the factors and of A, as pardiso_getdiag does.
int diagonals(void* const* pt, Index mnum, void* df, void* da);
/// Refuse a function of MKL that this drop-in lacks.
int refuse_function(const char* name);
const char* message();

}  // namespace overlapack::dropins::pardiso
