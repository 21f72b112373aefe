#include "api/hpl/hpl_text.hpp"

#include "overlapack/environment.hpp"
#include "overlapack/printed.hpp"

#include <cmath>

namespace overlapack::api {
namespace {

constexpr double unit_roundoff = 0x1p-53;  // HPL's eps

std::string horizontal_line(char c, std::size_t width = 80) { return std::string(width, c) + '\n'; }

/// "NB     :      32       64 ", eight a line.
template <class Values, class Text>
std::string values_line(const std::string& name, const Values& values, Text&& text) {
  std::string line = printed("\n%-7s:", name.c_str());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && i % 8 == 0) line += "\n        ";
    line += text(values[i]);
  }
  return line;
}

std::string numbers_line(const std::string& name, const auto& values) {
  return values_line(name, values,
                     [](auto value) { return printed("%8lld ", static_cast<long long>(value)); });
}

std::string words_line(const std::string& name, const auto& values, auto&& word) {
  return values_line(name, values,
                     [&](auto value) { return printed("%8s ", std::string(word(value)).c_str()); });
}

std::string_view order_word(dense::PanelOrder order) {
  constexpr std::string_view words[] = {"Left", "Crout", "Right"};
  return words[static_cast<std::size_t>(order)];
}

std::string_view broadcast_word(comm::collective::BroadcastKind kind) {
  constexpr std::string_view words[] = {"1ring", "1ringM", "2ring", "2ringM", "Blong", "BlongM"};
  return words[static_cast<std::size_t>(kind)];
}

std::string swap_text(const HplFile& file) {
  if (file.swap == dist::SwapKind::binary_exchange) return " Binary-exchange";
  if (file.swap == dist::SwapKind::spread_roll) return " Spread-roll (long)";
  return printed(" Mix (threshold = %lld)", static_cast<long long>(file.mix_columns));
}

std::string_view form(bool is_transposed) {
  return is_transposed ? " transposed form" : " no-transposed form";
}

std::string title() {
  return horizontal_line('=') + "overlapack " + version() +
         "  --  the High-Performance Linpack benchmark; input and output as HPLinpack 2.3\n" +
         horizontal_line('=') +
         "\nAn explanation of the input/output parameters follows:\n"
         "T/V    : Wall time / encoded variant.\n"
         "N      : The order of the coefficient matrix A.\n"
         "NB     : The partitioning blocking factor.\n"
         "P      : The number of process rows.\n"
         "Q      : The number of process columns.\n"
         "Time   : Time in seconds to solve the linear system.\n"
         "Gflops : Rate of execution for solving the linear system.\n"
         "Schedule : In which order the tasks of a step run.\n\n"
         "The following parameter values will be used:\n";
}

std::string values_text(const HplFile& file) {
  const bool is_row_major = file.order == dist::GridOrder::row_major;
  std::string text = numbers_line("N", file.n) + numbers_line("NB", file.block);
  text += "\nPMAP   :" + std::string(is_row_major ? " Row-major" : " Column-major") + " process mapping";
  text += numbers_line("P", file.grid_rows) + numbers_line("Q", file.grid_cols);
  text += words_line("PFACT", file.base, order_word) + numbers_line("NBMIN", file.smallest);
  text += numbers_line("NDIV", file.parts) + words_line("RFACT", file.recursion, order_word);
  text += words_line("BCAST", file.broadcast, broadcast_word) + numbers_line("DEPTH", file.depth);
  text += "\nSWAP   :" + swap_text(file);
  text += "\nL1     :" + std::string(form(file.is_l1_transposed));
  text += "\nU      :" + std::string(form(file.is_u_transposed));
  text += "\nEQUIL  :" + std::string(file.equilibrates ? " yes" : " no");
  text += printed("\nALIGN  : %d double precision words", file.alignment);
  if (!file.schedules.empty())
    text += words_line("SCHED", file.schedules, [](dense::Schedule s) { return to_string(s); });
  return text + "\n\n";
}

std::string check_text(double threshold) {
  return horizontal_line('-') +
         "\n- The matrix A is randomly generated for each test.\n"
         "- The following scaled residual check will be computed:\n"
         "      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )\n" +
         printed("- The relative machine precision (eps) is taken to be      %21.6e\n", unit_roundoff) +
         printed("- Computational tests pass if scaled residuals are less than         %11.1f\n\n",
                 threshold);
}

char letter(dense::PanelOrder order) { return order_word(order).front(); }

}  // namespace

std::string hpl_head(const HplFile& file) {
  return title() + values_text(file) + (file.threshold > 0 ? check_text(file.threshold) : "");
}

std::string hpl_table_head() {
  return horizontal_line('=') +
         "T/V                N    NB     P     Q               Time                 Gflops  Schedule\n" +
         horizontal_line('-');
}

std::string hpl_variant(const HplCase& run) {
  const dense::PanelPlan& panel = run.plan.panel;
  return printed("W%c%1d%d%c%1lld%c%1lld", run.order == dist::GridOrder::row_major ? 'R' : 'C',
                 run.plan.depth, static_cast<int>(run.plan.messages.broadcast), letter(panel.recursion),
                 static_cast<long long>(panel.parts), letter(panel.base),
                 static_cast<long long>(panel.smallest));
}

double hpl_gflops(Index n, double seconds) {
  const double order = static_cast<double>(n);
  return (order / 1e9) * (order / seconds) * (2.0 / 3.0 * order + 3.0 / 2.0);
}

std::string hpl_row(const HplCase& run, double seconds, std::time_t start, std::time_t end) {
  return hpl_variant(run) +
         printed("%12lld %5lld %5d %5d %18.2f    %19.4e  %s\n", static_cast<long long>(run.n),
                 static_cast<long long>(run.block), run.rows, run.cols, seconds, hpl_gflops(run.n, seconds),
                 std::string(to_string(run.plan.schedule)).c_str()) +
         printed("HPL_pdgesv() start time %s\n", std::ctime(&start)) +
         printed("HPL_pdgesv() end time   %s\n", std::ctime(&end));
}

bool hpl_passes(const dense::ResidualNorms& norms, Index n, double threshold) {
  return norms.scaled(n, unit_roundoff) < threshold;
}

std::string hpl_check(const dense::ResidualNorms& norms, Index n, double threshold) {
  const bool passes = hpl_passes(norms, n, threshold);
  std::string text =
      horizontal_line('-') + printed("||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= %16.8e ...... %s\n",
                                     norms.scaled(n, unit_roundoff), passes ? "PASSED" : "FAILED");
  if (passes) return text;
  text += printed("||Ax-b||_oo  . . . . . . . . . . . . . . . . . = %18.6f\n", norms.residual);
  text += printed("||A||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", norms.matrix_inf);
  text += printed("||A||_1  . . . . . . . . . . . . . . . . . . . = %18.6f\n", norms.matrix_one);
  text += printed("||x||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", norms.x_inf);
  text += printed("||x||_1  . . . . . . . . . . . . . . . . . . . = %18.6f\n", norms.x_one);
  return text + printed("||b||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", norms.b_inf);
}

std::string hpl_warning(const std::string& text) {
  return "HPL ERROR from overlapack:\n>>> " + text + " <<<\n";
}

std::string hpl_tail(const benchmark::HplCounts& counts, double threshold) {
  std::string text = horizontal_line('=', 76) + printed("\nFinished %6d tests with the following results:\n",
                                                        counts.passed + counts.failed + counts.skipped);
  if (threshold > 0) {
    text += printed("         %6d tests completed and passed residual checks,\n", counts.passed);
    text += printed("         %6d tests completed and failed residual checks,\n", counts.failed);
  } else {
    text += printed("         %6d tests completed without checking,\n", counts.passed);
  }
  text += printed("         %6d tests skipped because of illegal input values.\n", counts.skipped);
  return text + horizontal_line('-', 76) + "\nEnd of Tests.\n" + horizontal_line('=', 76);
}

}  // namespace overlapack::api
