#pragma once
#include "comm/rank.hpp"
#include "dist/grid/descriptor.hpp"
#include "program.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace overlapack::scalapack {

using dist::DescriptorEntry;

/// A submatrix argument of a routine: sub(X) = X(i : i + rows - 1, j : j + cols - 1). Members with `_at` are positions in the routine's list of
/// arguments; i and j come directly before the descriptor.
struct Submatrix {
  int rows, rows_at, cols, cols_at, i, j;
  dist::DescriptorView descriptor;
  int descriptor_at;

  int operator[](DescriptorEntry e) const { return dist::entry(descriptor, e); }
  int i_at() const { return descriptor_at - 2; }
  int j_at() const { return descriptor_at - 1; }
  bool is_empty() const { return rows == 0 || cols == 0; }
  /// The offset of sub(X) inside its first block.
  int i_in_block() const { return (i - 1) % std::max((*this)[DescriptorEntry::mb], 1); }
  int j_in_block() const { return (j - 1) % std::max((*this)[DescriptorEntry::nb], 1); }
};

/// The result of checking a call, the same on all processes.
struct Verdict {
  int info = 0;          ///< 0, or the first illegal argument: -argument, or -(100 argument + entry)
  bool is_taken = true;  ///< false: info names no error, but a case that is not served here
  bool is_one_plan = true;
};

/// Makes ScaLAPACK's checks of arguments, on this process and across the grid. The error with the smallest argument number is reported.
/// Source  ScaLAPACK's CHK1MAT, PCHK1MAT, PCHK2MAT (TOOLS)
class ArgumentCheck {
 public:
  static constexpr DescriptorEntry no_entry{0};
  struct Rule {
    bool is_broken;
    int argument;
    DescriptorEntry entry = no_entry;
  };

  explicit ArgumentCheck(const Grid& grid) : grid_(grid) {}

  /// Check this matrix on this process, and require that its global arguments are equal on all processes.
  void require_matrix(const Submatrix& X);
  /// Require that a value is equal on all processes.
  void require_same(int value, int argument, DescriptorEntry entry = no_entry);
  /// Require that all rules hold. The first broken rule is noted as an error.
  void require(std::initializer_list<Rule> rules) { note(rules, true); }
  /// Check rules that calls must satisfy to be served here; a call that breaks one is legal. Skipped after an error.
  void require_served(std::initializer_list<Rule> rules) {
    if (has_passed()) note(rules, false);
  }
  bool has_passed() const { return first_ == none; }

  /// Combine the results of all processes of the grid. The verdict is the same on each.
  /// Sync    collective over the team of the grid
  Verdict agree(comm::Rank& rank, std::int64_t plan_number) const;

 private:
  struct Global {
    int value, key;
  };
  static constexpr int none = 1 << 30;
  /// A sort key by argument and entry. For the same argument, an error comes before a case that is only not served.
  static int key_of(int argument, DescriptorEntry entry, bool is_error) {
    return (argument * 100 + static_cast<int>(entry)) * 2 + !is_error;
  }
  void note(std::initializer_list<Rule> rules, bool is_error);

  Grid grid_;
  int first_ = none;
  std::vector<Global> globals_;
};

}  // namespace overlapack::scalapack
