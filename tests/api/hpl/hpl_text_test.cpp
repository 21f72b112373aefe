#include "api/hpl/hpl_text.hpp"

#include "hpl_dat.hpp"

#include <gtest/gtest.h>

namespace overlapack::api {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

HplCase example() {
  HplCase run{.n = 35, .block = 4, .rows = 4, .cols = 1, .plan = {}};
  run.plan.schedule = dense::Schedule::look_ahead;
  run.plan.depth = 1;
  run.plan.messages.broadcast = comm::collective::BroadcastKind::two_ring_modified;
  run.plan.panel = {dense::PanelOrder::crout, dense::PanelOrder::left, 4, 2};
  return run;
}

TEST(HplText, ARowIsHplsWithTheSchedule) {
  EXPECT_EQ(hpl_variant(example()), "WR13C2L4");
  const std::string row = hpl_row(example(), 12.345678, 0, 12);
  EXPECT_EQ(first_line(row),
            "WR13C2L4          35     4     4     1              12.35             2.4641e-06  lookahead");
  EXPECT_NE(row.find("\nHPL_pdgesv() start time "), std::string::npos);
  EXPECT_NE(row.find("\nHPL_pdgesv() end time   "), std::string::npos);
  HplCase columns = example();
  columns.order = dist::GridOrder::column_major;
  EXPECT_EQ(hpl_variant(columns), "WC13C2L4");
}

TEST(HplText, GflopsAreHpls) {
  EXPECT_DOUBLE_EQ(hpl_gflops(1000, 0.5), (2.0 / 3.0 * 1e9 + 1.5 * 1e6) / 0.5 / 1e9);
  EXPECT_EQ(hpl_gflops(0, 1), 0);
}

TEST(HplText, ChecksPassBelowTheThreshold) {
  const Index n = 10;
  // the norms cancel: the scaled residual is residual / (eps * 4 * n)
  dense::ResidualNorms norms{.residual = 0x1p-53 * 4 * 10 * 2.5,
                             .matrix_inf = 1,
                             .matrix_one = 7,
                             .x_inf = 3,
                             .x_one = 5,
                             .b_inf = 1};
  const std::string passed = hpl_check(norms, n, 16);
  EXPECT_TRUE(
      has_line(passed, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   2.50000000e+00 ...... PASSED"))
      << passed;
  const std::string failed = hpl_check(norms, n, 2.5);
  EXPECT_NE(failed.find("FAILED"), std::string::npos);
  EXPECT_TRUE(has_line(failed, "||A||_1  . . . . . . . . . . . . . . . . . . . =           7.000000"))
      << failed;
  norms.residual = std::nan("");
  EXPECT_NE(hpl_check(norms, n, 16).find("FAILED"), std::string::npos);
  EXPECT_NE(hpl_check({}, 0, 16).find("PASSED"), std::string::npos);
}

TEST(HplText, TheHeadShowsTheValuesEightALine) {
  HplFile file = parse_hpl_file(standard_hpl_dat, "HPL.dat");
  file.n = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::string head = hpl_head(file);
  EXPECT_TRUE(
      has_line(head, "N      :       1        2        3        4        5        6        7        8 "));
  EXPECT_TRUE(has_line(head, "               9 "));
  EXPECT_TRUE(has_line(head, "PMAP   : Row-major process mapping"));
  EXPECT_TRUE(has_line(head, "PFACT  :    Left    Crout    Right "));
  EXPECT_TRUE(has_line(head, "BCAST  :   1ring "));
  EXPECT_TRUE(has_line(head, "SWAP   : Mix (threshold = 64)"));
  EXPECT_TRUE(has_line(head, "ALIGN  : 8 double precision words"));
  EXPECT_TRUE(
      has_line(head, "- The relative machine precision (eps) is taken to be               1.110223e-16"));
  EXPECT_TRUE(
      has_line(head, "- Computational tests pass if scaled residuals are less than                16.0"));
  EXPECT_EQ(head.find("SCHED"), std::string::npos);
  file.schedules = {dense::Schedule::flat, dense::Schedule::split};
  EXPECT_TRUE(has_line(hpl_head(file), "SCHED  :    flat    split "));
  file.threshold = 0;
  EXPECT_EQ(hpl_head(file).find("scaled residual"), std::string::npos);
}

TEST(HplText, TheTailCountsAsHpl) {
  const std::string tail = hpl_tail({3, 1, 2}, 16);
  EXPECT_TRUE(has_line(tail, "Finished      6 tests with the following results:"));
  EXPECT_TRUE(has_line(tail, "              3 tests completed and passed residual checks,"));
  EXPECT_TRUE(has_line(tail, "              1 tests completed and failed residual checks,"));
  EXPECT_TRUE(has_line(tail, "              2 tests skipped because of illegal input values."));
  EXPECT_TRUE(has_line(tail, "End of Tests."));
  EXPECT_TRUE(has_line(hpl_tail({3, 0, 0}, 0), "              3 tests completed without checking,"));
}

}  // namespace
}  // namespace overlapack::api
