#pragma once
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace overlapack {

/// What a finding is about. An unknown is a column of the matrix, an equation a row.
enum class FindingKind : std::uint8_t {
  empty_unknown,        ///< the unknown occurs in no equation
  empty_equation,       ///< the equation has no unknown
  too_many_equations,   ///< by the pattern alone: more equations than unknowns that occur in them
  too_few_equations,    ///< by the pattern alone: more unknowns than equations in which they occur
  free_unknowns,        ///< the unknowns can change together without any effect on an equation
  dependent_equations,  ///< a combination of the equations is 0 = 0, or a contradiction
  weak_unknowns,        ///< no fault: the unknowns can change together with next to no effect
  uneven_scale,         ///< no fault: rows or columns with far smaller numbers than the others
};

/// One reason why the matrix is singular, or nearly so.
struct Finding {
  FindingKind kind = FindingKind::free_unknowns;
  bool is_fault = true;
  std::vector<Index> unknowns, equations;  ///< those that take part, from the largest part down
  /// The unknowns to fix (dependent_equations: the equations to take out), as few as remove the fault.
  std::vector<Index> change;
  /// weak_unknowns: the relative size of the rest by which the matrix still determines them. uneven_scale: the largest number of the row
  /// over that of a usual one.
  double share = 0;
  std::string what, remedy;  ///< sentences with the caller's names
};

/// All findings about a matrix.
struct Diagnosis {
  std::vector<Finding> findings;  ///< faults first
  bool is_sound() const { return findings.empty() || !findings.front().is_fault; }
};

/// Facts about the model that the caller may give, so that findings speak of the model. All of them may be left out.
struct ModelFacts {
  std::vector<std::string> unknowns, equations;  ///< names, one for each, or empty
  /// Nodes, one after the other, `dimensions` numbers each. The unknowns are numbered node by node. Each node has as many as
  /// there are dimensions (displacements), or 3 in the plane and 6 in space (with rotations), or one.
  std::vector<double> coordinates;
  int dimensions = 0;
  /// n numbers, or empty. With them the findings distinguish equations that contradict each other from those that repeat.
  std::vector<double> right_hand_side;
};

/// Find out why a matrix is singular, or nearly so, in words about its model. FindingKind lists the possible findings. For parts of a
/// structure that nothing holds, the findings name their rigid motions. Each fault is proved: a relative change of each entry by
/// 2e-14 makes the matrix singular, and in a model such a change is rounding. A matrix that is only ill conditioned has no faults.
/// Shapes  A: square
/// Cost    an analysis and a factorisation with null_pivots on one rank, and three solves for each null vector. A singular matrix of
///         several connected parts is factorised again part by part
/// Errors  BadInput: A as for factorize; names, coordinates or b that do not fit
/// Source  Dulmage, Mendelsohn 1958 for the pattern; Oettli, Prager 1964 for the proof
template <class T>
OVERLAPACK_API Diagnosis diagnose(SparseMatrix<T> A, const ModelFacts& facts = {},
                                  const Options& options = {});

/// The diagnosis as a table for people; "nothing wrong was found" if there is no finding.
OVERLAPACK_API std::string table_of(const Diagnosis& diagnosis);
/// The diagnosis as JSON:
/// {"sound": true, "findings": [{"kind", "is_fault", "unknowns", "equations", "change", "share", "what", "remedy"}]}
OVERLAPACK_API std::string to_json(const Diagnosis& diagnosis);

}  // namespace overlapack
