#pragma once
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <memory>
#include <string>

namespace overlapack {

/// A kept analysis: ordering, tree, matching and scaling of a matrix, to factorise every matrix with the same pattern.
///
///   const auto analysis = overlapack::analyse(A);
///   auto factors = overlapack::factorize(B, analysis);
///
/// The object never changes. Copies share one analysis, and any number of factorisations may use it at once. Under MPI rank 0 has the
/// analysis, and the other ranks have an empty object.
class OVERLAPACK_API PatternAnalysis {
 public:
  /// The report of the analysis, with the predictions that plan gives; empty on ranks other than 0.
  const Report& report() const;

  /// The unknowns in the order of their elimination, if no pivot is delayed; empty on ranks other than 0.
  std::vector<Index> order() const;

  /// Write the analysis to a file that load_analysis reads.
  /// Sync    none: rank 0 writes, the other ranks do nothing
  /// Errors  BadInput, with the system's reason, if the file cannot be written
  void save(const std::string& path) const;

  struct Implementation;
  explicit PatternAnalysis(std::shared_ptr<const Implementation> implementation);
  /// For the library. Null on ranks other than 0.
  const Implementation* implementation() const { return implementation_.get(); }

 private:
  std::shared_ptr<const Implementation> implementation_;
};

/// Analyse A and keep the result, to factorise matrices with its pattern by factorize(B, analysis).
/// Shapes  A: as for factorize; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  as plan
template <class T>
OVERLAPACK_API PatternAnalysis analyse(SparseMatrix<T> A, const Options& options = {});

/// Read an analysis from a file that PatternAnalysis::save wrote.
/// options: options of the engine are used; options that shape an analysis come from the file
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput: there is no such file; it is not an analysis or not of this version; it was cut short or changed (checksums); it
///         has another byte order
///         BadPlan: as factorize with an analysis
OVERLAPACK_API PatternAnalysis load_analysis(const std::string& path, const Options& options = {});

}  // namespace overlapack
