#pragma once
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace overlapack {

/// The subject of a finding.
enum class FindingKind : std::uint8_t {
  empty_unknown,        ///< it occurs in no equation
  empty_equation,       ///< it has no unknown
  too_many_equations,   ///< by the pattern alone: more equations than unknowns that occur in them
  too_few_equations,    ///< by the pattern alone: more unknowns than equations in which they occur
  free_unknowns,        ///< they can change without any effect on an equation
  dependent_equations,  ///< a combination of them is 0 = 0, or a contradiction
  weak_unknowns,        ///< no fault: they can change with next to no effect
  uneven_scale,         ///< no fault: far smaller numbers than elsewhere
};

struct Finding {
  FindingKind kind = FindingKind::free_unknowns;
  bool is_fault = true;
  std::vector<Index> unknowns, equations;  ///< that take part, those that take most part first
  std::vector<Index>
      change;  ///< unknowns to fix, of dependent_equations equations to take out: as few as mend it
  double share =
      0;  ///< weak_unknowns: of the numbers of the matrix, what sets them; uneven_scale: of a usual row
  std::string what, remedy;  ///< sentences with the caller's names
};

struct Diagnosis {
  std::vector<Finding> findings;  ///< faults first
  bool is_sound() const { return findings.empty() || !findings.front().is_fault; }
};

/// Facts of the model that the caller knows. All of them may be left out.
struct ModelFacts {
  std::vector<std::string> unknowns, equations;  ///< their names; one for each, or none
  /// Nodes, one after the other, `dimensions` numbers each. The unknowns are numbered node by node. Each node has as many as
  /// there are dimensions (displacements), or 3 in the plane and 6 in space (with rotations), or one.
  std::vector<double> coordinates;
  int dimensions = 0;
  std::vector<double>
      right_hand_side;  ///< n numbers: distinguishes equations that contradict each other from those that repeat
};

/// The reason why a matrix is singular, or nearly so, in words about its model. FindingKind lists the possible findings. For parts
/// that nothing holds, their rigid motions are named. A fault is proved: a change of each entry by 2e-14 of it makes the matrix
/// singular, and such a change is rounding in a model. A matrix that is only ill conditioned has no faults.
/// Shapes  A: square
/// Cost    an analysis and a factorisation with null_pivots on one rank, and three solves for each null vector. A singular matrix of
///         several connected parts is factorised again part by part
/// Errors  BadInput: A as for factorize; names, coordinates or b that do not fit
/// Source  Dulmage, Mendelsohn 1958 for the pattern; Oettli, Prager 1964 for the proof
template <class T>
OVERLAPACK_API Diagnosis diagnose(SparseMatrix<T> A, const ModelFacts& facts = {},
                                  const Options& options = {});

/// A table for people; "nothing wrong was found" if there is no finding.
OVERLAPACK_API std::string table_of(const Diagnosis& diagnosis);
/// {"sound": true, "findings": [{"kind", "is_fault", "unknowns", "equations", "change", "share", "what", "remedy"}]}
OVERLAPACK_API std::string to_json(const Diagnosis& diagnosis);

}  // namespace overlapack
