#include "what_if.hpp"

#include "json_output.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/printed.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"
#include "sweep.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace overlapack::cli {
namespace {

using nlohmann::ordered_json;

/// One run of the sweep.
struct Run {
  std::string value, curve;
  double seconds = 0;
  ordered_json report;
};

/// Throw an error with the status and the message of a run that failed, and its place in the sweep.
[[noreturn]] void throw_failure(int code, const Printed& output, const std::string& where) {
  const ordered_json told = ordered_json::parse(output.out, nullptr, false);
  std::string message = "the run ended with code " + std::to_string(code) + " and said: " + output.error;
  while (message.back() == '\n') message.pop_back();
  Status status = Status::internal;
  if (told.is_object() && told.contains("status") && told.contains("message")) {
    message = told.at("message").get<std::string>();
    for (int s = 0; s <= static_cast<int>(Status::ill_conditioned); ++s)
      if (told.at("status") == to_string(static_cast<Status>(s))) status = static_cast<Status>(s);
  }
  throw Error(status, where + ": " + message);
}

/// The time that a sweep compares: that of the factorisation or, for an iteration, of the solve.
/// Errors  BadPlan if the report has no such time
double seconds_of(const ordered_json& report, const std::string& command) {
  if (report.is_object()) {
    const auto method = choice_named<Method>(report.value("method", ""));
    const char* const field = iterative::is_iterative(method) ? "solve_s" : "factor_s";
    if (report.contains(field) && report.at(field).is_number() && report.at(field) > 0)
      return report.at(field).get<double>();
  }
  throw Error(Status::bad_plan,
              "the report of " + command + " has no time to compare; --what-if takes solve, dense or jacobi");
}

std::string label_of_value(const Sweep& sweep, const std::string& value) {
  return sweep.name + " = " + value;
}

/// Runs both sweeps, one inside the other. The runs of one curve are consecutive.
class WhatIf {
 public:
  WhatIf(SimulateArguments& arguments, const std::vector<Argument>& settings,
         const std::vector<std::string>& command)
      : arguments_(arguments),
        settings_(settings),
        command_(command),
        along_(sweep_from("--what-if", arguments.what_if)) {
    if (!arguments.curves.empty()) curves_ = sweep_from("--curves", arguments.curves);
    if (curves_.name == along_.name)
      throw Error(Status::bad_plan,
                  "--what-if and --curves both change " + along_.name + "; give two different options");
    if (!arguments.plot.empty()) io::require_writable(arguments.plot);
  }

  int run() {
    refuse_values_that_cannot_be();
    for (const std::string& curve : curves_.name.empty() ? std::vector<std::string>{""} : curves_.values)
      for (const std::string& value : along_.values) run_one(value, curve);
    if (!arguments_.plot.empty())
      io::write_file(arguments_.plot, [&](auto& out) { trace::write_curves(out, chart()); });
    arguments_.json ? print_json(json()) : print_table();
    return code_;
  }

 private:
  /// Refuse impossible values of simulate's own options, before hours of runs with other values.
  void refuse_values_that_cannot_be() {
    for (const Sweep* const sweep : {&along_, &curves_})
      for (const std::string& value : sweep->values) {
        std::vector<std::string> words = command_;
        apply(*sweep, value, settings_, words);
      }
  }

  void run_one(const std::string& value, const std::string& curve) {
    std::vector<std::string> words = command_;
    apply(along_, value, settings_, words);
    if (!curve.empty()) apply(curves_, curve, settings_, words);
    words.push_back("--json");
    const std::string where =
        (curve.empty() ? "" : label_of_value(curves_, curve) + ", ") + label_of_value(along_, value);
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "%s\n", where.c_str());
    Printed output;
    const int code = run_simulated(arguments_, words, &output);
    if (code != exit_ok && code != exit_inaccurate) throw_failure(code, output, where);
    const ordered_json report = ordered_json::parse(output.out, nullptr, false);
    const double seconds = seconds_of(report, words.front());
    if (code != exit_ok) {
      code_ = code;
      status_ = report.value("status", "");
    }
    runs_.push_back({value, curve, seconds, report});
  }

  /// The first run of this run's curve.
  const Run& first_of(std::size_t run) const {
    return runs_[run / along_.values.size() * along_.values.size()];
  }

  void print_table() const {
    std::vector<std::string> head{along_.name, "time", "faster", "waiting", "messages", "bytes"};
    if (!curves_.name.empty()) head.insert(head.begin(), curves_.name);
    Table table(head);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      std::vector<std::string> row{run.value,
                                   seconds_text(run.seconds),
                                   printed("%.2f x", first_of(i).seconds / run.seconds),
                                   printed("%.1f %%", 100 * run.report.value("wait_share", 0.0)),
                                   whole_text(run.report.value("messages", Index{0})),
                                   bytes_text(run.report.value("bytes", 0.0))};
      if (!curves_.name.empty()) row.insert(row.begin(), run.curve);
      table.add(row);
    }
    std::printf("%s, simulated\n%s", title().c_str(), table.text().c_str());
  }

  std::string title() const {
    std::string text = along_.name == "machine" || curves_.name == "machine" ? "" : arguments_.machine + ":";
    for (const std::string& word : command_) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  ordered_json json() const {
    ordered_json object{{"status", status_},
                        {"simulated", true},
                        {"machine", arguments_.machine},
                        {"command", command_},
                        {"what_if", along_.name},
                        {"curves", curves_.name.empty() ? ordered_json() : ordered_json(curves_.name)},
                        {"runs", ordered_json::array()}};
    for (const Run& run : runs_) {
      ordered_json one{{"value", run.value}, {"seconds", run.seconds}, {"report", run.report}};
      if (!run.curve.empty()) one["curve"] = run.curve;
      object["runs"].push_back(one);
    }
    return object;
  }

  trace::CurveChart chart() const {
    trace::CurveChart chart{title() + " (simulated)", along_.name, along_.values, {}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (i % along_.values.size() == 0)
        chart.curves.push_back(
            {runs_[i].curve.empty() ? "time" : label_of_value(curves_, runs_[i].curve), {}});
      chart.curves.back().seconds.push_back(runs_[i].seconds);
    }
    if (along_.name == "ranks") chart.curves.push_back(ideal());
    return chart;
  }

  /// The curve of times inversely proportional to the ranks.
  trace::Curve ideal() const {
    trace::Curve curve{"ideal", {}, true};
    for (const std::string& ranks : along_.values)
      curve.seconds.push_back(runs_.front().seconds * std::atof(along_.values.front().c_str()) /
                              std::atof(ranks.c_str()));
    return curve;
  }

  SimulateArguments& arguments_;
  const std::vector<Argument>& settings_;
  const std::vector<std::string>& command_;
  Sweep along_, curves_;
  std::vector<Run> runs_;
  int code_ = exit_ok;
  std::string status_ = "ok";  ///< of the last run that did not end well
};

}  // namespace

int run_what_if(SimulateArguments& arguments, const std::vector<Argument>& settings,
                const std::vector<std::string>& command) {
  return WhatIf(arguments, settings, command).run();
}

}  // namespace overlapack::cli
