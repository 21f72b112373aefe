#pragma once
#include "overlapack/options.hpp"
#include "processes.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

/// Values of the host's ICNTL and CNTL.
namespace overlapack::dropins::mumps {

/// A request that is refused: INFO(1), INFO(2) and a sentence.
class Refusal : public std::runtime_error {
 public:
  Refusal(int info1, int info2, const std::string& message)
      : std::runtime_error(message), info{info1, info2} {}
  const std::array<int, 2> info;
};
inline constexpr int bad_entries = -2, bad_job = -3, bad_order = -4, no_rhs = -45, bad_n = -16,
                     null_pointer = -22, bad_lrhs = -26, bad_rhs_pointers = -27, small_solution = -29,
                     is_singular = -10, no_memory = -13, bad_elements = -24, bad_schur_lld = -30,
                     no_schur = -33, bad_lredrhs = -34, not_condensed = -35, bad_schur_size = -49,
                     small_memory = -19, bad_nrhs = -32, bad_null_space = -36, null_space_with = -37,
                     bad_inverse_nrhs = -47, inverse_with = -48, not_here = -800;

/// Errors  Refusal on all processes where `is_there` is false on one; number: as MUMPS counts its arrays
void require(const Processes& processes, bool is_there, int number, const char* name);

/// The host's values that are used, the same on all processes.
struct Controls {
  int n = 0, sym = 0, nrhs = 1;
  int nelt = 0, size_schur = 0, schur_lld = 0, nprow = 0, npcol = 0, lredrhs = 0;
  std::array<int, 60> icntl{};
  double threshold = 0;  ///< CNTL(1)
  int of(int k) const { return icntl[static_cast<std::size_t>(k) - 1]; }
  bool is_by_elements() const { return of(5) == 1; }
  bool is_distributed() const { return of(18) != 0 && !is_by_elements(); }
  bool has_schur() const { return of(19) != 0 && size_schur != 0; }
  bool has_schur_by_rows() const { return of(19) == 1; }
  bool has_sparse_rhs() const { return of(20) >= 1 && of(20) <= 3; }
  bool wants_inverse() const { return of(30) != 0; }
  bool has_distributed_rhs() const { return of(20) >= 10; }
  bool has_distributed_solution() const { return of(21) != 0; }

  /// Errors  Refusal: an ICNTL that asks for something that is not built
  void require_supported(int processes) const;
  /// order: of ICNTL(7) = 1, as Options::sparse::user_order
  Options options(const Processes& processes, const std::vector<Index>& order) const;
  /// ICNTL(10), read before each solve; a negative one counts as its absolute value.
  int refinement_steps() const;
  /// Are the values that analysis and factorisation use the same as in `other`?
  bool factorizes_as(const Controls& other) const;
};

/// Defaults of MUMPS's manual.
void set_defaults(int sym, int* icntl, std::array<double, 15>& cntl);

}  // namespace overlapack::dropins::mumps
