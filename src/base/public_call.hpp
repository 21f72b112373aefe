#pragma once
#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

/// Names of all public calls, as in Error::where().
namespace overlapack::call {

using Name = std::string_view;
inline constexpr Name options = "options";  ///< reading and checking options, in any call
inline constexpr Name plan = "plan", analyse = "analyse", load_analysis = "load_analysis",
                      factorize = "factorize", refactorize = "refactorize", solve = "solve",
                      substitute = "substitute", load_factors = "load_factors", save = "save";
inline constexpr Name determinant = "determinant", reciprocal_condition = "reciprocal_condition",
                      inertia = "inertia", null_space = "null_space", inverse_entries = "inverse_entries",
                      inverse_diagonal = "inverse_diagonal", selected_inverse = "selected_inverse",
                      triangular_factors = "triangular_factors", symmetric_factors = "symmetric_factors",
                      half = "half";
inline constexpr Name diagnose = "diagnose";
inline constexpr Name schur = "schur", condense = "condense", expand = "expand";
inline constexpr Name lu_factor = "lu_factor", cholesky_factor = "cholesky_factor", qr_factor = "qr_factor",
                      lstsq = "lstsq", multiply_q = "multiply_q", r = "r", solve_triangle = "solve_triangle";
inline constexpr Name jacobi = "jacobi", apply = "apply", multisplitting = "multisplitting";
inline constexpr Name assemble = "assemble", multiply = "multiply", row_sums = "row_sums",
                      generate = "generate";
inline constexpr Name read_matrix = "read_matrix", read_dense = "read_dense", write = "write";
inline constexpr Name bsp = "bsp", channels = "channels";
inline constexpr Name benchmark = "benchmark", probe = "probe", simulate = "simulate";

}  // namespace overlapack::call

namespace overlapack {

/// Run work(), the body of a public call, and return its result. An Error that it throws is given the name of the call as
/// Error::where(); if public calls are nested, the outermost name remains. An error of options keeps its own name. bad_alloc and
/// length_error are turned into an Error.
template <class Work>
decltype(auto) named_call(call::Name name, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    if (error.where() == call::options) throw;
    throw error.in(name);
  } catch (const std::bad_alloc&) {
    throw error_of(std::current_exception()).in(name);
  } catch (const std::length_error&) {
    throw error_of(std::current_exception()).in(name);
  }
}

/// named_call() with floating-point traps off: for work that does not call back into a function that the caller passed.
template <class Work>
decltype(auto) public_call(call::Name name, Work&& work) {
  const QuietFloats quiet;
  return named_call(name, std::forward<Work>(work));
}

}  // namespace overlapack
