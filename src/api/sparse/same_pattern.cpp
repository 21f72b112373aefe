#include "api/sparse/same_pattern.hpp"

#include "api/plan/prepare.hpp"
#include "base/instantiate.hpp"

#include <string>

namespace overlapack::api {
namespace {

[[noreturn]] void refuse_pattern(const std::string& message) { throw Error(Status::bad_input, message); }

}  // namespace

void refuse_order(Index n, Index analysed, std::string_view call) {
  refuse_pattern("the matrix is of order " + std::to_string(n) + ", the one that was analysed of order " +
                 std::to_string(analysed) + "; call " + std::string(call) + " for another matrix");
}

void refuse_positions(Index entries, Index analysed, std::string_view call) {
  const std::string count = std::to_string(entries);
  const std::string other = entries == analysed
                                ? "its " + count + " entries at other places than the one that was analysed"
                                : "entries at other places than the one that was analysed, " + count +
                                      " instead of " + std::to_string(analysed);
  refuse_pattern("the matrix has " + other + "; keep zeros as entries, or call " + std::string(call) +
                 " for another pattern");
}

template <class T>
void refuse_symmetry(const SparseMatrix<T>& A, Symmetry analysed, std::string_view call) {
  refuse_pattern("the matrix that was analysed is " + std::string(name(analysed)) + ", this one is not" +
                 unequal_text(A, analysed) + "; call " + std::string(call) +
                 " for it, or factorise both with lu");
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void refuse_symmetry(const SparseMatrix<T>&, Symmetry, std::string_view);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
