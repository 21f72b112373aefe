#pragma once
#include "overlapack/export.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace overlapack {

/// What went wrong, as a caller has to tell it apart; the CLI's exit codes and Python's exceptions mirror these.
enum class ErrorKind {
  bad_input,      ///< the matrix, file or vector cannot be used as it is
  bad_plan,       ///< options that do not go together, or a combination that is not built
  singular,       ///< structurally or numerically singular
  not_converged,  ///< an iteration or a refinement stopped above its tolerance
  out_of_memory,
  comm_failure,  ///< a rank, a message or a launcher failed
  cancelled,     ///< the caller's progress callback, Ctrl-C or a time limit
  internal,      ///< a defect of overlapack
};

/// The name of a kind as reports print it: "bad_input", "singular", ...
OVERLAPACK_API std::string_view to_string(ErrorKind kind);

/// The one exception type that overlapack throws. what() is one sentence that says what to do next.
class OVERLAPACK_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string where, const std::string& message)
      : std::runtime_error(message), kind_(kind), where_(std::move(where)) {}

  ErrorKind kind() const noexcept { return kind_; }
  /// The part of the library that threw: "matrix_market", "multifrontal", ...
  const std::string& where() const noexcept { return where_; }

 private:
  ErrorKind kind_;
  std::string where_;
};

}  // namespace overlapack
