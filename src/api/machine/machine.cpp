#include "overlapack/machine.hpp"

#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

namespace overlapack::simulate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Reads the fields of a machine file. A number has the form {"value": ..., "source": "..."}; one without a source is refused.
class Fields {
 public:
  Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  template <class Value>
  Value at(const char* name) {
    if (!object_.contains(name)) refuse(name, "is missing");
    const json& field = object_.at(name);
    if (!field.is_object() || !field.contains("value") || !field.contains("source") ||
        !field.at("source").is_string() || field.at("source").get<std::string>().empty())
      refuse(name, "must be {\"value\": ..., \"source\": \"where it comes from\"}");
    try {
      return field.at("value").get<Value>();
    } catch (const json::exception&) {
      refuse(name, "has a value of the wrong kind");
    }
  }
  double number(const char* name) {
    const double value = at<double>(name);
    if (!(value >= 0)) refuse(name, "must not be negative");
    return value;
  }
  double positive(const char* name) {
    const double value = number(name);
    if (!(value > 0)) refuse(name, "must be positive");
    return value;
  }
  double number_or(const char* name, double otherwise) {
    return object_.contains(name) ? number(name) : otherwise;
  }
  std::int64_t whole(const char* name, double least, double most) {
    const double value = at<double>(name);
    if (!(value >= least && value <= most && value == std::floor(value)))
      refuse(name, "must be a whole number, and neither below " + std::to_string(std::int64_t(least)) +
                       " nor above " + std::to_string(std::int64_t(most)));
    return static_cast<std::int64_t>(value);
  }
  /// A plain value without "source", which is elsewhere or not needed.
  template <class Value>
  Value plain(const char* name, const Value& otherwise) const {
    try {
      return object_.value(name, otherwise);
    } catch (const json::exception&) {
      refuse(name, "has a value of the wrong kind");
    }
  }
  Fields part(const char* name) {
    if (!object_.contains(name) || !object_.at(name).is_object()) refuse(name, "is missing");
    return of(name, object_.at(name));
  }
  /// The fields of an object inside of this one.
  Fields of(const std::string& name, const json& inside) const { return {inside, where_ + name + "."}; }
  bool has(const char* name) const { return object_.contains(name); }
  const json& object() const { return object_; }
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    throw Error(Status::bad_input, where_ + name + " " + what + "; docs/simulate.md describes machine files");
  }

 private:
  const json& object_;
  std::string where_;
};

std::map<std::string, KernelRate> kernels_from(Fields compute, const KernelRate& usual) {
  std::map<std::string, KernelRate> kernels;
  if (!compute.has("kernels")) return kernels;
  for (const auto& [name, object] : compute.object().at("kernels").items()) {
    if (!object.is_object() || !object.contains("source")) compute.refuse("kernels." + name, "has no source");
    const Fields rate = compute.of("kernels." + name, object);
    const KernelRate kernel{.flops_per_s = rate.plain("flops_per_s", 0.0),
                            .call_s = rate.plain("call_s", usual.call_s),
                            .bytes_per_s = rate.plain("bytes_per_s", 0.0),
                            .half_width = rate.plain("half_width", usual.half_width),
                            .coefficients = rate.plain("coefficients", std::vector<double>())};
    const bool has_five = kernel.coefficients.size() == 5;
    if (!(kernel.flops_per_s > 0) || !(kernel.half_width >= 0) || (!kernel.coefficients.empty() && !has_five))
      compute.refuse(
          "kernels." + name,
          "needs flops_per_s, and may have a half_width that is not negative and the five coefficients of "
          "mnk, mn, mk, nk and 1");
    kernels[name] = kernel;
  }
  return kernels;
}

SimulatedMachine machine_from(const json& object, const std::string& path) {
  Fields all(object, path + ": "), compute = all.part("compute"), network = all.part("network");
  SimulatedMachine m;
  m.name = all.plain("name", std::string());
  m.summary = all.plain("summary", std::string());
  m.ranks_per_node = static_cast<int>(all.whole("ranks_per_node", 1, 1e9));
  m.memory_bytes_per_rank = all.positive("memory_bytes_per_rank");
  m.compute = {.flops_per_s = compute.positive("flops_per_s"),
               .call_s = compute.number("call_s"),
               .bytes_per_s = 0,
               .half_width = compute.number_or("half_width", 0),
               .coefficients = {}};
  m.kernels = kernels_from(compute, m.compute);
  m.memory_bytes_per_s = compute.positive("memory_bytes_per_s");
  m.together_factor = std::max(1.0, compute.number_or("together_factor", 1));
  const auto topology = network.at<std::string>("topology");
  if (topology != "torus" && topology != "switch") network.refuse("topology", "must be switch or torus");
  m.topology = topology == "torus" ? SimulatedMachine::Topology::torus : SimulatedMachine::Topology::switched;
  m.link_bytes_per_s = network.positive("link_bytes_per_s");
  m.flow_bytes_per_s = network.number_or("flow_bytes_per_s", 0);
  m.hop_s = network.number_or("hop_s", 0);
  m.latency_s = network.number("latency_s");
  m.send_s = network.number("send_s");
  m.receive_s = network.number("receive_s");
  m.copy_bytes_per_s = network.number_or("copy_bytes_per_s", 0);
  m.put_s = m.get_s = m.send_s;
  if (all.has("onesided")) {
    Fields onesided = all.part("onesided");
    m.put_s = onesided.number("put_s");
    m.get_s = onesided.number("get_s");
  }
  m.node_bytes_per_s = network.number_or("node_bytes_per_s", 4 * m.link_bytes_per_s);
  m.node_latency_s = network.number_or("node_latency_s", m.latency_s / 2);
  if (network.has("progress")) {
    const auto progress = choice_named<NetworkProgress>(network.at<std::string>("progress"));
    if (!progress) network.refuse("progress", "must be always, calls or sender");
    m.progress = *progress;
  }
  m.eager_bytes = all.whole("eager_bytes", 0, 1e15);
  return m;
}

SimulatedMachine read_file(const fs::path& path) {
  std::ifstream file(path);
  const json object = json::parse(file, nullptr, false);
  if (!object.is_object())
    throw Error(Status::bad_input,
                path.string() + " is no JSON object; docs/simulate.md describes machine files");
  return machine_from(object, path.filename().string());
}

}  // namespace

std::vector<fs::path> machine_folders() {
  std::error_code ignored;
  const fs::path own = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {own / "../share/overlapack/machines", fs::path(OVERLAPACK_MACHINES)};
}

SimulatedMachine read_machine(const std::string& name_or_path) {
  return public_call(call::simulate, [&]() -> SimulatedMachine {
    std::error_code ignored;
    if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json")) {
      if (fs::is_regular_file(name_or_path, ignored)) return read_file(name_or_path);
      throw Error(Status::bad_plan,
                  "there is no machine file \"" + name_or_path + "\"; give an existing one");
    }
    for (const fs::path& folder : machine_folders())
      if (const fs::path path = folder / (name_or_path + ".json"); fs::is_regular_file(path, ignored))
        return read_file(path);
    std::string list;
    std::vector<std::string> names;
    for (const SimulatedMachine& machine : known_machines()) {
      names.push_back(machine.name);
      list += machine.name + ", ";
    }
    throw Error(Status::bad_plan, "there is no machine \"" + name_or_path + "\"" +
                                      did_you_mean(name_or_path, names) + "; give " +
                                      (list.empty() ? "" : list + "or ") + "the path of a JSON file");
  });
}

std::vector<SimulatedMachine> known_machines() {
  std::map<std::string, SimulatedMachine> found;
  std::error_code ignored;
  for (const fs::path& folder : machine_folders())
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".json" && !found.contains(entry.path().stem().string()))
        found.emplace(entry.path().stem().string(), read_file(entry.path()));
  std::vector<SimulatedMachine> machines;
  for (auto& [name, machine] : found) machines.push_back(std::move(machine));
  return machines;
}

}  // namespace overlapack::simulate
