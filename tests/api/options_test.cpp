#include "api/words/option_use.hpp"
#include "api/words/options_table.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace overlapack {
namespace {

void expect_bad_plan(const std::function<void()>& f, const std::string& saying) {
  try {
    f();
    ADD_FAILURE() << "no error about " << saying;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_plan);
    EXPECT_NE(std::string(error.what()).find(saying), std::string::npos) << error.what();
  }
}

void set(Options& options, std::string_view name, std::string_view text) {
  api::set_from_text(options, *api::find_option(name), text);
}

TEST(OptionsTable, NamesAreUniqueAndDefaultsAllowed) {
  std::set<std::string_view> names;
  for (const auto& entry : api::options_table()) EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  EXPECT_NO_THROW(check(Options{}));
  EXPECT_EQ(api::find_option("no_such"), nullptr);
  EXPECT_EQ(api::find_option("pivot-threshold"), api::find_option("pivot_threshold"));
}

TEST(OptionsTable, BytesAndSecondsTakeUnits) {
  Options o;
  const std::pair<const char*, std::int64_t> bytes[] = {{"7", 7},
                                                        {"2k", 2048},
                                                        {"2kB", 2000},
                                                        {"3MiB", 3 << 20},
                                                        {"1.5G", 3ll << 29},
                                                        {"1TB", 1000000000000},
                                                        {"2.00 GB", 2000000000}};
  for (const auto& [text, value] : bytes) {
    set(o, "memory_limit", text);
    EXPECT_EQ(o.run.memory_limit_bytes, value) << text;
  }
  const std::pair<const char*, double> seconds[] = {
      {"2", 2}, {"2s", 2}, {"500ms", 0.5}, {"1.5min", 90}, {"1h", 3600}};
  for (const auto& [text, value] : seconds) {
    set(o, "time_limit", text);
    EXPECT_DOUBLE_EQ(o.run.time_limit_s, value) << text;
  }
}

/// Each group is read by one method at least, and an option that has its default is used by all.
TEST(OptionsTable, TellsWhatAMethodDoesNotRead) {
  constexpr Method methods[] = {Method::multifrontal, Method::supernodal, Method::block_triangular,
                                Method::dense,        Method::jacobi,     Method::multisplitting};
  for (const Method method : methods) EXPECT_EQ(api::unused_options({}, method), "") << to_string(method);
  for (const auto& entry : api::options_table()) {
    if (!entry.is_read) continue;
    Options o{.compression = {.kind = Compression::blr}, .dense = {.discipline = {}}};
    const auto reads = [&](Method method) { return entry.is_read((o.method = method, o)); };
    bool is_read = std::ranges::any_of(methods, reads);
    o.multisplitting.inner = InnerSolve::conjugate_gradients;
    is_read |= reads(Method::multisplitting);
    EXPECT_TRUE(is_read) << entry.name;
    EXPECT_FALSE(std::ranges::all_of(methods, reads)) << entry.name;
  }
  Options o;
  set(o, "relax", "8");
  set(o, "max_width", "64");
  set(o, "tolerance", "1e-3");
  set(o, "ordering", "amd");
  set(o, "compression_tolerance", "1e-3");
  set(o, "ranks", "2");
  EXPECT_EQ(api::unused_options(o, Method::multifrontal),
            "compression_tolerance, experiment.max_width, experiment.relax, tolerance");
  EXPECT_EQ(api::unused_options(o, Method::supernodal), "compression_tolerance, tolerance");
  EXPECT_EQ(api::unused_options(o, Method::jacobi),
            "ordering, compression_tolerance, experiment.max_width, experiment.relax");
  EXPECT_EQ(api::unused_options(o, Method::multisplitting),
            "compression_tolerance, experiment.max_width, experiment.relax");
  o.multisplitting.inner = InnerSolve::conjugate_gradients;
  EXPECT_EQ(api::unused_options(o, Method::multisplitting),
            "ordering, compression_tolerance, experiment.max_width, experiment.relax");
  o.multisplitting.inner.reset();
  o.compression.kind = Compression::blr;
  EXPECT_EQ(api::unused_options(o, Method::multifrontal),
            "experiment.max_width, experiment.relax, tolerance");
  o = {.dense = {.row_swap = RowSwap::generic}};
  for (const FactorKind kind : {FactorKind::lu, FactorKind::cholesky, FactorKind::qr}) {
    o.factorization = kind;
    o.dense.discipline = kind == FactorKind::lu ? Discipline::onesided : Discipline::messages;
    EXPECT_EQ(api::unused_options(o, Method::dense), kind == FactorKind::lu ? "" : "experiment.row_swap");
  }
}

TEST(OptionsTable, RefusesWhatIsOutOfRangeAndSaysWhatIsAllowed) {
  Options o;
  for (const char* text : {"-0.1", "1.1", "nan", "inf", "", "x", "0.5x"})
    expect_bad_plan([&] { set(o, "pivot_threshold", text); }, "pivot_threshold");
  for (const char* text : {"-1", "1.5", "1e9", "two", "4097"})
    expect_bad_plan([&] { set(o, "ranks", text); }, "from 0 to 4096");
  for (const char* text : {"-5", "3Q", "1e30", "4  G", "4 Q", " 4G", "4 "})
    expect_bad_plan([&] { set(o, "memory_limit", text); }, "bytes");
  expect_bad_plan([&] { set(o, "ordering", "best"); }, "metis");
}

/// What is misspelt does not compile.
template <class T>
concept CanBeOrdering = requires(Options o, T value) {
  o.sparse.ordering = value;
};
static_assert(CanBeOrdering<Ordering> && !CanBeOrdering<const char*> && !CanBeOrdering<Switch>);

/// Each choice by its name and back; "auto" is an empty one.
TEST(OptionsTable, EveryChoiceCanBeSetByItsName) {
  for (const auto& entry : api::options_table())
    for (const std::string_view choice : entry.field.choices) {
      Options o;
      api::set_from_text(o, entry, choice);
      EXPECT_EQ(api::value_text(o, entry), choice) << entry.name;
    }
  Options o;
  set(o, "method", "dense");
  EXPECT_EQ(o.method, Method::dense);
  set(o, "method", "auto");
  EXPECT_FALSE(o.method);
  expect_bad_plan([&] { set(o, "method", "magic"); }, "give one of auto, multifrontal");
  expect_bad_plan([&] { set(o, "schedule", "zigzag"); }, "lookahead");
  expect_bad_plan([&] { set(o, "schedule", "superstep"); }, "lookahead");  // a discipline
  expect_bad_plan([&] { set(o, "broadcast", "shout"); }, "ring");
  expect_bad_plan([] { check({.method = static_cast<Method>(200)}); }, "method");  // as a cast may make one
}

TEST(OptionsTable, FormsAreReadAndWritten) {
  Options o;
  set(o, "grid", "2x3");
  EXPECT_EQ(o.dense.grid.rows, 2);
  EXPECT_EQ(o.dense.grid.cols, 3);
  EXPECT_EQ(api::value_text(o, *api::find_option("grid")), "2x3");
  set(o, "slow_rank", "3:2.5");
  EXPECT_EQ(o.iteration.slow_rank.rank, 3);
  EXPECT_EQ(o.iteration.slow_rank.factor, 2.5);
  EXPECT_EQ(api::value_text(o, *api::find_option("slow_rank")), "3:2.5");
  for (const char* text : {"2 by 2", "0x2", "2x2x", "x", "", "2x", "-1x-1", "70000x70000"})
    expect_bad_plan([&] { set(o, "grid", text); }, "process rows x columns as in 2x3");
  for (const char* text : {"2", "2:", "-1:2", "0:0.5", "0:inf", "0:2x"})
    expect_bad_plan([&] { set(o, "slow_rank", text); }, "RANK:FACTOR as in 3:2, with a factor of at least 1");
  set(o, "grid", "auto");
  set(o, "slow_rank", "none");
  EXPECT_EQ(to_json(o), to_json(Options{}));
  expect_bad_plan([] { check({.dense = {.grid = {2, 0}}}); }, "grid is \"2x0\"");
  expect_bad_plan([] { check({.iteration = {.slow_rank = {.rank = -2}}}); }, "slow_rank");
}

/// Each experiment tells its paper, no other option has one, and most users see few.
TEST(Tiers, ExperimentsAloneHaveASource) {
  for (const auto& entry : api::options_table())
    EXPECT_EQ(entry.source.empty(), entry.tier != OptionTier::experiment) << entry.name;
  EXPECT_LE(std::ranges::count(api::options_table(), OptionTier::common, &api::OptionEntry::tier), 15);
  EXPECT_LE(std::ranges::count(api::options_table(), OptionTier::expert, &api::OptionEntry::tier), 40);
}

TEST(Tiers, EachKindIsSetByItsOwnForm) {
  Options o;
  set_option(o, "experiment.strip_rows", "64");
  EXPECT_EQ(o.fronts.strip_rows, 64);
  set_option(o, "experiment.strip-rows", "65");
  EXPECT_EQ(o.fronts.strip_rows, 65);
  expect_bad_plan(
      [&] { set_option(o, "strip_rows", "66"); },
      "strip_rows is an experiment; give it as experiment.strip_rows: --experiment strip_rows=VALUE");
  expect_bad_plan(
      [&] { set_option(o, "experiment.pivot_threshold", "0.1"); },
      "pivot_threshold is an option and no experiment; give it by its own name: --pivot-threshold");
  expect_bad_plan([&] { set_option(o, "experiment.strip_rows", "many"); },
                  "experiment strip_rows is \"many\"");
  EXPECT_EQ(o.fronts.strip_rows, 65);
  EXPECT_EQ(o.sparse.pivot_threshold, Options{}.sparse.pivot_threshold);
}

std::string told_of(std::string_view name) {
  try {
    api::option_named(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// What is misspelt gets names of its own kind alone.
TEST(Tiers, ListsAndSuggestionsAreOfOneKind) {
  EXPECT_NE(told_of("experiment.strip_row").find("did you mean strip_rows"), std::string::npos);
  EXPECT_NE(told_of("experiment.nonsense").find("`overlapack info --experiments`"), std::string::npos);
  const std::string list = told_of("nonsense") + ",";
  for (const auto& entry : api::options_table()) {
    const std::string name(entry.name);
    EXPECT_EQ(list.find(" " + name + ",") == std::string::npos, api::is_experiment(entry)) << name;
    if (api::is_experiment(entry)) {
      EXPECT_EQ(told_of(name + "s").find("mean " + name + "?"), std::string::npos);
    }
  }
}

TEST(Tiers, JsonHasAnObjectOfExperiments) {
  const auto given = [](const std::string& json) { return options_from_json(json); };
  EXPECT_EQ(given(R"({"ranks": 2, "experiment": {"strip_rows": 64}})").fronts.strip_rows, 64);
  const auto all = nlohmann::json::parse(to_json(given(R"({"experiment": {"early": "wait"}})")));
  EXPECT_EQ(all.at("experiment").at("early"), "wait");
  EXPECT_FALSE(all.contains("early"));
  EXPECT_FALSE(all.at("experiment").contains("ordering"));
  expect_bad_plan([&] { given(R"({"strip_rows": 64})"); }, "in JSON \"experiment\": {\"strip_rows\": VALUE}");
  expect_bad_plan([&] { given(R"({"experiment": {"ranks": 2}})"); }, "ranks is an option and no experiment");
  expect_bad_plan([&] { given(R"({"experiment": {"experiment": {}}})"); }, "no experiment \"experiment\"");
  expect_bad_plan([&] { given(R"({"experiment": 3})"); }, "give an object of experiments");
  expect_bad_plan([&] { given(R"({"experiment": {"strip_rows": [1]}})"); },
                  "experiment strip_rows is a list");
}

TEST(OptionsJson, ComesBackAsItWas) {
  Options o;
  o.sparse.ordering = Ordering::user;
  o.sparse.user_order = {2, 0, 1};
  o.sparse.pivot_threshold = 0.1 + 0.2;  // 17 digits
  o.ranks = 7;
  o.run.eager_bytes = 4096;
  o.run.trace = true;
  const Options back = options_from_json(to_json(o));
  EXPECT_EQ(to_json(back), to_json(o));
  EXPECT_EQ(back.sparse.user_order, o.sparse.user_order);
  EXPECT_EQ(back.sparse.pivot_threshold, o.sparse.pivot_threshold);
}

TEST(OptionsJson, KeepsWhatItDoesNotName) {
  Options base;
  base.ranks = 3;
  base.sparse.ordering = Ordering::amd;
  const Options o = options_from_json(R"({"ranks": 5})", base);
  EXPECT_EQ(o.ranks, 5);
  EXPECT_EQ(o.sparse.ordering, Ordering::amd);
}

TEST(OptionsJson, RefusesWhatItDoesNotKnow) {
  expect_bad_plan([] { options_from_json("[1]"); }, "JSON object");
  expect_bad_plan([] { options_from_json("{"); }, "JSON object");
  expect_bad_plan([] { options_from_json(R"({"rank": 1})"); }, "rank");
  expect_bad_plan([] { options_from_json(R"({"ranks": null})"); }, "ranks");
  expect_bad_plan([] { options_from_json(R"({"user_order": [1.5]})"); }, "user_order");
}

TEST(OptionsJson, SchemaListsEveryOption) {
  const auto schema = nlohmann::json::parse(options_schema_json());
  ASSERT_EQ(schema.size(), api::options_table().size());
  for (const auto& option : schema) EXPECT_TRUE(option.contains("name") && option.contains("default"));
}

TEST(Options, OrderAndOrderingGoTogether) {
  expect_bad_plan([] { check({.sparse = {.ordering = Ordering::user}}); }, "user_order");
  Options o;
  o.sparse.user_order = {0};
  expect_bad_plan([&] { check(o); }, "user_order");
}

TEST(Processes, WhereRanksAreThreadsOneIsAlone) {
  Processes alone{Options{}};
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.tell("a matrix"), std::vector<std::string>{"a matrix"});
  EXPECT_EQ(alone.tell(""), std::vector<std::string>{""});
  expect_bad_plan([] { Processes({.ranks = -1}); }, "ranks");
}

}  // namespace
}  // namespace overlapack
