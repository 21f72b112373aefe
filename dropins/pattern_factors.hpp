#pragma once
#include "overlapack/overlapack.hpp"

#include <optional>
#include <span>
#include <vector>

namespace overlapack::dropins {

/// Which entries of A a caller lists.
enum class Listed : std::uint8_t {
  all,
  symmetric_half,  ///< one triangle of A = A^T
  hermitian_half,  ///< one triangle of A = A^H
};

/// The factors of a matrix whose pattern is given once and whose values are given repeatedly, as in other solvers' interfaces. The analysis
/// takes place with the first values, since a matching and scalings need values. Later values reuse it.
template <class T>
class PatternFactors {
 public:
  /// positions: rows, columns and shape of the listed entries, without values; entries at one position are added up
  /// is_distributed: each rank of the communicator lists some of the entries; otherwise the first rank lists all of them
  PatternFactors(Triplets<T> positions, Listed listed, bool is_distributed);

  /// Factorise: values[k] is the value of position k. Options take effect only if this call analyses.
  /// Sync    collective over the ranks of the options' communicator
  /// Errors  as overlapack::factorize and Factorization::refactorize
  void factorize(std::span<const T> values, const Options& options);
  /// Factorise by a kept analysis, if there are no factors yet. Positions must not be distributed.
  void factorize(std::span<const T> values, const Options& options, const PatternAnalysis& analysis);
  /// Drop the factors, so that the next factorize analyses.
  void forget() { factors_.reset(); }

  /// The matrix with these values: duplicates added up, both triangles. Positions must not be distributed.
  SparseMatrix<T> matrix(std::span<const T> values) const;

  bool has_factors() const { return factors_.has_value(); }
  /// The factors.
  /// Errors  BadInput if nothing was factorised
  Factorization<T>& factors();
  const Triplets<T>& positions() const { return positions_; }

 private:
  void compress();
  std::vector<T> column_values(std::span<const T> values) const;
  Triplets<T> filled_list(std::span<const T> values) const;
  bool is_mirrored(std::size_t k) const {
    return listed_ != Listed::all && positions_.row[k] != positions_.col[k];
  }
  T mirror(const T& x) const { return listed_ == Listed::hermitian_half ? conjugate(x) : x; }

  Triplets<T> positions_;  // without values
  Listed listed_;
  bool is_distributed_;
  /// The mirror image of an off-diagonal position, and its slot in columns_.
  struct Mirror {
    Index position = 0, slot = 0;
  };
  SparseMatrix<T> columns_;       // pattern of the whole matrix, without values; unless is_distributed_
  std::vector<Index> slot_;       // of position k in columns_
  std::vector<Mirror> mirrored_;  // of positions beside the diagonal
  std::optional<Factorization<T>> factors_;
};

}  // namespace overlapack::dropins
