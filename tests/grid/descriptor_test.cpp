#include "dist/grid/descriptor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overlapack::dist {
namespace {

const ProcessGrid& grid() {
  static const ProcessGrid instance(2, 3, GridOrder::row_major, 6);
  return instance;
}
constexpr int context = 7;
const Descriptor good{1, context, 10, 12, 3, 4, 1, 2, 8};

TEST(Descriptor, BecomesALayoutAndComesBack) {
  std::vector<double> data(100);
  const GridPlace me{.row = 1, .col = 2};
  const auto A = matrix_of(good, grid(), me, context, data.data());
  EXPECT_EQ(A.m(), 10);
  EXPECT_EQ(A.n(), 12);
  EXPECT_EQ(A.rows.block, 3);
  EXPECT_EQ(A.cols.block, 4);
  EXPECT_TRUE(A.owns_row({0}) && A.owns_col({0}));  // I am both sources
  EXPECT_EQ(A.local.rows, 6);                       // blocks 0, 2 of 4
  EXPECT_EQ(A.local.cols, 4);
  EXPECT_EQ(A.local.ld, 8);
  EXPECT_EQ(A.local.data, data.data());
  EXPECT_EQ(descriptor_of(A.rows, A.cols, A.local.ld, context), good);
}

TEST(Descriptor, EachWrongEntryIsNamed) {
  struct Case {
    DescriptorEntry entry;
    int value;
    std::string part;
  };
  using enum DescriptorEntry;
  const std::vector<Case> cases{
      {dtype, 501, "must be 1"},     {ctxt, 6, "must be 7"},     {m, -1, "at least 0"},
      {n, -3, "at least 0"},         {mb, 0, "at least 1"},      {nb, -2, "at least 1"},
      {rsrc, 2, "0 to 1"},           {rsrc, -1, "process rows"}, {csrc, 3, "0 to 2"},
      {csrc, -1, "process columns"}, {lld, 5, "at least 6"},     {lld, 0, "process row 1"}};
  const std::string names[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};
  const GridPlace me{.row = 1, .col = 0};
  EXPECT_FALSE(fault_of(good, grid(), me, context).has_value());
  for (const Case& c : cases) {
    Descriptor wrong = good;
    wrong[static_cast<std::size_t>(c.entry) - 1] = c.value;
    const auto fault = fault_of(wrong, grid(), me, context);
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->entry, c.entry);
    EXPECT_NE(fault->message.find(c.part), std::string::npos) << fault->message;
    EXPECT_NE(fault->message.find(names[static_cast<std::size_t>(c.entry) - 1]), std::string::npos)
        << fault->message;
    double x = 0;
    try {
      matrix_of(wrong, grid(), me, context, &x);
      ADD_FAILURE() << "nobody saw it";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::bad_input);
      EXPECT_EQ(e.what(), fault->message);
    }
  }
}

// ScaLAPACK wants LLD_ >= 1 also where there are no rows.
TEST(Descriptor, NothingToHold) {
  Descriptor empty = good;
  empty[2] = 0;
  empty[8] = 1;
  const GridPlace me{.row = 0, .col = 0};
  EXPECT_FALSE(fault_of(empty, grid(), me, context).has_value());
  empty[8] = 0;
  EXPECT_EQ(fault_of(empty, grid(), me, context)->entry, DescriptorEntry::lld);
}

TEST(Descriptor, SizesBeyondItsIntegersAreRefused) {
  const Index large = Index{1} << 31;
  EXPECT_THROW(descriptor_of({.size = large}, {.size = 1}, 1, 0), Error);
  EXPECT_THROW(descriptor_of({.size = 1}, {.size = 1}, large, 0), Error);
  EXPECT_EQ(descriptor_of({.size = large - 1}, {.size = 1}, 1, 0)[2], 2147483647);
}

}  // namespace
}  // namespace overlapack::dist
