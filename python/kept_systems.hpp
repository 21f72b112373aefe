#pragma once
#include "overlapack/_kept_call.h"
#include "overlapack/batch.hpp"
#include "overlapack/overlapack.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::python {

/// The bytes of a number of the call's type.
inline constexpr std::size_t bytes_of_type[] = {4, 8, 8, 16};

/// The progress function that is called while a call of this thread works; true stops the call. Null: none.
extern thread_local const std::function<bool(const Progress&)>* listener;

/// The factors of one matrix, or of several with one pattern, which answer calls for these matrices.
class KeptSystems {
 public:
  virtual ~KeptSystems() = default;
  /// Answer a call. Returns the status of a solve that gave an x: ok, inaccurate or ill_conditioned; for several systems the first that is not ok.
  /// Errors  as Factorization. For input that is not finite the answer is NaN, or an error if the call asks for errors
  virtual Status answer(const olp_kept_call& call) = 0;
  /// The bytes of the factors, the matrix and the positions.
  virtual double bytes() const = 0;
};

/// Factorise: one matrix as `factorize`, several as `factorize_batch`.
/// Errors  Singular (of one matrix), BadInput (positions outside, with the entry), and as these
std::unique_ptr<KeptSystems> factorized(const olp_kept_call& call);

/// Whether all of `count` numbers of this type are finite.
bool are_finite(int type, const void* numbers, Index count);
/// Set `count` numbers of this type to `number`.
void fill(int type, void* numbers, Index count, double number);

}  // namespace overlapack::python
