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

/// Of a number, by the call's type.
inline constexpr std::size_t bytes_of_type[] = {4, 8, 8, 16};

/// Asked while a call of this thread works; true: stop. Null: nobody is.
extern thread_local const std::function<bool(const Progress&)>* listener;

/// Factors of one matrix or of several with one pattern, which answer calls for these matrices.
class KeptSystems {
 public:
  virtual ~KeptSystems() = default;
  /// How a solve ended that gave an x: ok, inaccurate, ill_conditioned; of several systems the first that is not ok.
  /// Errors  as Factorization has them; what is not finite is NaN in out, or an error where the call raises
  virtual Status answer(const olp_kept_call& call) = 0;
  /// What it takes: the factors, the matrix and the positions.
  virtual double bytes() const = 0;
};

/// Factorise: one matrix as `factorize`, several as `factorize_batch`.
/// Errors  Singular (of one matrix), BadInput (positions outside, with the entry), and as these
std::unique_ptr<KeptSystems> factorized(const olp_kept_call& call);

/// Is each of so many numbers of this type finite?
bool are_finite(int type, const void* numbers, Index count);
/// The same in so many places.
void fill(int type, void* numbers, Index count, double number);

}  // namespace overlapack::python
