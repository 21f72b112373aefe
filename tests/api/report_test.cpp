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

TEST(MessageNames, TellTheAlgorithmsOfOneLaneApart) {
  for (std::int32_t kind = sparse::delayed_part; kind <= sparse::load_news; ++kind) {
    EXPECT_NE(sparse::message_name(kind), "") << kind;
    EXPECT_EQ(dense::message_name(kind), "") << kind;
  }
  for (const std::int32_t kind : {dense::pivot_move, dense::panel_move, dense::left_move}) {
    EXPECT_EQ(sparse::message_name(kind), "") << kind;
    EXPECT_EQ(api::message_name(comm::Lane::bulk, kind), dense::message_name(kind));
  }
  EXPECT_EQ(api::message_name(comm::Lane::bulk, sparse::panel_part), "panel");
  EXPECT_EQ(api::message_name(comm::Lane::collective, sparse::panel_part), "collective");
}

TEST(Report, StatusNamesAreThoseOfErrors) {
  for (ErrorKind kind :
       {ErrorKind::bad_input, ErrorKind::bad_plan, ErrorKind::singular, ErrorKind::not_converged,
        ErrorKind::out_of_memory, ErrorKind::comm_failure, ErrorKind::cancelled, ErrorKind::internal})
    EXPECT_EQ(to_string(status_of(kind)), to_string(kind));
}

}  // namespace
}  // namespace overlapack
