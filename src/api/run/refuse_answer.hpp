#pragma once
#include "base/public_call.hpp"
#include "overlapack/report.hpp"

#include <string>

namespace overlapack::api {

/// Refuse a call of Factors that this kind of factors cannot answer.
/// report: the report of these factors; what: the answer, as a noun
/// Errors  BadPlan
[[noreturn]] inline void refuse_answer(call::Name name, const Report& report, const char* what) {
  const std::string kind = report.factorization.empty() ? "" : " with " + report.factorization;
  throw Error(Status::bad_plan, "method " + report.method + kind + " has no " + what +
                                    "; factorize the sparse matrix with method multifrontal")
      .in(name);
}

}  // namespace overlapack::api
