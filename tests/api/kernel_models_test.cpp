#include "api/machine/kernel_models.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace overlapack::probe {
namespace {

std::vector<KernelSample> samples_of(const std::array<double, 5>& coefficients) {
  std::vector<KernelSample> samples;
  for (const double m : {16, 64, 300})
    for (const double n : {8, 100, 500})
      for (const double k : {4, 32, 200}) {
        samples.push_back({m, n, k, 0});
        samples.back().seconds = seconds_of(coefficients, samples.back());
      }
  return samples;
}

TEST(KernelModels, AFitFindsThePolynomialThatTheSamplesCameFrom) {
  for (const std::array<double, 5>& truth :
       {std::array<double, 5>{2e-11, 1e-9, 3e-10, 5e-10, 1e-6}, std::array<double, 5>{2e-11, 0, 0, 0, 0}}) {
    const auto found = fit_coefficients(samples_of(truth));
    for (const KernelSample& s : samples_of(truth)) EXPECT_NEAR(seconds_of(found, s) / s.seconds, 1, 1e-3);
  }
}

TEST(KernelModels, NoTermOfAFitIsNegative) {
  auto samples = samples_of({2e-11, 1e-9, 3e-10, 5e-10, 1e-6});
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].seconds *= i % 2 ? 1.5 : 0.5;
  for (const double c : fit_coefficients(samples)) EXPECT_GE(c, 0);
}

}  // namespace
}  // namespace overlapack::probe
