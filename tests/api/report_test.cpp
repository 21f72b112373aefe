#include "overlapack/report.hpp"

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

TEST(Report, StatusNamesAreThoseOfErrors) {
  for (ErrorKind kind :
       {ErrorKind::bad_input, ErrorKind::bad_plan, ErrorKind::singular, ErrorKind::not_converged,
        ErrorKind::out_of_memory, ErrorKind::comm_failure, ErrorKind::cancelled, ErrorKind::internal})
    EXPECT_EQ(to_string(status_of(kind)), to_string(kind));
}

}  // namespace
}  // namespace overlapack
