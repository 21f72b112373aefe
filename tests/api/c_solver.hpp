#pragma once
#include "overlapack/overlapack.h"

#include <gtest/gtest.h>

#include <string>

namespace overlapack {

/// A solver that is given back.
struct Solver {
  Solver() { EXPECT_EQ(olp_create(&handle), OLP_OK); }
  ~Solver() { olp_destroy(handle); }
  operator olp_solver*() const { return handle; }
  std::string message() const { return olp_message(handle); }
  olp_solver* handle = nullptr;
};

inline double figure(olp_solver* solver, const char* name) {
  double value = -1;
  EXPECT_EQ(olp_figure(solver, name, &value), OLP_OK) << olp_message(solver);
  return value;
}

inline std::string text(olp_solver* solver, const char* name) {
  const char* found = "";
  EXPECT_EQ(olp_text(solver, name, &found), OLP_OK) << olp_message(solver);
  return found;
}

inline void expect_refused(olp_status status, olp_status expected, const Solver& solver,
                           const std::string& words) {
  EXPECT_EQ(status, expected) << solver.message();
  EXPECT_NE(solver.message().find(words), std::string::npos) << solver.message();
}

}  // namespace overlapack
