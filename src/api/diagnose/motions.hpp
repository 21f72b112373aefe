#pragma once
#include "overlapack/diagnose.hpp"

#include <span>
#include <string>
#include <vector>

namespace overlapack::api {

/// The rigid motions of a model with coordinates, and which of them some null vectors are.
class RigidMotions {
 public:
  /// None without coordinates, or where the unknowns are neither displacements nor displacements and rotations of the nodes.
  RigidMotions(const ModelFacts& facts, Index n);

  /// In words, what the vectors do to these unknowns: "translation along x, rotation about (1, 2)"; "" where they are no rigid
  /// motions.
  /// Shapes  vectors: by columns, as long as `unknowns`
  std::string describe(std::span<const Index> unknowns, std::vector<std::vector<double>> vectors) const;

  Index node(Index unknown) const { return unknown / per_node_; }
  Index per_node() const { return per_node_; }

 private:
  struct Motion {
    std::string name;
    std::vector<double> values;  ///< of all unknowns
  };
  std::string center(std::span<const Index> unknowns, const std::vector<double>& v) const;

  const ModelFacts& facts_;
  Index per_node_ = 1;
  std::vector<Motion> motions_;
};

}  // namespace overlapack::api
