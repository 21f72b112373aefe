#include "bug_report.hpp"

#include "overlapack/environment.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>

namespace overlapack::cli {
namespace {

using nlohmann::ordered_json;

/// The entries of `all` that differ from `defaults`. For the object of experiments, the experiments that differ.
ordered_json changed_entries(const ordered_json& all, const ordered_json& defaults) {
  ordered_json found = ordered_json::object();
  for (const auto& [name, value] : all.items())
    if (const ordered_json usual = defaults.value(name, ordered_json()); value != usual)
      found[name] = value.is_object() ? changed_entries(value, usual) : value;
  return found;
}

std::string changed_options(const Options& options) {
  return changed_entries(ordered_json::parse(to_json(options)), ordered_json::parse(to_json(Options{})))
      .dump();
}

std::string machine_text(const BuildInfo& info) {
  utsname system{};
  uname(&system);
  return std::string(system.sysname) + " " + system.release + " " + system.machine + ", " +
         std::to_string(info.usable_processors) + " processors, " + bytes_text(available_memory_bytes()) +
         " free";
}

std::string where_to_send_text(const std::string& address) {
  if (address.empty())
    return "There is no public address for it yet: send it to the person from whom you have overlapack.\n";
  return "Paste it here: " + address + "/issues/new/choose\n";
}

}  // namespace

std::string bug_report(const std::string& matrix, const Options& options, const std::string& ended) {
  const BuildInfo info = build_info();
  Lines lines;
  lines.add("overlapack", info.version + ", " + info.compiler);
  lines.add("machine", machine_text(info))
      .add("BLAS", info.blas.text())
      .add("small kernels", info.small_kernels);
  for (const EngineInfo& engine : info.engines)
    lines.add("engine " + engine.name, (engine.is_available ? "yes: " : "no: ") + engine.note);
  lines.add("used", engine_name(options) + (is_launched() ? ", started by a launcher" : ""));
  lines.add("matrix", matrix).add("options", changed_options(options)).add("ended", ended);
  return "---- bug report: paste from here ----\n" + lines.text() + "---- to here ----\n" +
         where_to_send_text(OVERLAPACK_ADDRESS);
}

}  // namespace overlapack::cli
