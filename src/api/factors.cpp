#include "overlapack/factors.hpp"

#include "base/instantiate.hpp"

namespace overlapack {
namespace {

[[noreturn]] void refuse_answer(const Report& report, const std::string& what) {
  const std::string kind = report.factorization.empty() ? "" : " with " + report.factorization;
  throw Error(ErrorKind::bad_plan, "factors",
              "method " + report.method + kind + " has no " + what +
                  "; factorize the sparse matrix with method multifrontal");
}

}  // namespace

template <class T>
void Factors<T>::refactorize(SparseMatrix<T>) {
  refuse_answer(report(), "refactorize");
}

template <class T>
Determinant<T> Factors<T>::determinant() {
  refuse_answer(report(), "determinant");
}

template <class T>
double Factors<T>::reciprocal_condition() {
  refuse_answer(report(), "estimate of the condition number");
}

template <class T>
Inertia Factors<T>::inertia() const {
  refuse_answer(report(), "inertia");
}

template <class T>
void Factors<T>::save(const std::string&) {
  refuse_answer(report(), "file for its factors");
}

#define OVERLAPACK_INSTANTIATE(T) template class Factors<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
