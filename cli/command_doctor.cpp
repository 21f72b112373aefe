#include "command.hpp"
#include "core_type.hpp"
#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/factors.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/probe.hpp"
#include "run_program.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

/// The command doctor: checks that this computer is set up so that solves are right and fast. Each check is one function, which returns a
/// Finding.
namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

enum class Verdict { good, note, bad };
constexpr const char* verdict_names[] = {"ok", "note", "wrong"};

struct Finding {
  std::string about;
  Verdict verdict = Verdict::good;
  std::string found = {};
  std::string advice = {};  ///< what to do; empty where all is well
};

std::string first_line_of(const fs::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

/// Solve a cube of 20^3 points with a known solution; finds the backward error and the rate.
Finding examine_solve(int ranks) {
  constexpr double accurate = 1e-14;
  Finding finding{.about = ranks == 1 ? "solve" : "solve on " + std::to_string(ranks)};
  const SparseMatrix<double> A = sparse::generate("cube", 20);
  const std::vector<double> b =
      multiply<double>(A, std::vector<double>(static_cast<std::size_t>(A.cols), 1.0));
  Options options;
  options.ranks = ranks;
  options.run.engine = Engine::thread;
  const Report report = solve<double>(A, b, options).report;
  finding.found = "n = " + whole_text(report.n) + ", backward error " + error_text(report.backward_error) +
                  ", " + rate_text(report.flops, report.factor_s);
  if (report.status == Status::ok && report.backward_error < accurate) return finding;
  finding.verdict = Verdict::bad;
  finding.advice =
      "the answer is not accurate: BLAS or the processor computes wrongly; try another BLAS, and report it";
  return finding;
}

Finding examine_processors() {
  const int usable = usable_processors(), all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  Finding finding{.about = "processors",
                  .found = std::to_string(usable) + " usable of " + std::to_string(all)};
  if (usable >= all) return finding;
  finding.verdict = Verdict::note;
  finding.advice = "an affinity mask or the control group's quota keeps the others away";
  return finding;
}

std::string named_core_type() {
  const CoreType& type = core_type();
  if (type.name.empty()) return {};
  return type.is_ours ? ", chosen by overlapack since the library does not know this processor"
                      : ", as OPENBLAS_CORETYPE=" + type.name + " asks";
}

/// Advice about kernels that are too old or too new; names the user's own choice first.
std::string core_type_advice() {
  if (core_type().name.empty() || core_type().is_ours) return blas_info().shortcoming;
  return "OPENBLAS_CORETYPE=" + core_type().name + " in the environment chose them; this processor is " +
         blas_info().processor_level + ": unset it";
}

/// Describes the rates of the BLAS beside the rate of a core.
std::string describe_rates(const probe::BlasRates& rates) {
  const auto of = [&](std::size_t product) {
    return rate_text(rates.products[product].flops, rates.products[product].seconds);
  };
  return "; " + of(2) + " a core of the " + rate_text(rates.core_flops_per_s, 1) + " that it can do (" +
         of(0) + " in panels of 64 columns, " + of(1) + " in blocks of 256)";
}

/// Describes the rates of the cores, if they differ; else "".
std::string describe_unequal_cores() {
  constexpr double alike = 1.4;
  const std::vector<double> rates = probe::rates_of_cores();
  if (rates.empty()) return {};
  const auto [slowest, fastest] = std::ranges::minmax(rates);
  return fastest > alike * slowest ? "; cores from " + rate_text(slowest, 1) + " to " + rate_text(fastest, 1)
                                   : "";
}

/// Check the BLAS: whether its kernels are those for this processor, give right results, and are fast.
Finding examine_blas() {
  constexpr double too_slow = 1.0 / 3;
  const BlasInfo& info = blas_info();
  Finding finding{.about = "BLAS", .verdict = Verdict::bad, .found = info.text() + named_core_type()};
  if (info.has_too_new_kernels()) {
    finding.advice = core_type_advice();
    return finding;
  }
  const probe::BlasRates& rates = probe::blas_rates();
  const double share = rates.flops_per_s() / rates.core_flops_per_s;
  const std::string slower = printed("%.1f times slower than the core: ", 1 / share);
  finding.found += describe_rates(rates) + describe_unequal_cores();
  if (!rates.wrong_types.empty())
    finding.advice = "its products are wrong (" + rates.wrong_types +
                     "): trust no answer, and take another BLAS, as OpenBLAS from 0.3.25 on";
  else if (info.has_old_kernels())
    finding.advice = slower + core_type_advice();
  else if (!info.shortcoming.empty())
    finding.advice = info.shortcoming;
  else if (share < too_slow)
    finding.advice = slower + "take a BLAS with kernels for this processor, as OpenBLAS from 0.3.25 on";
  else
    finding.verdict = Verdict::good;
  return finding;
}

/// The line of a program's error output that says what went wrong, without lines of decoration; empty if there is none.
std::string first_words_of(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of("- ") != std::string::npos) return line;
  return {};
}

/// Check that the launcher can start two processes, which solve a small dense system.
Finding examine_launch(Finding finding) {
  std::string folder = (fs::temp_directory_path() / "overlapack-doctor-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    finding.verdict = Verdict::bad;
    finding.advice =
        "no folder can be made in " + fs::temp_directory_path().string() + ": the disk is full or read-only";
    return finding;
  }
  const OutputFiles files{fs::path(folder) / "out", fs::path(folder) / "error"};
  try {
    const int code = run_program(
        "mpirun", {"-n", "2", fs::read_symlink("/proc/self/exe").string(), "dense", "--n", "64", "--json"},
        "put the launcher of this MPI on the PATH", files);
    if (code == 0) {
      finding.found += "; mpirun -n 2 works";
    } else {
      const std::string words = first_words_of(files.error);
      const bool refuses_root = geteuid() == 0 && words.find("root") != std::string::npos;
      finding.verdict = refuses_root ? Verdict::note : Verdict::bad;
      finding.advice = refuses_root ? "mpirun starts nothing as root; run it as another user, or set "
                                      "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
                                    : "mpirun -n 2 ended with " + std::to_string(code) +
                                          (words.empty() ? words : ": " + words);
    }
  } catch (const Error& error) {
    fs::remove_all(folder);
    if (error.status() == Status::cancelled) throw;
    finding.verdict = error.status() == Status::bad_plan ? Verdict::note : Verdict::bad;
    finding.advice = error.what();
    return finding;
  }
  fs::remove_all(folder);
  return finding;
}

/// Check that an MPI can be loaded, and that its launcher starts two processes.
Finding examine_mpi() {
  Finding finding{.about = "MPI"};
  const std::vector<EngineInfo> engines = build_info().engines;
  const auto engine = std::ranges::find(engines, "mpi", &EngineInfo::name);
  if (engine != engines.end()) finding.found = engine->note;
  if (engine == engines.end() || engine->is_available) return examine_launch(std::move(finding));
  finding.verdict = Verdict::note;
  finding.advice =
      "without it ranks are threads of one process; install one to use several computers (Debian: "
      "openmpi-bin)";
  return finding;
}

Finding examine_memory() {
  constexpr double little = 1e9;
  const double available = available_memory_bytes();
  Finding finding{.about = "memory",
                  .found = std::isfinite(available) ? bytes_text(available) + " available" : "unknown"};
  if (available >= little) return finding;
  finding.verdict = Verdict::note;
  finding.advice = "only small problems fit; `overlapack plan A.mtx` tells what one needs";
  return finding;
}

/// Check the shared memory by which MPI and OpenSHMEM pass messages within one computer.
Finding examine_shared_memory() {
  constexpr double small = 128e6;
  struct statvfs position {};
  Finding finding{.about = "/dev/shm"};
  if (statvfs("/dev/shm", &position) != 0) {
    finding.verdict = Verdict::note;
    finding.found = "is not there";
  } else {
    const double free = static_cast<double>(position.f_bavail) * static_cast<double>(position.f_frsize);
    finding.found = bytes_text(free) + " free";
    if (free >= small) return finding;
    finding.verdict = Verdict::note;
  }
  finding.advice = "MPI and OpenSHMEM may fail or be slow: mount a larger one (docker: --shm-size=1g)";
  return finding;
}

Finding examine_huge_pages() {
  const std::string modes = first_line_of("/sys/kernel/mm/transparent_hugepage/enabled");
  Finding finding{.about = "huge pages", .found = modes.empty() ? "unknown" : modes};
  if (modes.find("[never]") == std::string::npos) return finding;
  finding.verdict = Verdict::note;
  finding.advice =
      "large fronts are slower without: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)";
  return finding;
}

std::vector<Finding> examine_all() {
  if (blas_info().has_too_new_kernels()) return {examine_blas()};
  std::vector<Finding> findings{examine_solve(1)};
  if (const int usable = usable_processors(); usable > 1)
    findings.push_back(examine_solve(std::min(usable, 4)));
  for (const auto check : {examine_processors, examine_blas, examine_mpi, examine_memory,
                           examine_shared_memory, examine_huge_pages})
    findings.push_back(check());
  return findings;
}

void print_diagnosis_json(const std::vector<Finding>& findings, bool is_well) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& f : findings)
    list.push_back({{"about", f.about},
                    {"verdict", verdict_names[static_cast<int>(f.verdict)]},
                    {"found", f.found},
                    {"advice", f.advice}});
  print_json({{"status", is_well ? "ok" : "wrong"}, {"findings", list}});
}

void print_diagnosis(const std::vector<Finding>& findings) {
  for (const Finding& f : findings) {
    std::printf("%-5s  %-11s %s\n", verdict_names[static_cast<int>(f.verdict)], f.about.c_str(),
                f.found.c_str());
    if (!f.advice.empty()) std::printf("%-5s  %-11s -> %s\n", "", "", f.advice.c_str());
  }
}

}  // namespace

Command doctor_command() {
  auto json = std::make_shared<bool>(false);
  return {.name = "doctor",
          .help = "is this computer set up well: solves, BLAS, MPI, memory; what is wrong and what to do",
          .arguments = {flag("--json", "print one JSON object", *json)},
          .run = [json]() -> int {
            const std::vector<Finding> findings = examine_all();
            bool is_well = true;
            for (const Finding& f : findings) is_well = is_well && f.verdict != Verdict::bad;
            *json ? print_diagnosis_json(findings, is_well) : print_diagnosis(findings);
            return is_well ? exit_ok : exit_unwell;
          },
          .footer = "The exit code is 1 if something is wrong. Notes are what may be slow or missing."};
}

}  // namespace overlapack::cli
