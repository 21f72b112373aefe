#pragma once
#include "overlapack/diagnose.hpp"

#include <span>
#include <string>
#include <vector>

namespace overlapack::api {

/// The rigid motions of a model with coordinates. It recognises null vectors that are rigid motions, and names them.
class RigidMotions {
 public:
  /// There are no motions without coordinates, or if the unknowns are neither displacements nor displacements and rotations of the nodes.
  RigidMotions(const ModelFacts& facts, Index n);

  /// Describe the motion of these unknowns by the vectors: "translation along x, rotation about (1, 2)"; "" if they are no rigid motions.
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
