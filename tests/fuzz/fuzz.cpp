/// fuzz TARGET|all [EXECUTIONS [SEED [FIRST]]]: so many mutations of the target's seeds from number FIRST on, each of which depends on
/// SEED and its number alone: `fuzz TARGET 1 SEED NUMBER` repeats one. Prints a row of the table in docs/testing.md.
#include "base/random.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/target.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace overlapack;

volatile std::uint64_t current = 0;

/// The number of the execution that crashed, or did not end.
extern "C" void tell_and_end(int signal) {
  char text[64];
  char* at = text + sizeof text;
  std::uint64_t number = current;
  *--at = '\n';
  do *--at = static_cast<char>('0' + number % 10);
  while ((number /= 10) > 0);
  constexpr char head[] = "ended in execution ";
  ssize_t written = write(2, head, sizeof head - 1);
  written = write(2, at, static_cast<std::size_t>(text + sizeof text - at));
  static_cast<void>(written);
  _exit(128 + signal);
}

/// What the readers allocate is bounded by what they are given: no small file may ask for a GiB.
void limit_memory() {
  const rlimit limit{rlim_t{4} << 30, rlim_t{4} << 30};
  setrlimit(RLIMIT_AS, &limit);
}

struct Tally {
  std::uint64_t accepted = 0, failed = 0;
};

Tally fuzz(const test::FuzzTarget& target, std::uint64_t executions, std::uint64_t seed,
           std::uint64_t first) {
  constexpr unsigned longest_s = 20;
  const std::vector<std::string> seeds = target.seeds();
  Tally tally;
  for (std::uint64_t number = first; number < first + executions; ++number) {
    current = number;
    Random random(seed * 0x9E3779B97F4A7C15ull + number);
    std::string bytes = seeds[random.below(seeds.size())];
    for (auto changes = random.below(5); changes > 0; --changes) test::mutate(bytes, random);
    alarm(longest_s);
    try {
      tally.accepted += target.accepts(bytes);
    } catch (const std::exception& error) {
      ++tally.failed;
      std::fprintf(stderr, "%s %llu: %s\n", std::string(target.name).c_str(),
                   static_cast<unsigned long long>(number), error.what());
    }
  }
  alarm(0);
  return tally;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int position, std::uint64_t usual) {
    return argc > position ? std::strtoull(argv[position], nullptr, 10) : usual;
  };
  const std::string name = argc > 1 ? argv[1] : "all";
  const std::uint64_t executions = number(2, 1000), seed = number(3, 1);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGALRM, SIGILL})
    std::signal(signal, tell_and_end);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit_memory();
#endif
  std::uint64_t failed = 0;
  bool is_known = false;
  for (const test::FuzzTarget& target : test::fuzz_targets()) {
    if (name != "all" && name != target.name) continue;
    is_known = true;
    const Tally tally = fuzz(target, executions, seed, number(4, 0));
    std::printf("| %s | %s | %llu | %.1f %% | %llu |\n", std::string(target.name).c_str(),
                std::string(target.what).c_str(), static_cast<unsigned long long>(executions),
                100 * static_cast<double>(tally.accepted) / static_cast<double>(executions),
                static_cast<unsigned long long>(tally.failed));
    std::fflush(stdout);
    failed += tally.failed;
  }
  if (!is_known) std::fprintf(stderr, "there is no target \"%s\"\n", name.c_str());
  return is_known && failed == 0 ? 0 : 1;
}
