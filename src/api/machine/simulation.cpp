#include "base/own_file.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/machine.hpp"
#include "overlapack/printed.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fcntl.h>
#include <unistd.h>

namespace overlapack::simulate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_ranks = 65536;
constexpr std::int64_t receive_buffer_bytes = std::int64_t{1} << 26;

int ranks_on_node(const Simulation& s) {
  return s.ranks_per_node > 0 ? s.ranks_per_node : s.machine.ranks_per_node;
}
int nodes_of(const Simulation& s) { return (s.ranks + ranks_on_node(s) - 1) / ranks_on_node(s); }

/// The number of processors of a node, for ranks and their workers.
int processors_on_node(const Simulation& s) { return std::max(s.machine.ranks_per_node, ranks_on_node(s)); }

bool slow_each_other_down(const Simulation& s) { return s.machine.together_factor != 1; }

/// The text for a node's processors, each of 1e9 units of work a second. If processors slow each other down (together_factor), the node has
/// one core instead, which they share. Its speed is the sum of their speeds over that factor.
std::string processors(const Simulation& s) {
  const int count = processors_on_node(s);
  if (!slow_each_other_down(s)) return printed("speed=\"1Gf\" core=\"%d\"", count);
  return printed("speed=\"%.17gGf\" core=\"1\"", std::max(1.0, count / s.machine.together_factor));
}

/// The text for a switched network, with one link for each node. If the rate of a message is limited below that of a link, a backbone limits
/// each message by itself. Otherwise there is no backbone, because with one SimGrid recomputes the rates of all messages whenever a message
/// begins or ends.
std::string switched(const SimulatedMachine& m) {
  if (m.flow_bytes_per_s <= 0 || m.flow_bytes_per_s >= m.link_bytes_per_s)
    return printed("bw=\"%.17gBps\" lat=\"%.17gs\"", m.link_bytes_per_s, m.latency_s / 2);
  return printed(
      "bw=\"%.17gBps\" lat=\"%.17gs\" bb_bw=\"%.17gBps\" bb_lat=\"%.17gs\" bb_sharing_policy=\"FATPIPE\"",
      m.link_bytes_per_s, m.latency_s / 4, m.flow_bytes_per_s, m.latency_s / 2);
}

json kernel_json(const KernelRate& kernel) {
  json object{{"flops_per_s", kernel.flops_per_s},
              {"bytes_per_s", kernel.bytes_per_s},
              {"call_s", kernel.call_s},
              {"half_width", kernel.half_width}};
  if (!kernel.coefficients.empty()) object["coefficients"] = kernel.coefficients;
  return object;
}

/// The latency that the links do not have: latency_s for a torus, none for a switch. Words through windows arrive later by this time. SMPI
/// cannot delay messages in this way, so half of it is processor time at each end of a message; for a signal all of it is at the sender.
double wire_s(const SimulatedMachine& m) {
  return m.topology == SimulatedMachine::Topology::torus ? m.latency_s : 0;
}

/// An option of SMPI for the overhead of messages: segments of sizes, each with the seconds of a message and of a byte. Messages of up to 7
/// bytes are signals of windows (comm/engine/mpi/plugin/simulated_windows.cpp). All others are longer, since they have a header, or empty.
std::string overhead(const char* name, const SimulatedMachine& m, double seconds, double of_signal) {
  const double of_byte = m.copy_bytes_per_s > 0 ? 1 / m.copy_bytes_per_s : 0, all = seconds + wire_s(m) / 2;
  return printed("--cfg=smpi/%s:0:%.17g:%.17g;1:%.17g:0;7:%.17g:%.17g", name, all, of_byte, of_signal, all,
                 of_byte);
}

}  // namespace

TorusShape torus_for(int nodes) {
  TorusShape shape;
  constexpr int least = 2;  // SimGrid has no link from a node to itself
  shape.x = std::max(least, static_cast<int>(std::floor(std::cbrt(nodes) + 1e-9)));
  const int plane = (nodes + shape.x - 1) / shape.x;
  shape.y = std::max(least, static_cast<int>(std::floor(std::sqrt(plane) + 1e-9)));
  shape.z = std::max(least, (plane + shape.y - 1) / shape.y);
  return shape;
}

std::string platform_xml(const Simulation& s) {
  const SimulatedMachine& m = s.machine;
  const TorusShape torus = torus_for(nodes_of(s));
  const bool is_torus = m.topology == SimulatedMachine::Topology::torus;
  const int hosts = is_torus ? torus.x * torus.y * torus.z : nodes_of(s);
  std::string network;
  if (is_torus)
    network = printed("topology=\"TORUS\" topo_parameters=\"%d,%d,%d\" bw=\"%.17gBps\" lat=\"%.17gs\"",
                      torus.x, torus.y, torus.z, m.link_bytes_per_s, m.hop_s);
  else
    network = switched(m);
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n"
         // SimGrid 4.0 aborts on a torus outside of a zone
         "  <zone id=\"world\" routing=\"Full\">\n" +
         printed("  <cluster id=\"machine\" prefix=\"node\" suffix=\"\" radical=\"0-%d\" ", hosts - 1) +
         processors(s) + " sharing_policy=\"SPLITDUPLEX\"\n           " + network +
         printed("\n           loopback_bw=\"%.17gBps\" loopback_lat=\"%.17gs\"/>\n  </zone>\n</platform>\n",
                 m.node_bytes_per_s, m.node_latency_s);
}

std::string host_list(const Simulation& s) {
  std::string hosts;
  for (int rank = 0; rank < s.ranks; ++rank) hosts += "node" + std::to_string(rank / ranks_on_node(s)) + "\n";
  return hosts;
}

std::string run_json(const Simulation& s) {
  const SimulatedMachine& m = s.machine;
  json kernels = json::object(), slow = json::object();
  for (const auto& [name, rate] : m.kernels) kernels[name] = kernel_json(rate);
  kernels["message"] = {{"flops_per_s", 1 / std::max(1e-12, m.latency_s + m.send_s + m.receive_s)},
                        {"call_s", 0.0}};
  // each further one of several at once: time of both sides
  kernels["put_signal"] = {{"flops_per_s", 1 / std::max(1e-12, m.send_s + m.receive_s)}, {"call_s", 0.0}};
  kernels["repeated"] = {{"flops_per_s", 1.0}, {"call_s", 0.0}};  // charged in seconds: comm/superstep
  for (const auto& [host, factor] : s.slow_hosts)
    for (int rank = 0; rank < s.ranks; ++rank)
      if (rank / ranks_on_node(s) == host / ranks_on_node(s)) slow[std::to_string(rank)] = factor;
  return json{{"machine", m.name},
              {"compute", kernel_json(m.compute)},
              {"kernels", kernels},
              {"memory_bytes_per_s", m.memory_bytes_per_s},
              {"slow_each_other_down", slow_each_other_down(s)},
              {"processors_per_node", processors_on_node(s)},
              {"ranks_per_node", ranks_on_node(s)},
              {"slow_ranks", slow},
              {"noise", s.noise},
              {"seed", s.seed},
              {"onesided", {{"put_s", m.put_s}, {"get_s", m.get_s}, {"wire_s", wire_s(m)}}},
              {"eager_bytes", s.eager_bytes >= 0 ? s.eager_bytes : m.eager_bytes},
              {"receive_buffer_bytes", receive_buffer_bytes},
              {"phantom", s.is_phantom},
              {"progress", to_string(s.progress)},
              {"columns_per_exchange", s.columns_per_exchange}}
      .dump(2);
}

void write_simulation(const Simulation& s, const fs::path& folder) {
  const auto write = [&](const char* name, const std::string& text) {
    io::write_file((folder / name).string(), [&](auto& out) { out << text; });
  };
  write("platform.xml", platform_xml(s));
  write("hosts", host_list(s));
  write("run.json", run_json(s));
}

std::vector<std::string> launcher_arguments(const Simulation& s, const fs::path& folder,
                                            const fs::path& program,
                                            const std::vector<std::string>& arguments) {
  const SimulatedMachine& m = s.machine;
  std::vector<std::string> words{
      "-np", std::to_string(s.ranks), "-platform", (folder / "platform.xml").string(), "-hostfile",
      (folder / "hosts").string(),
      // ranks share the memory of one process: comm/engine/mpi keeps apart what is theirs
      "--cfg=smpi/privatization:no", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/host-speed:1Gf",
      "--cfg=smpi/grow-injected-times:no", "--cfg=smpi/iprobe:2e-7",
      // where windows are made: p log p messages in place of p^2, and no rank waits for all others in turn
      "--cfg=smpi/allgather:bruck", "--cfg=smpi/barrier:ompi_tree",
      "--cfg=smpi/shared-malloc-blocksize:8388608", "--cfg=contexts/stack-size:1024",
      // a plain machine: latency and bandwidth as the file says, no corrections for TCP
      "--cfg=smpi/lat-factor:0:1", "--cfg=smpi/bw-factor:0:1", "--cfg=network/TCP-gamma:0",
      // which protocol a message takes is decided by the engine
      "--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647",
      overhead("os", m, m.send_s, m.put_s + wire_s(m)), overhead("ois", m, m.send_s, m.put_s + wire_s(m)),
      overhead("or", m, m.receive_s, 0), "--log=root.thres:error", program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

fs::path own_program(const std::string& name) {
  for (const fs::path& folder : {folder_of_installation(), fs::path(OVERLAPACK_PLUGINS)}) {
    std::error_code missing;
    const fs::path path = fs::canonical(folder / name, missing);
    if (folder.empty() || missing) continue;
    for (const fs::path& part : {path.parent_path(), path}) {
      const int opened = ::open(part.c_str(), O_PATH | O_CLOEXEC);
      const std::string objection = reason_not_to_execute(opened);
      ::close(opened);
      if (!objection.empty())
        throw Error(Status::bad_plan,
                    path.string() + " is not run: " + part.string() + " " + objection +
                        "; give it to the owner of this program, and let nobody else write to it");
    }
    return path;
  }
  return {};
}

fs::path simulated_program() {
  if (const fs::path path = own_program("overlapack_smpi.so"); !path.empty()) return path;
  throw Error(Status::bad_plan,
              "this overlapack was built without SimGrid; install libsimgrid-dev (Debian and Ubuntu) and "
              "build it again");
}

void check(const Simulation& s) {
  public_call(call::simulate, [&] {
    if (s.ranks < 1 || s.ranks > most_ranks)
      throw Error(Status::bad_plan, std::to_string(s.ranks) + " ranks cannot be simulated; give 1 to " +
                                        std::to_string(most_ranks));
    for (const auto& [host, factor] : s.slow_hosts)
      if (host < 0 || host >= s.ranks || !(factor > 0))
        throw Error(Status::bad_plan,
                    "slow host " + std::to_string(host) + " is not among the " + std::to_string(s.ranks) +
                        " ranks, or its factor is not positive; give RANK:FACTOR as in 3:2");
  });
}

}  // namespace overlapack::simulate
