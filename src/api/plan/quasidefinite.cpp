#include "api/plan/quasidefinite.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <algorithm>
#include <complex>
#include <string>

namespace overlapack::api {

void require_quasidefinite(const Options& options) {
  const SparseOptions& asked = options.sparse;
  const auto refuse = [](const std::string& what) { throw Error(Status::bad_plan, what); };
  if (options.factorization != FactorKind::quasidefinite) {
    if (!asked.signs.empty() || asked.regularization > 0)
      refuse((asked.signs.empty() ? "regularization is set" : "signs are given") +
             std::string(", but factorization is ") + std::string(to_string(options.factorization)) +
             "; set factorization to quasidefinite, or leave them out");
    return;
  }
  if (asked.null_pivots)
    refuse(
        "null_pivots is set, but factorization is quasidefinite, which replaces pivots that are null; use "
        "ldlt");
  if (asked.matching == Switch::on)
    refuse(
        "matching is on and looks for pairs of pivots, but factorization is quasidefinite and takes each "
        "pivot in its place; leave matching out (scaling ruiz evens out sizes), or use ldlt");
}

void require_signs(const std::vector<std::int8_t>& signs, Index n) {
  const auto refuse = [](const std::string& what) {
    throw Error(Status::bad_input, what + "; give +1 or -1 for each unknown, the sign of its pivot");
  };
  if (static_cast<Index>(signs.size()) != n)
    refuse("signs has " + std::to_string(signs.size()) + " entries, but the matrix has " + std::to_string(n) +
           " columns");
  const auto odd = std::ranges::find_if(signs, [](std::int8_t sign) { return sign != 1 && sign != -1; });
  if (odd != signs.end())
    refuse("signs[" + std::to_string(odd - signs.begin()) + "] is " + std::to_string(*odd));
}

template <class T>
std::vector<std::int8_t> signs_of_diagonal(const SparseMatrix<T>& A) {
  std::vector<std::int8_t> signs;
  for (Index j = 0; j < A.cols; ++j) {
    const auto own = std::real(sparse::entry(A, j, j));
    if (own == 0)
      throw Error(
          Status::bad_input,
          "factorization is quasidefinite without signs, but entry " + std::to_string(j) +
              " (from 0) of the diagonal is zero and has no sign; give signs, +1 or -1 for each unknown");
    signs.push_back(own > 0 ? 1 : -1);
  }
  return signs;
}

#define OVERLAPACK_INSTANTIATE(T) template std::vector<std::int8_t> signs_of_diagonal(const SparseMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
