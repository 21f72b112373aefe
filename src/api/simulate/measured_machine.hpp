#pragma once
#include "api/probe/kernel_models.hpp"
#include "api/probe/messages.hpp"

#include <string>
#include <vector>

namespace overlapack::api {

/// What a probe of this computer found.
struct MeasuredMachine {
  std::vector<KernelModel> kernels;
  double triad_bytes_per_s = 0;
  std::vector<MessageRate> messages;  ///< none: one rank alone
  std::vector<NapTest> naps;
  std::string engine;
  int ranks = 1;
};

/// The machine as a file for `overlapack simulate`: one node, with a name of its own; each number says how it was measured,
/// or that it was not.
std::string machine_json(const MeasuredMachine& measured, const std::string& name);

}  // namespace overlapack::api
