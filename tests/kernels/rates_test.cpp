#include "kernels/product/rates.hpp"

#include "kernels/small/dispatch.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace overlapack::kernels {
namespace {

TEST(Rates, EveryLevelThatMayBeInUseHasARow) {
  for (const auto* level : {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"})
    EXPECT_EQ(rates_of(level).level, level);
  for (const auto level : small_kernel_levels()) EXPECT_EQ(rates_of(level).level, level);
  EXPECT_THROW(rates_of("x86-64-v9"), Error);
}

TEST(Rates, RowsAreCompleteAndNoWiderFrontIsSlower) {
  for (const Rates& row : all_rates()) {
    SCOPED_TRACE(std::string(row.level));
    for (const RateTable* rates : {&row.update_full.rate, &row.update_lower.rate, &row.panel_lu,
                                   &row.panel_ldlt, &row.panel_cholesky}) {
      EXPECT_GT(rates->front(), 0);
      EXPECT_TRUE(std::ranges::is_sorted(*rates));
    }
    for (const double positive :
         {row.update_full.half_border, row.update_lower.half_border, row.assembly_bytes_per_s, row.front_s,
          row.node_s, row.node_update_s, row.listed_s, row.added_s, row.column_s, row.column_entry_s,
          row.column_multiply_add_s})
      EXPECT_GT(positive, 0);
  }
}

TEST(Rates, WiderRegistersAreNoSlower) {
  const auto rows = all_rates();
  for (std::size_t i = 0; i < rows.size() && rows[i].level != "aarch64"; ++i) {
    if (i == 0) continue;
    SCOPED_TRACE(std::string(rows[i].level));
    EXPECT_GT(rows[i].update_full.rate.back(), rows[i - 1].update_full.rate.back());
    EXPECT_GT(rows[i].update_lower.rate.back(), rows[i - 1].update_lower.rate.back());
  }
}

}  // namespace
}  // namespace overlapack::kernels
