#include "comm/engine/mpi/load/simulated_machine.hpp"

#include "overlapack/choices.hpp"
#include "overlapack/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numbers>

namespace overlapack::comm::mpi {

namespace {

using nlohmann::json;

KernelTime kernel_from_json(const json& object) {
  KernelTime kernel{.flops_per_s = object.at("flops_per_s").get<double>(),
                    .bytes_per_s = object.value("bytes_per_s", 0.0),
                    .call_s = object.value("call_s", 0.0),
                    .half_width = object.value("half_width", 0.0)};
  if (!object.contains("coefficients")) return kernel;
  kernel.has_coefficients = true;
  kernel.coefficients = object.at("coefficients").get<std::array<double, 5>>();
  return kernel;
}

std::int32_t progress_from_name(const std::string& name) {
  switch (choice_named<NetworkProgress>(name).value()) {
    case NetworkProgress::always:
      return overlapack_progress_always;
    case NetworkProgress::calls:
      return overlapack_progress_calls;
    case NetworkProgress::sender:
      break;
  }
  return overlapack_progress_sender;
}

}  // namespace

const SimulatedMachine* SimulatedMachine::of_this_run() {
  static const std::unique_ptr<SimulatedMachine> machine = [] {
    const char* path = std::getenv("OVERLAPACK_SIMULATED_MACHINE");
    return path && *path ? std::make_unique<SimulatedMachine>(path) : nullptr;
  }();
  return machine.get();
}

SimulatedMachine::SimulatedMachine(const std::string& path) {
  try {
    std::ifstream file(path);
    const json run = json::parse(file);
    usual_ = kernel_from_json(run.at("compute"));
    for (const auto& [name, kernel] : run.at("kernels").items()) kernels_[name] = kernel_from_json(kernel);
    memory_bytes_per_s_ = run.at("memory_bytes_per_s").get<double>();
    for (const auto& [rank, factor] : run.at("slow_ranks").items())
      slow_ranks_[std::stoi(rank)] = factor.get<double>();
    slow_each_other_down_ = run.at("slow_each_other_down").get<bool>();
    noise_ = run.at("noise").get<double>();
    seed_ = run.at("seed").get<std::uint64_t>();
    const json& onesided = run.at("onesided");
    onesided_ = {.put_s = onesided.at("put_s").get<double>(),
                 .get_s = onesided.at("get_s").get<double>(),
                 .wire_s = onesided.at("wire_s").get<double>()};
    ranks_per_node_ = run.at("ranks_per_node").get<int>();
    settings_.eager_bytes = run.at("eager_bytes").get<std::int64_t>();
    settings_.head_bytes = run.at("receive_buffer_bytes").get<std::int64_t>();
    settings_.is_phantom = run.at("phantom").get<bool>();
    settings_.progress = progress_from_name(run.at("progress").get<std::string>());
    settings_.threads_of_rank = run.at("processors_per_node").get<int>() / ranks_per_node_;
    settings_.columns_per_exchange = run.at("columns_per_exchange").get<std::int64_t>();
  } catch (const std::exception& e) {
    throw Error(Status::bad_input, "the description of the simulated machine, " + path +
                                       ", cannot be read (" + e.what() +
                                       "); start the program by `overlapack simulate`");
  }
}

double SimulatedMachine::seconds(const OverlapackWork& work) const {
  const auto found = kernels_.find(std::string_view(work.kind, static_cast<std::size_t>(work.kind_bytes)));
  const KernelTime& kernel = found == kernels_.end() ? usual_ : found->second;
  const auto m = static_cast<double>(work.m), n = static_cast<double>(work.n),
             k = static_cast<double>(work.k);
  if (kernel.has_coefficients && work.m > 0 && work.n > 0 && work.k > 0) {
    const auto& c = kernel.coefficients;
    return c[0] * m * n * k + c[1] * m * n + c[2] * m * k + c[3] * n * k + c[4];
  }
  const double bytes_per_s = kernel.bytes_per_s > 0 ? kernel.bytes_per_s : memory_bytes_per_s_;
  const double width = work.k > 0 ? k : n;
  const double slower = width > 0 ? 1 + kernel.half_width / width : 1;
  return std::max(slower * work.flops / kernel.flops_per_s, work.bytes / bytes_per_s) + kernel.call_s;
}

double SimulatedMachine::slowness(int rank) const {
  const auto slow = slow_ranks_.find(rank);
  const double asked = slow == slow_ranks_.end() ? 1 : slow->second;
  Random of_host(seed_ + 0x9e37 * static_cast<std::uint64_t>(rank / ranks_per_node_ + 1));
  return asked * (1 + noise_ * half_normal(of_host));
}

double half_normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));  // Box and Muller
  return std::abs(radius * std::cos(2 * std::numbers::pi * random.uniform()));
}

}  // namespace overlapack::comm::mpi
