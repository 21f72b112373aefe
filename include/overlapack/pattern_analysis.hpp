#pragma once
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <memory>
#include <string>

namespace overlapack {

/// The analysis of a matrix, for the factorisation of all matrices with its pattern:
///
///   const auto analysis = overlapack::analyse(A);
///   auto factors = overlapack::factorize(B, analysis);
///
/// It never changes. Copies share it, and any number of factorisations may use it at once. Under MPI rank 0 has it, the others have
/// an empty one.
class OVERLAPACK_API PatternAnalysis {
 public:
  /// As plan reports it; empty on the other ranks.
  const Report& report() const;

  /// The unknowns in the order in which they are eliminated if no pivot is delayed; empty on the other ranks.
  std::vector<Index> order() const;

  /// Write it to a file that load_analysis reads.
  /// Sync    none: rank 0 writes, the others do nothing
  /// Errors  BadInput, with the system's reason, if the file cannot be written
  void save(const std::string& path) const;

  struct Implementation;
  explicit PatternAnalysis(std::shared_ptr<const Implementation> implementation);
  /// Null: on the other ranks.
  const Implementation* implementation() const { return implementation_.get(); }

 private:
  std::shared_ptr<const Implementation> implementation_;
};

/// Analyse A once, to factorise matrices of its pattern: order, tree, matching, scaling.
/// Shapes  A: as for factorize; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  as plan
template <class T>
OVERLAPACK_API PatternAnalysis analyse(SparseMatrix<T> A, const Options& options = {});

/// An analysis from a file that PatternAnalysis::save wrote.
/// options: those of the ranks that run it; those that shape an analysis are the file's
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput: no such file, not one of ours or of this version, cut short or changed (checksums), of another byte order
///         BadPlan: as factorize with an analysis
OVERLAPACK_API PatternAnalysis load_analysis(const std::string& path, const Options& options = {});

}  // namespace overlapack
