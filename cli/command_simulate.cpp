#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "simulated_run.hpp"
#include "text.hpp"
#include "what_if.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

int print_machines(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  Table table = Table({"machine", "ranks a node", "what it is"}).sentences(2);
  for (const simulate::SimulatedMachine& machine : simulate::known_machines()) {
    list.push_back(
        {{"name", machine.name}, {"ranks_per_node", machine.ranks_per_node}, {"summary", machine.summary}});
    table.add({machine.name, std::to_string(machine.ranks_per_node), machine.summary});
  }
  if (json)
    print_json({{"status", "ok"}, {"machines", list}});
  else
    std::fputs(table.text().c_str(), stdout);
  return exit_ok;
}

int run_simulate(SimulateArguments& a, const std::vector<Argument>& settings,
                 const std::vector<std::string>& command) {
  if (a.list) return print_machines(a.json);
  if (simulated_time())
    throw Error(Status::bad_plan, "this runs in the simulator already; give another command");
  if (command.empty() || (a.machine.empty() && a.what_if.find("machine=") == std::string::npos &&
                          a.curves.find("machine=") == std::string::npos))
    throw Error(Status::bad_plan,
                "give a machine and, behind --, a command, as in: overlapack simulate --machine cray-t3e-900 "
                "--ranks 64 -- "
                "solve A.mtx; --list names the machines");
  if (a.simulation.is_phantom && command.front() != "dense" && command.front() != "solve")
    throw Error(Status::bad_plan, "--phantom knows the commands dense and solve, and this is " +
                                      command.front() +
                                      "; leave --phantom out, so that numbers are computed");
  for (const std::string& word : command) a.json |= word == "--json";
  if (!a.what_if.empty()) return run_what_if(a, settings, command);
  if (!a.curves.empty() || !a.plot.empty())
    throw Error(Status::bad_plan, "--curves and --plot belong to a sweep; give --what-if as well");
  std::vector<std::string> words = command;
  if (a.json) words.push_back("--json");
  return run_simulated(a, words);
}

/// The arguments of the machine and of the run, which a sweep may change.
std::vector<Argument> settings_of(SimulateArguments& a) {
  const double most_bytes = 0x1p31 - 1, largest_seed = 0x1p53, most_ranks = 65536;
  simulate::Simulation& s = a.simulation;
  return {
      text_argument("--machine", "name (see --list), or path of a JSON file", a.machine),
      count_argument("--ranks", "parallel ranks [1]", 1, most_ranks,
                     [&s](Index n) { s.ranks = static_cast<int>(n); }),
      count_argument("--ranks-per-node", "consecutive ranks of a node [the machine's]", 1, 4096,
                     [&s](Index n) { s.ranks_per_node = static_cast<int>(n); }),
      count_argument("--eager-bytes", "short protocol up to here [the machine's]", 0, most_bytes,
                     [&s](Index n) { s.eager_bytes = static_cast<std::int64_t>(n); }),
      choice_argument(
          "--progress",
          "always: messages move by themselves; calls: long ones set out only in calls of both sides; "
          "sender: at once where a receive is posted, else in a call of their sender [the machine's]",
          {std::begin(choice_names<NetworkProgress>), std::end(choice_names<NetworkProgress>)}, a.progress),
      count_argument("--seed", "of the noise [1]", 0, largest_seed,
                     [&s](Index n) { s.seed = static_cast<std::uint64_t>(n); }),
      number_argument("--noise", "sigma of the half-normal slow-down of nodes and kernels [0]", 0, 10,
                      [&s](double share) { s.noise = share; }),
      text_argument("--slow-host", "RANK:FACTOR: the node of this rank takes FACTOR times as long",
                    a.slow_host),
      count_argument("--columns-per-exchange",
                     "phantom: columns of a panel whose messages travel as those of one [256]", 1, 65536,
                     [&s](Index n) { s.columns_per_exchange = static_cast<int>(n); }),
      flag("--phantom", "shapes only: no numbers are computed (dense, and solve by the multifrontal method)",
           s.is_phantom)};
}

}  // namespace

Command simulate_command() {
  auto a = std::make_shared<SimulateArguments>();
  auto command = std::make_shared<std::vector<std::string>>();
  const auto settings = std::make_shared<const std::vector<Argument>>(settings_of(*a));
  std::vector<Argument> arguments = *settings;
  for (const Argument& argument :
       {text_argument(
            "--what-if",
            "NAME=FIRST:LAST (doubled) or NAME=A,B,...: run once for each value of this option, of simulate "
            "or of the command, and print a table; experiment.NAME=... for each value of an experiment",
            a->what_if),
        text_argument("--curves", "with --what-if, the same for each value of a second option", a->curves),
        file_argument("--plot", "with --what-if, draw the times as a picture (SVG)", a->plot),
        flag("--list", "print the machines there are", a->list),
        flag("--keep", "keep the files that SimGrid is given, and tell where they are", a->keep),
        flag("--json", "print one JSON object, as the command does", a->json)})
    arguments.push_back(argument);
  return {.name = "simulate",
          .help = "run a command on a machine that is not here, in simulated time (SimGrid)",
          .arguments = std::move(arguments),
          .run = [a, settings, command] { return run_simulate(*a, *settings, *command); },
          .footer =
              "The command stands behind --: overlapack simulate --machine cray-t3e-900 --ranks 64 -- solve "
              "A.mtx",
          .rest = command.get()};
}

}  // namespace overlapack::cli
