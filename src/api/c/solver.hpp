#pragma once
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/overlapack.h"
#include "overlapack/overlapack.hpp"
#include "overlapack/quiet_floats.hpp"

#include <algorithm>
#include <complex>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// The C++ objects behind the C interface, and the conversion of exceptions to status codes.
namespace overlapack::c {

/// The factors that a solver holds, or its iteration.
template <class T>
struct Held {
  std::unique_ptr<Factors<T>> factors;
  Factorization<T>* sparse = nullptr;  ///< the same object where it is sparse factors, else null
  bool is_distributed = false;         ///< each rank gave its lines
  Index n = 0;                         ///< order of the matrix; 0 on ranks that gave no matrix

  /// The order of the matrix, also on a rank that gave none.
  Index order() const { return std::max(n, factors->report().n); }
};

using AnyHeld = std::variant<std::monostate, Held<float>, Held<double>, Held<std::complex<float>>,
                             Held<std::complex<double>>>;

/// The caller's progress function, if there is one, and its last argument.
struct ProgressFunction {
  olp_progress function = nullptr;
  void* data = nullptr;

  bool call(const Progress& p) const {
    return function != nullptr && function(std::string(p.phase).c_str(), p.share, data) != 0;
  }
};

[[noreturn]] void refuse(Status status, const std::string& message);

/// Store the message for olp_message, and return the status.
olp_status set_status(olp_solver* solver, Status status, std::string_view message) noexcept;

}  // namespace overlapack::c

struct olp_solver {
  olp_solver() {
    options.progress = [progress = progress](const overlapack::Progress& p) { return progress->call(p); };
  }
  ~olp_solver() { *progress = {}; }
  olp_solver(const olp_solver&) = delete;
  olp_solver& operator=(const olp_solver&) = delete;

  /// Set by olp_set_progress. Copies of `options` share it: those in a batch or a Schur complement may outlive the solver.
  std::shared_ptr<overlapack::c::ProgressFunction> progress =
      std::make_shared<overlapack::c::ProgressFunction>();
  overlapack::Options options;
  overlapack::c::AnyHeld held;
  overlapack::Report planned;  ///< by olp_analyse, while there are no factors
  std::string why_empty;       ///< message of the call that failed to make factors
  int calls = 0;        ///< calls under way: one, and one more that a progress function makes meanwhile
  std::string message;  ///< for olp_message
  std::string text;     ///< for olp_text
};

struct olp_analysis {
  overlapack::PatternAnalysis kept;
};

namespace overlapack::c {

/// Counts a call of a solver while it runs.
class CountedCall {
 public:
  explicit CountedCall(olp_solver& solver) : solver_(solver) { ++solver_.calls; }
  ~CountedCall() { --solver_.calls; }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  olp_solver& solver_;
};

/// Returns f(*solver); an exception becomes a status and the message.
template <class F>
olp_status call(olp_solver* solver, F&& f) noexcept {
  const QuietFloats quiet;
  try {
    if (solver == nullptr)
      refuse(Status::bad_input, "the solver is a null pointer; make one with olp_create");
    const CountedCall counted(*solver);
    solver->message.clear();
    return f(*solver);
  } catch (...) {
    const Error error = error_of(std::current_exception());
    return set_status(solver, error.status(), error.what());
  }
}

/// Return read(), run as the check of agree(): if it throws on one rank, all ranks throw.  Collective
template <class Agree, class Read>
std::invoke_result_t<Read> read_as_check(Agree&& agree, Read&& read) {
  std::optional<std::invoke_result_t<Read>> made;
  agree([&] { made.emplace(read()); });
  return *std::move(made);
}

/// Return read(), which reads the caller's arguments before a call that all ranks of MPI make. If one rank refuses them, all ranks do, and
/// no rank waits for it. This function is for calls on factors (a Factors or a SchurComplement).
template <class Asked, class Read>
std::invoke_result_t<Read> read_arguments_together(Asked& factors, Read&& read) {
  return read_as_check([&](const std::function<void()>& check) { factors.agree(check); }, read);
}
/// read_arguments_together for calls that make factors.
template <class Read>
std::invoke_result_t<Read> read_arguments_together(olp_solver& solver, Read&& read) {
  return read_as_check([&](const std::function<void()>& check) { refuse_together(solver.options, check); },
                       read);
}

/// read_arguments_together for a check() without a result.
template <class Asked, class Check>
void check_arguments_together(Asked& asked, Check&& check) {
  read_arguments_together(asked, [&] {
    check();
    return true;
  });
}

/// Refuse a call that needs factors, on a solver without them.
/// Errors  BadInput; the sentence says why there are none
[[noreturn]] void refuse_empty(const olp_solver& solver);

/// Drop the solver's factors.
/// Errors  BadPlan inside another call, which may use them: a progress function has asked for other factors
void empty(olp_solver& solver);

/// Return f(held) with the solver's Held<T>, whatever its type T.
/// Errors  as refuse_empty
template <class F>
olp_status visit_factors(olp_solver& solver, F&& f) {
  return std::visit(
      [&](auto& held) -> olp_status {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>)
          refuse_empty(solver);
        else
          return f(held);
      },
      solver.held);
}

/// Return f(held), as call and visit_factors together.
template <class F>
olp_status with_factors(olp_solver* solver, F&& f) noexcept {
  return call(solver, [&](olp_solver& s) { return visit_factors(s, f); });
}

/// Return f.template operator()<T>() for the T of an olp_type.
/// Errors  BadInput for a number that is no olp_type
template <class F>
decltype(auto) dispatch(int type, F&& f) {
  if (type < OLP_FLOAT32 || type > OLP_COMPLEX128)
    refuse(Status::bad_input, "type is " + std::to_string(type) + "; give one of olp_type");
  return overlapack::dispatch(static_cast<ScalarType>(type), f);
}

/// Check that the caller's type is T, the type of the factors.
/// Errors  BadInput
template <class T>
void require_type(int type) {
  constexpr int own = static_cast<int>(ScalarTraits<T>::type);
  if (type != own)
    refuse(Status::bad_input,
           "type is " + std::to_string(type) + ", but the matrix is of type " + std::to_string(own) +
               " (olp_type); give numbers of that type, or factorize the matrix in the other");
}

/// The `type` of A, which all ranks give, also those without a matrix.
/// Errors  BadInput: a null pointer, or a number that is no olp_type
int read_type_together(olp_solver& solver, const olp_matrix* A, std::string_view name);

/// Return `pointer`, after a check.
/// Errors  BadInput if it is null
template <class P>
P* require_pointer(P* pointer, std::string_view name) {
  if (pointer == nullptr)
    refuse(Status::bad_input, std::string(name) + " is a null pointer; give an address");
  return pointer;
}

/// The Transpose for an olp_transpose.
/// Errors  BadInput for any other number
Transpose transpose_from(int op);

/// Check the shape of the caller's array of nrhs columns.
/// Errors  BadInput: nrhs < 0, more columns of `rows` numbers than an array can hold, or columns that are less than `rows` apart
void check_columns(const char* name, Index rows, Index nrhs, Index ld);

/// The product a b of two sizes >= 0.
/// Errors  BadInput: no array can hold so many numbers
Index count_of_numbers(Index a, Index b);

}  // namespace overlapack::c
