#include "overlapack/nearest.hpp"

#include <gtest/gtest.h>

namespace overlapack {
namespace {

const std::vector<std::string> words{"ordering",  "ranks",     "metis",          "amd",
                                     "trace_svg", "trace_csv", "pivot_threshold"};

TEST(Nearest, OneLetterOrASwapInShortWordsAFourthOfLongOnes) {
  EXPECT_EQ(nearest("orderng", words), "ordering");
  EXPECT_EQ(nearest("rank", words), "ranks");
  EXPECT_EQ(nearest("mteis", words), "metis");
  EXPECT_EQ(nearest("pivit_treshhold", words), "pivot_threshold");
  EXPECT_EQ(nearest("am", words), "amd");
  EXPECT_EQ(nearest("metro", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("ranks", {}), "");
}

TEST(Nearest, TheOnlyOneThatBeginsSo) {
  EXPECT_EQ(nearest("pivot", words), "pivot_threshold");
  EXPECT_EQ(nearest("trace", words), "");
  EXPECT_EQ(nearest("trace_s", words), "trace_svg");
}

TEST(Nearest, AsPartOfASentence) {
  EXPECT_EQ(did_you_mean("orderng", words), " (did you mean ordering?)");
  EXPECT_EQ(did_you_mean("qqq", words), "");
}

}  // namespace
}  // namespace overlapack
