#include "overlapack/report.hpp"

#include "api/iterative/iteration_report.hpp"
#include "api/refine/report_figures.hpp"
#include "api/words/message_names.hpp"
#include "api/words/report_table.hpp"
#include "comm/collective/combine_figures.hpp"
#include "comm/team.hpp"
#include "dense/message_kinds.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/printed.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <set>

namespace overlapack {
namespace {

TEST(Report, UnknownNumbersAreNullAndCountsWhole) {
  Report r;
  r.flops = 12345678901.0;
  r.message = "bad \xff bytes \"quoted\"";
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_TRUE(json["backward_error"].is_null());
  EXPECT_TRUE(json["forward_error"].is_null());
  EXPECT_TRUE(json["flops"].is_number_integer());
  EXPECT_EQ(json["flops"], 12345678901);
  EXPECT_EQ(json["status"], "ok");
}

TEST(Report, TellsTrafficByKindAndRank) {
  Report r;
  const KindTraffic panels{{3, 300, 200}, "panel"};
  r.messages_of_kind = {panels};
  r.traffic_of_rank = {{{3, 300, 200}, 1.5, 0.25, 0.25, {panels}}, {}};
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["messages_of_kind"]["panel"]["largest_bytes"], 200);
  ASSERT_EQ(json["traffic_of_rank"].size(), 2u);
  EXPECT_EQ(json["traffic_of_rank"][0]["communication_s"], 0.25);
  EXPECT_EQ(json["traffic_of_rank"][0]["kinds"]["panel"]["messages"], 3);
  EXPECT_TRUE(json["traffic_of_rank"][1]["kinds"].is_object());
}

/// A report has all entries, those of dense matrices and iterations where it has such figures, and no others.
/// LU of a root of LDL^T shows no signs of eigenvalues.
TEST(Report, NegativePivotsAreUnknownWithARootByLu) {
  Report r;
  r.factorization = "ldlt";
  r.pivots.negative = 3;
  const auto negative = [&r] { return nlohmann::json::parse(to_json(r))["pivots"]["negative"]; };
  EXPECT_EQ(negative(), 3);
  r.grid_roots = 1;
  EXPECT_TRUE(negative().is_null());
  r.factorization = "cholesky";
  EXPECT_EQ(negative(), 3);
}

TEST(ReportTable, IsWhatJsonHas) {
  Report full;
  full.dense.emplace();
  full.iteration.emplace().inner = "cg";
  for (const Report& report : {Report{}, full}) {
    std::set<std::string> in_json, in_table;
    const auto json = nlohmann::json::parse(to_json(report));
    for (const auto& [name, value] : json.items()) in_json.insert(name);
    for (const api::ReportEntry& entry : api::report_table()) {
      EXPECT_FALSE(entry.help.empty()) << entry.name;
      if (api::has(report, entry)) in_table.insert(std::string(entry.name.substr(0, entry.name.find('.'))));
    }
    EXPECT_EQ(in_json, in_table);
  }
  EXPECT_EQ(nlohmann::json::parse(report_schema_json()).size(), api::report_table().size());
}

TEST(ReportTable, TypesAreThoseOfTheValues) {
  Report report;
  report.dense.emplace();
  report.iteration.emplace();
  for (const api::ReportEntry& entry : api::report_table()) {
    const auto value = entry.field.json(report);
    const std::string_view type = value.is_boolean()          ? "bool"
                                  : value.is_number_integer() ? "int"
                                  : value.is_number()         ? "float"
                                  : value.is_string()         ? "str"
                                  : value.is_object()         ? "dict"
                                                              : "list";
    if (value.is_null())
      EXPECT_TRUE(entry.may_be_null) << entry.name;
    else
      EXPECT_EQ(entry.field.type, type) << entry.name;
  }
}

TEST(Figures, OfRanksAddUpAsTheirListsSay) {
  comm::run({.ranks = 3}, [](comm::Rank& rank) {
    const Index r = rank.rank();
    DenseCounters dense{
        .growth = double(r), .panels = 1, .rearranged_upper = 10, .superstep_pack_s = double(r * r)};
    comm::collective::all_reduce_figures<DenseCounters>(rank, dense);
    EXPECT_EQ(dense.growth, 2);
    EXPECT_EQ(dense.panels, 3);
    EXPECT_EQ(dense.rearranged_upper, 30);
    EXPECT_DOUBLE_EQ(dense.superstep_pack_s, (0.0 + 1.0 + 4.0) / 3);
    SparseFigures sparse;
    sparse.flops = 1;
    sparse.strips = 2;
    sparse.times_disk_full_budget = 3;
    sparse.largest_rank = 4 - r;
    sparse.panel_bytes = 5;
    sparse.largest_block = 6;  // the same on all ranks
    sparse.pivots.null = 7;
    comm::collective::all_reduce_figures<SparseFigures>(rank, sparse);
    EXPECT_EQ(sparse.flops, 3);
    EXPECT_EQ(sparse.strips, 6);
    EXPECT_EQ(sparse.times_disk_full_budget, 9);
    EXPECT_EQ(sparse.largest_rank, 4);
    EXPECT_EQ(sparse.panel_bytes, 15);
    EXPECT_EQ(sparse.largest_block, 6);
    EXPECT_EQ(sparse.pivots.null, 21);
  });
}

TEST(Figures, OfRightHandSidesAddUp) {
  Report report;
  report.ranks = 3;
  report.iteration.emplace();
  api::IterationTotals totals;
  totals.looks = 4;
  totals.sends = 6;
  totals.largest_batch = 7;
  totals.halo_period_mean = 3;
  totals.iterations_of_rank = {5, 6, 7};
  for (const bool is_first : {true, false}) {
    api::add_totals(report, totals, is_first);
    EXPECT_EQ(report.iterations_min, 5);
    EXPECT_EQ(report.iterations_max, 7);
    EXPECT_DOUBLE_EQ(report.iterations_mean, 6);
    EXPECT_EQ(report.iteration->looks, is_first ? 4 : 8);
    EXPECT_EQ(report.iteration->sends, is_first ? 6 : 12);
    EXPECT_EQ(report.iteration->largest_batch, 7);
    EXPECT_EQ(report.iteration->halo_period_mean, 3);
  }
  totals.iterations_of_rank = {2, 6, 4};
  totals.largest_batch = 6;
  api::add_totals(report, totals, false);
  EXPECT_EQ(report.iterations_min, 2);
  EXPECT_EQ(report.iterations_max, 7);
  EXPECT_EQ(report.iteration->largest_batch, 7);
}

/// Every number of a list has a line: what is no figure would not be summed.
template <class S>
void expect_figures_alone() {
  EXPECT_EQ(sizeof(S), figures_of<S>.size() * sizeof(Index));
}
TEST(Figures, AreAllThatListsHave) {
  expect_figures_alone<FactorFigures>();
  expect_figures_alone<FrontFigures>();
  expect_figures_alone<DiskFigures>();
  expect_figures_alone<LowRankFigures>();
  expect_figures_alone<NodeFigures>();
  expect_figures_alone<BlockFigures>();
  expect_figures_alone<PivotFigures>();
  expect_figures_alone<DenseCounters>();
  expect_figures_alone<IterationCounters>();
  expect_figures_alone<InnerCounters>();
  Index figures = 0;
  const auto count = [&](const auto&, auto&) { ++figures; };
  SparseFigures sparse;
  for_each_figure<SparseFigures>(count, sparse);
  EXPECT_EQ(sizeof(SparseFigures), static_cast<std::size_t>(figures) * sizeof(Index));
}

TEST(MessageNames, EveryKindOfEveryAlgorithmHasItsOwn) {
  for (const comm::KindRange& range : {sparse::multifrontal::message_kinds, dense::lu_moves,
                                       dense::solve_moves, dense::cholesky_moves, dense::multiply_moves})
    for (std::int32_t kind = range.first(); kind < range.end(); ++kind) {
      EXPECT_NE(range.name(kind), "") << kind;
      EXPECT_EQ(api::message_name(comm::Lane::bulk, kind), range.name(kind)) << kind;
    }
  EXPECT_EQ(api::message_name(comm::Lane::bulk, sparse::multifrontal::MessageKind::panel_part), "panel");
  EXPECT_EQ(api::message_name(comm::Lane::bulk, dense::LuMove::panel), "dense panel");
  EXPECT_EQ(api::message_name(comm::Lane::collective, sparse::multifrontal::MessageKind::panel_part),
            "collective");
  EXPECT_EQ(api::message_name(comm::Lane::bulk, 99), "data");
}

TEST(MessageNames, RangesThatShareANumberAreFound) {
  enum class Mine : std::int32_t { first = 7, last };
  enum class Yours : std::int32_t { first = 8, last };
  enum class Theirs : std::int32_t { first = 9, last };
  constexpr static std::string_view names[] = {"first", "last"};
  constexpr comm::KindRange mine{Mine::first, Mine::last, names}, yours{Yours::first, Yours::last, names},
      theirs{Theirs::first, Theirs::last, names};
  EXPECT_TRUE(comm::are_apart(std::vector{mine, theirs}));
  EXPECT_FALSE(comm::are_apart(std::vector{mine, yours}));
  EXPECT_FALSE(comm::are_apart(std::vector{yours, theirs, mine}));
  EXPECT_EQ(mine.name(Mine::last), "last");
  EXPECT_FALSE(mine.holds(Theirs::first));
}

Report of_a_direct_solve(double analysis_s, double factor_s, double solve_s) {
  Report r;
  r.fronts = 10;
  r.factor_nnz = 100;
  r.ranks = 2;
  r.analysis_s = analysis_s;
  r.factor_s = factor_s;
  r.solve_s = solve_s;
  return r;
}

TEST(Sentences, NaNHasNoSign) {
  const double processors_nan = -std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(std::signbit(processors_nan));
  EXPECT_EQ(printed("%g %.2g %s %d", processors_nan, 0.5, "a", 3), "nan 0.5 a 3");
  EXPECT_EQ(sparse::scientific(processors_nan), "nan");
  EXPECT_EQ(sparse::scientific(1.26e-14), "1.3e-14");
  Report r;
  r.backward_error = processors_nan;
  r.iterations_max = 2;
  api::set_status_by_error(r, 1e-16, {}, "try");
  EXPECT_EQ(r.status, Status::inaccurate);
  EXPECT_NE(r.message.find("there is no backward error, since x or A x has left the range"),
            std::string::npos);
  r.backward_error = 2e-5;
  api::set_status_by_error(r, 1e-16, {}, "try");
  EXPECT_EQ(r.message, "the backward error 2e-05 is above 4.5e-15 after 2 refinement steps; try");
  r.iterations_max = 1;
  api::set_status_by_error(r, 1e-16, {.refinement = {.target = 1e-4}}, "try");
  EXPECT_EQ(r.message,
            "the backward error 2e-05 is above 4.5e-15 after 1 refinement step; refinement ends at "
            "refinement_target (now 0.0001); lower it");
  r.backward_error = 1e-16;
  api::set_status_by_error(r, 1e-16, {.refinement = {.accuracy = 1e-30}}, "try");
  EXPECT_NE(r.message.find("that is rounding in this precision, and less cannot be expected; raise accuracy"),
            std::string::npos)
      << r.message;
}

TEST(Advice, NamesTheLargestLossAndItsOption) {
  Report r = of_a_direct_solve(0.1, 1, 0.1);
  EXPECT_EQ(advice(r), "");
  r.wait_share = 0.6;
  EXPECT_EQ(advice(r), "50 % of the time is waiting of one rank for another; try fewer (option ranks)");
  r.ranks = 1;
  EXPECT_EQ(advice(r), "");
  EXPECT_NE(advice(of_a_direct_solve(1, 0.5, 0.1)).find("62 % of the time is the analysis"),
            std::string::npos);
  Report refined = of_a_direct_solve(0.1, 0.1, 1);
  EXPECT_EQ(advice(refined), "");
  refined.iterations_max = 2;
  EXPECT_NE(advice(refined).find("56 % of the time is refinement"), std::string::npos);
}

/// L D L^T in strips on many ranks has a root that one of them factorises: a grid would, if nobody asks for the inertia.
TEST(Advice, ARootOnTheGridWhereManyRanksWait) {
  Report r = of_a_direct_solve(0.1, 1, 0.1);
  r.wait_share = 0.6, r.ranks = 16, r.factorization = "ldlt", r.distributed_fronts = 20;
  const auto names_root = [](const Report& report) {
    return advice(report).find("experiment root=grid") != std::string::npos;
  };
  EXPECT_TRUE(names_root(r)) << advice(r);
  const auto unlike = [&](auto&& change) {
    Report other = r;
    change(other);
    return names_root(other);
  };
  EXPECT_FALSE(unlike([](Report& other) { other.ranks = 15; }));
  EXPECT_FALSE(unlike([](Report& other) { other.factorization = "lu"; }));
  EXPECT_FALSE(unlike([](Report& other) { other.distributed_fronts = 0; }));
  EXPECT_FALSE(unlike([](Report& other) { other.grid_roots = 1; }));
}

TEST(Advice, DelayedPivotsThatMakeMuchMoreWork) {
  Report r = of_a_direct_solve(0.2, 2, 0.1);
  r.ranks = 1;
  r.flops = 36e9, r.predicted_flops = 1e9;
  EXPECT_EQ(advice(r), kernel_advice(r));
  r.pivots.delayed = 1000;
  if (kernel_advice(r).empty()) {
    EXPECT_NE(advice(r).find("36 times the predicted work"), std::string::npos) << advice(r);
  }
}

TEST(Advice, OfAPlanWhoseFactorsFillInAsInSpace) {
  Report r;
  r.method = "multifrontal";
  r.n = 200'000, r.nnz = 1'400'000, r.fronts = 1000;
  r.predicted_factor_nnz = 20 * r.nnz;
  EXPECT_NE(advice(r).find("method multisplitting"), std::string::npos);
  Report with_factors = r;
  with_factors.factor_nnz = r.predicted_factor_nnz;
  EXPECT_EQ(advice(with_factors), kernel_advice(with_factors));
  r.predicted_factor_nnz = 10 * r.nnz;
  EXPECT_EQ(advice(r), "");
  r.predicted_factor_nnz = 20 * r.nnz, r.n = 20'000;
  EXPECT_EQ(advice(r), "");
}

TEST(Advice, IsSilentWhereItWouldNotHelp) {
  EXPECT_EQ(advice(of_a_direct_solve(0.3, 0.05, 0.05)), "");  // too short to be worth a sentence
  Report r = of_a_direct_solve(1, 0, 0);
  r.iteration.emplace();
  EXPECT_EQ(advice(r), "");
  r = of_a_direct_solve(1, unknown, unknown);
  EXPECT_NE(advice(r), "");
  r.factor_nnz = 0;  // a plan
  EXPECT_EQ(advice(r), "");
  r.factor_nnz = 100;
  r.status = Status::inaccurate;
  EXPECT_EQ(advice(r), "");
  EXPECT_EQ(advice(Report{}), "");
}

TEST(Advice, OldKernelsOfTheBlasComeFirstWhereTheyCostSeconds) {
  const std::string sentence = blas_info().shortcoming;  // empty on a computer that is well
  EXPECT_EQ(kernel_advice(of_a_direct_solve(0, 2, 0)), sentence);
  EXPECT_EQ(advice(of_a_direct_solve(0, 2, 0)), sentence);
  EXPECT_EQ(kernel_advice(of_a_direct_solve(2, 0.5, 2)), "");
  Report simulated = of_a_direct_solve(0, 2, 0);
  simulated.simulated = true;
  EXPECT_EQ(kernel_advice(simulated), "");
}

}  // namespace
}  // namespace overlapack
