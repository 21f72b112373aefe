#include "overlapack/error.hpp"

#include "base/public_call.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace overlapack {
namespace {

Error caught(const std::function<void()>& thrower) {
  try {
    thrower();
  } catch (...) {
    return error_of(std::current_exception());
  }
  return {Status::ok, "nothing was thrown"};
}

TEST(Error, AnyExceptionHasAStatusAndASentence) {
  const Error own = caught([] { throw Error(Status::singular, "a zero").in("factorize"); });
  EXPECT_EQ(own.status(), Status::singular);
  EXPECT_STREQ(own.what(), "a zero");
  EXPECT_EQ(own.where(), "factorize");

  const Error foreign = caught([] { throw std::runtime_error("odd"); });
  EXPECT_EQ(foreign.status(), Status::internal);
  EXPECT_STREQ(foreign.what(), "odd");
  const Error none = caught([] { throw 42; });
  EXPECT_EQ(none.status(), Status::internal);
  EXPECT_NE(std::string(none.what()).find("no std::exception"), std::string::npos);
}

TEST(Error, MemoryThatRanOutHasOneSentence) {
  const Error no_memory = caught([] { throw std::bad_alloc(); });
  const Error too_long = caught([] { std::vector<char>().resize(std::vector<char>().max_size() + 1); });
  for (const Error& error : {no_memory, too_long}) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    EXPECT_EQ(std::string(error.what()).find("memory ran out; "), 0u);
  }
  EXPECT_STREQ(no_memory.what(), too_long.what());
}

TEST(Error, EachStatusHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Status::ill_conditioned); ++i)
    names.insert(to_string(static_cast<Status>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Status::ill_conditioned) + 1);
  EXPECT_TRUE(names.contains("not_converged"));
}

TEST(PublicCall, NamesWhatIsThrown) {
  const auto refuse = [] { throw Error(Status::bad_plan, "no"); };
  EXPECT_EQ(caught([&] { refuse(); }).where(), "");
  EXPECT_EQ(caught([&] { public_call(call::solve, refuse); }).where(), "solve");
  const auto saves = [&] { public_call(call::save, [&] { public_call(call::write, refuse); }); };
  EXPECT_EQ(caught(saves).where(), "save");
  const auto reads = [&] { public_call(call::solve, [&] { public_call(call::options, refuse); }); };
  EXPECT_EQ(caught(reads).where(), "options");
}

TEST(PublicCall, MakesErrorsOfMemoryThatRanOutAndOfNothingElse) {
  const auto thrown = [](auto thrower) { return [=] { public_call(call::factorize, thrower); }; };
  EXPECT_THROW(thrown([] { throw std::bad_alloc(); })(), Error);
  EXPECT_EQ(caught(thrown([] { throw std::bad_alloc(); })).where(), "factorize");
  EXPECT_THROW(thrown([] { throw std::runtime_error("the caller's"); })(), std::runtime_error);
  EXPECT_EQ(caught(thrown([] { throw std::runtime_error("the caller's"); })).where(), "");
}

}  // namespace
}  // namespace overlapack
