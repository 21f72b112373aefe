#pragma once
#include "overlapack/export.hpp"

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace overlapack {

/// How a call ended. It is the `status` of reports, the kind of an Error and C's olp_status; Python's exceptions and the exit codes of
/// the command line follow it. With ok, inaccurate and ill_conditioned there is an x. With singular and not_converged there may be one.
enum class Status : std::uint8_t {
  ok,
  inaccurate,  ///< x was computed, but its backward error is above RefinementOptions::accuracy
  /// Structurally or numerically singular. With null_pivots there is an x nevertheless; of several right-hand sides, those that have
  /// a solution get theirs.
  singular,
  not_converged,  ///< an iteration stopped above its tolerance
  out_of_memory,
  bad_input,     ///< the matrix, file or vector cannot be used as it is
  bad_plan,      ///< options that do not go together, or a combination that is not built
  comm_failure,  ///< a rank, a message or a launcher failed
  cancelled,     ///< the caller's progress callback, Ctrl-C or a time limit
  internal,      ///< a defect of overlapack
  ill_conditioned  ///< x has a small backward error, but may change with the last digits of A: Report::forward_error_bound
};

/// The name of a status as reports print it: "ok", "singular", ...
OVERLAPACK_API std::string_view to_string(Status status);

/// The one exception type that overlapack throws. what() is one sentence that says what to do next. Copies take no memory.
class OVERLAPACK_API Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}

  Status status() const noexcept { return status_; }
  /// The public call that failed: "factorize", "solve", "read_matrix", ...; "options" if an option could not be read. Empty for
  /// errors that the caller's own functions threw.
  std::string_view where() const noexcept { return where_; }

  /// A copy of this error whose where() is the given name.
  /// where: a string that lives as long as the program, such as a literal
  Error in(std::string_view where) const noexcept {
    Error named = *this;
    named.where_ = where;
    return named;
  }

 private:
  Status status_;
  std::string_view where_;
};

/// Translate any exception into an Error. This is the only function that turns exceptions into a status and a sentence. An Error stays
/// as it is. std::bad_alloc and std::length_error become Status::out_of_memory, any other exception Status::internal with its own words.
OVERLAPACK_API Error error_of(const std::exception_ptr& thrown) noexcept;

}  // namespace overlapack
