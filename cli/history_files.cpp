#include "history_files.hpp"

#include "overlapack/io.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/trace.hpp"
#include "problem.hpp"

namespace overlapack::cli {

namespace {

trace::ConvergenceRecord record_of(const IterationFigures& figures) {
  trace::ConvergenceRecord record{.points = {},
                                  .x_name = "iterations of rank 0",
                                  .iterations_of_rank = figures.iterations_of_rank,
                                  .batches = figures.batches};
  for (const ResidualPoint& p : figures.history)
    record.points.push_back({static_cast<double>(p.iteration), p.residual, p.is_true});
  if (figures.variant == "sync") record.batches.clear();
  return record;
}

}  // namespace

void HistoryFiles::add_to(std::vector<Argument>& arguments) {
  arguments.push_back(
      file_argument("--history", "iterations: write the residuals on the way as a table", csv_));
  arguments.push_back(file_argument(
      "--history-svg", "iterations: write residuals, iterations by rank and batches of halos as a picture",
      svg_));
}

void HistoryFiles::require_writable(RunWatch& watch, std::optional<Method> method) const {
  if (!(csv_.empty() && svg_.empty()) && !iterative::is_iterative(method))
    throw Error(Status::bad_plan, "there is no residual history, since method " +
                                      std::string(to_string(method)) +
                                      " does not iterate; use jacobi or multisplitting");
  if (!csv_.empty()) require_side_output(watch, csv_, {".csv"}, "a table, CSV");
  if (!svg_.empty()) require_side_output(watch, svg_, {".svg"}, "a picture, SVG");
}

void HistoryFiles::write(const Report& report) const {
  if (!report.iteration) return;
  const IterationFigures& figures = *report.iteration;
  if (!csv_.empty())
    io::write_file(csv_, [&](auto& out) {
      out << "iteration,seconds,residual,is_true\n";
      for (const ResidualPoint& p : figures.history)
        out << p.iteration << ',' << p.seconds << ',' << p.residual << ',' << p.is_true << '\n';
    });
  if (!svg_.empty())
    io::write_file(svg_, [&](auto& out) {
      trace::write_convergence_chart(
          out, record_of(figures),
          report.method + " " + figures.variant + ", " + std::to_string(report.ranks) + " ranks");
    });
}

}  // namespace overlapack::cli
