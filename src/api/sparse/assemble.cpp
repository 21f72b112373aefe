#include "overlapack/assemble.hpp"

#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/compressed.hpp"
#include "sparse/matrix/triplets.hpp"

#include <string>

namespace overlapack {
namespace {

[[noreturn]] void refuse_elements(const std::string& message) { throw Error(Status::bad_input, message); }

template <class T>
void check(const Elements<T>& all) {
  const Index numbers = numbers_of(all);
  if (all.start.back() != static_cast<Index>(all.variable.size()))
    refuse_elements("the elements have " + std::to_string(all.start.back()) + " variables, but " +
                    std::to_string(all.variable.size()) + " are given; start ends with their number");
  if (numbers != static_cast<Index>(all.value.size()))
    refuse_elements("the elements have " + std::to_string(numbers) + " numbers, but " +
                    std::to_string(all.value.size()) +
                    " are given; an element of k variables has k^2, with a symmetry k (k + 1) / 2");
}

template <class T>
Triplets<T> entries_of(const Elements<T>& all) {
  check(all);
  Triplets<T> entries{all.n, all.n, {}, {}, {}};
  entries.reserve(static_cast<Index>(all.value.size()));
  const bool is_half = all.symmetry != Symmetry::general;
  const T* value = all.value.data();
  for (std::size_t e = 0; e + 1 < all.start.size(); ++e) {
    const Index* const variable = all.variable.data() + all.start[e];
    const Index order = all.start[e + 1] - all.start[e];
    for (Index j = 0; j < order; ++j)
      for (Index i = is_half ? j : 0; i < order; ++i) {
        const T x = *value++;
        entries.add(variable[i], variable[j], x);
        if (is_half && i != j)
          entries.add(variable[j], variable[i], all.symmetry == Symmetry::hermitian ? conjugate(x) : x);
      }
  }
  return entries;
}

}  // namespace

template <class T>
Index numbers_of(const Elements<T>& elements) {
  return public_call(call::assemble, [&] {
    if (elements.symmetry == Symmetry::skew)
      refuse_elements(
          "elements are general, symmetric or hermitian; give skew-symmetric ones whole, as general");
    if (elements.start.empty() || elements.start.front() != 0)
      refuse_elements("start of elements begins with 0, or base");
    constexpr Index most = Index{1} << 31;  // whose square is a number
    Index numbers = 0;
    for (std::size_t e = 0; e + 1 < elements.start.size(); ++e) {
      const Index order = elements.start[e + 1] - elements.start[e];
      if (order < 0)
        refuse_elements("start decreases after element " + std::to_string(e) + "; it must ascend");
      if (order > most)
        refuse_elements("element " + std::to_string(e) + " has " + std::to_string(order) +
                        " variables; at most " + std::to_string(most) + " are taken");
      numbers += elements.symmetry == Symmetry::general ? order * order : order * (order + 1) / 2;
    }
    return numbers;
  });
}

template <class T, class I>
SparseMatrix<T> assemble(const Compressed<T, I>& arrays) {
  return public_call(call::assemble, [&] {
    SparseMatrix<T> matrix = sparse::whole(arrays);
    sparse::make_canonical(matrix);
    return matrix;
  });
}

template <class T>
SparseMatrix<T> assemble(const Triplets<T>& entries) {
  return public_call(call::assemble, [&] { return sparse::compress(entries).matrix; });
}

template <class T>
SparseMatrix<T> assemble(const Elements<T>& elements) {
  return public_call(call::assemble, [&] { return sparse::compress(entries_of(elements)).matrix; });
}

#define OVERLAPACK_INSTANTIATE(T)                                        \
  template Index numbers_of(const Elements<T>&);                         \
  template SparseMatrix<T> assemble(const Compressed<T, std::int32_t>&); \
  template SparseMatrix<T> assemble(const Compressed<T, std::int64_t>&); \
  template SparseMatrix<T> assemble(const Triplets<T>&);                 \
  template SparseMatrix<T> assemble(const Elements<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
