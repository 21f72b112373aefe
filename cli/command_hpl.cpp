#include "command.hpp"
#include "overlapack/benchmark.hpp"
#include "overlapack/error.hpp"

#include <cstdio>
#include <memory>

namespace overlapack::cli {
namespace {

struct HplArguments {
  std::string file = "HPL.dat";
  std::string schedules;
  std::uint64_t seed = 1;
};

/// A function that prints to the file's device.
std::function<void(const std::string&)> printer(const benchmark::HplOutput& output) {
  std::shared_ptr<std::FILE> stream;
  if (output.device == 6 || output.device == 7)
    stream = {output.device == 6 ? stdout : stderr, [](std::FILE*) {}};
  else if (std::FILE* const file = std::fopen(output.file.c_str(), "w"))
    stream = {file, [](std::FILE* opened) { std::fclose(opened); }};
  else
    throw Error(Status::bad_input,
                "cannot write \"" + output.file + "\"; name another file in line 3, or 6 in line 4");
  return [stream](const std::string& text) {
    std::fputs(text.c_str(), stream.get());
    std::fflush(stream.get());
  };
}

int run_hpl(const HplArguments& a, const Options& options) {
  if (is_bystander(options)) return exit_ok;
  const benchmark::HplCounts counts = benchmark::hpl(a.file, a.schedules, a.seed, options, printer);
  if (counts.failed > 0) return exit_inaccurate;
  return counts.skipped > 0 ? exit_bad_input : exit_ok;
}

}  // namespace

Command hpl_command() {
  auto a = std::make_shared<HplArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_seed = 0x1p53;
  Command command{
      .name = "hpl",
      .help = "the High-Performance Linpack benchmark: its input file, table and check",
      .arguments = {file_argument("file", "input file, also hpcc's [HPL.dat]", a->file),
                    text_argument(
                        "--schedule",
                        "flat, lookahead, split, parity, hybrid, or some of them with commas; default: the "
                        "file's, else by its DEPTHs",
                        a->schedules),
                    count_argument("--seed", "of the random matrices [1]", 0, largest_seed,
                                   [a](Index seed) { a->seed = static_cast<std::uint64_t>(seed); })},
      .run = [a, flags] { return run_hpl(*a, flags->options()); },
      .footer =
          "Exit code 0 only if every test ran and passed; 4 where one failed, 2 where one was skipped.\n",
      .is_parallel = true};
  flags->add_to(command.arguments, "hpl");
  return command;
}

}  // namespace overlapack::cli
