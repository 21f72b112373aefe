#include "overlapack/report.hpp"

#include "api/message_names.hpp"
#include "dense/message_kinds.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(MessageNames, EveryKindOfEveryAlgorithmHasItsOwn) {
  for (const comm::KindRange& range : {sparse::message_kinds, dense::lu_moves, dense::solve_moves,
                                       dense::cholesky_moves, dense::multiply_moves})
    for (std::int32_t kind = range.first(); kind < range.end(); ++kind) {
      EXPECT_NE(range.name(kind), "") << kind;
      EXPECT_EQ(api::message_name(comm::Lane::bulk, kind), range.name(kind)) << kind;
    }
  EXPECT_EQ(api::message_name(comm::Lane::bulk, sparse::MessageKind::panel_part), "panel");
  EXPECT_EQ(api::message_name(comm::Lane::bulk, dense::LuMove::panel), "dense panel");
  EXPECT_EQ(api::message_name(comm::Lane::collective, sparse::MessageKind::panel_part), "collective");
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

TEST(Report, StatusNamesAreThoseOfErrors) {
  for (ErrorKind kind :
       {ErrorKind::bad_input, ErrorKind::bad_plan, ErrorKind::singular, ErrorKind::not_converged,
        ErrorKind::out_of_memory, ErrorKind::comm_failure, ErrorKind::cancelled, ErrorKind::internal})
    EXPECT_EQ(to_string(status_of(kind)), to_string(kind));
}

}  // namespace
}  // namespace overlapack
