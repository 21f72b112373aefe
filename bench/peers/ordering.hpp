#pragma once
#include "problem.hpp"

#include <string>
#include <vector>

namespace bench {

/// The elimination sequence of A + A^T: sequence[k] is the k-th pivot. name: metis, amd or natural.
/// Errors  runtime_error for an unknown name or a library that refuses
std::vector<int> elimination_sequence(const Matrix& a, const std::string& name);

/// As above for METIS on the graph where `partner` pairs (i, partner[i]) are one node: 2x2 pivots stay
/// together. Source  Duff, Pralet, SIAM J. Matrix Anal. Appl. 27 (2005), section 4: compressed orderings from
/// a matching
std::vector<int> paired_metis_sequence(const Matrix& a, const std::vector<int>& partner);

/// Pairs from a matching (row i with column match[i]): a cycle of length l gives l/2 pairs; others are their own.
std::vector<int> pairs_of_matching(const std::vector<int>& match);

/// position[sequence[k]] = k
std::vector<int> inverse(const std::vector<int>& sequence);

}  // namespace bench
