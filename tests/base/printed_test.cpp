#include "overlapack/printed.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace overlapack {
namespace {

TEST(Printed, BytesInTheUnitThatFits) {
  const std::pair<double, const char*> cases[] = {
      {0, "0 B"},         {80, "80 B"},       {999, "999 B"},     {999.5, "1.00 kB"},
      {1000, "1.00 kB"},  {12345, "12.3 kB"}, {999499, "999 kB"}, {1876176, "1.88 MB"},
      {1.5e9, "1.50 GB"}, {2e12, "2.00 TB"},  {3e15, "3.00 PB"},  {3e18, "3000 PB"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(bytes_text(bytes), text);
}

TEST(Printed, SecondsInTheUnitThatFits) {
  const std::pair<double, const char*> cases[] = {{0, "0 s"},
                                                  {2.5e-8, "0.025 us"},
                                                  {1e-6, "1 us"},
                                                  {999.4e-6, "999 us"},
                                                  {999.6e-6, "1 ms"},
                                                  {0.02, "20 ms"},
                                                  {0.9994, "999 ms"},
                                                  {0.9996, "1 s"},
                                                  {12.345, "12.3 s"},
                                                  {119.4, "119 s"},
                                                  {119.5, "2 min 0 s"},
                                                  {125, "2 min 5 s"},
                                                  {7199.4, "119 min 59 s"},
                                                  {7199.5, "2 h 0 min"},
                                                  {12000, "3 h 20 min"}};
  for (const auto& [s, text] : cases) EXPECT_EQ(seconds_text(s), text);
}

TEST(Printed, CountsAndShares) {
  EXPECT_EQ(scaled_text(1.234e7, ""), "12.3 M");
  EXPECT_EQ(scaled_text(7, ""), "7");
  EXPECT_EQ(scaled_text(1.23e7, "flop"), "12.3 Mflop");
  EXPECT_EQ(whole_text(-1234567), "-1 234 567");
  EXPECT_EQ(whole_text(999), "999");
  EXPECT_EQ(percent_text(0.414), "41 %");
}

TEST(Printed, NanHasNoSign) {
  EXPECT_EQ(printed("%g", -std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(printed("%s", std::string(500, 'x').c_str()).size(), 500u);
}

}  // namespace
}  // namespace overlapack
