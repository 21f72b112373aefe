#pragma once
#include "overlapack/diagnose.hpp"

#include <span>
#include <string>

namespace overlapack::api {

/// The names of a model's unknowns and equations, for sentences.
class ModelNames {
 public:
  explicit ModelNames(const ModelFacts& facts) : facts_(facts) {}

  std::string unknown(Index i) const { return name(facts_.unknowns, i, "unknown "); }
  std::string equation(Index i) const {
    return facts_.equations.empty() && !facts_.unknowns.empty() ? "equation of " + unknown(i)
                                                                : name(facts_.equations, i, "equation ");
  }
  /// "a, b and 17 more"
  std::string unknowns(std::span<const Index> which) const;
  std::string equations(std::span<const Index> which) const;

 private:
  static std::string name(const std::vector<std::string>& names, Index i, const char* otherwise) {
    return names.empty() ? otherwise + std::to_string(i) : names[static_cast<std::size_t>(i)];
  }
  template <class Name>
  static std::string list(std::span<const Index> which, Name&& name);

  const ModelFacts& facts_;
};

}  // namespace overlapack::api
