#include "overlapack/assemble.hpp"

#include "api/c/matrix.hpp"
#include "api/c/solver.hpp"
#include "sparse/matrix/compressed.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlapack::c {
namespace {

/// The caller's whole numbers: index_bytes each, from base.
struct Numbers {
  int index_bytes, base;

  std::vector<Index> read(const void* from, Index count, std::string_view name) const {
    if (index_bytes != 4 && index_bytes != 8)
      refuse(Status::bad_input,
             "index_bytes is " + std::to_string(index_bytes) + "; give 4 (int32_t) or 8 (int64_t)");
    if (base != 0 && base != 1)
      refuse(Status::bad_input, "base is " + std::to_string(base) + "; give 0, or 1 as in Fortran");
    if (count < 0)
      refuse(Status::bad_input,
             std::string(name) + " has " + std::to_string(count) + " numbers; give 0 or more");
    std::vector<Index> numbers(static_cast<std::size_t>(count));
    if (count == 0) return numbers;
    require_pointer(from, name);
    if (index_bytes == 4)
      std::copy_n(static_cast<const std::int32_t*>(from), count, numbers.begin());
    else
      std::copy_n(static_cast<const std::int64_t*>(from), count, numbers.begin());
    for (Index& number : numbers) number -= base;
    return numbers;
  }
};

template <class T>
std::vector<T> values_from(const void* value, Index count) {
  if (count == 0) return {};
  const T* const from = static_cast<const T*>(require_pointer(value, "value"));
  return {from, from + count};
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_assemble_entries(olp_solver* solver, int type, int half, int64_t rows, int64_t cols,
                                int64_t count, int index_bytes, int base, const void* row, const void* col,
                                const void* value, olp_matrix* A) {
  return c::call(solver, [&](olp_solver&) {
    c::require_pointer(A, "the place for the matrix");
    const Symmetry symmetry = c::symmetry_from(half, rows, cols);
    const c::Numbers numbers{index_bytes, base};
    return c::dispatch(type, [&]<class T>() -> olp_status {
      const Triplets<T> entries{rows, cols, numbers.read(row, count, "row"), numbers.read(col, count, "col"),
                                c::values_from<T>(value, count)};
      SparseMatrix<T> listed = assemble(entries);
      c::move_to_caller(symmetry == Symmetry::general ? std::move(listed)
                                                      : sparse::both_triangles(std::move(listed), symmetry),
                        A);
      return OLP_OK;
    });
  });
}

olp_status olp_assemble_elements(olp_solver* solver, int type, int half, int64_t n, int64_t elements,
                                 int index_bytes, int base, const void* start, const void* variable,
                                 const void* value, olp_matrix* A) {
  return c::call(solver, [&](olp_solver&) {
    c::require_pointer(A, "the place for the matrix");
    const c::Numbers numbers{index_bytes, base};
    if (elements < 0 || elements == std::numeric_limits<int64_t>::max())
      c::refuse(Status::bad_input,
                "elements is " + std::to_string(elements) + "; give their number, 0 or more");
    return c::dispatch(type, [&]<class T>() -> olp_status {
      Elements<T> all{
          .n = n, .start = {0}, .variable = {}, .value = {}, .symmetry = c::symmetry_from(half, n, n)};
      if (elements > 0) all.start = numbers.read(start, elements + 1, "start");
      const Index values = numbers_of(all);  // checks start
      all.variable = numbers.read(variable, all.start.back(), "variable");
      all.value = c::values_from<T>(value, values);
      c::move_to_caller(assemble(all), A);
      return OLP_OK;
    });
  });
}
