#include "overlapack/factors.hpp"

#include "base/instantiate.hpp"
#include "base/public_call.hpp"

namespace overlapack {
namespace {

[[noreturn]] void refuse_answer(call::Name name, const Report& report, const std::string& what) {
  const std::string kind = report.factorization.empty() ? "" : " with " + report.factorization;
  throw Error(Status::bad_plan, "method " + report.method + kind + " has no " + what +
                                    "; factorize the sparse matrix with method multifrontal")
      .in(name);
}

}  // namespace

template <class T>
void Factors<T>::refactorize(SparseMatrix<T>) {
  refuse_answer(call::refactorize, report(), "refactorize");
}

template <class T>
Determinant<T> Factors<T>::determinant() {
  refuse_answer(call::determinant, report(), "determinant");
}

template <class T>
double Factors<T>::reciprocal_condition() {
  refuse_answer(call::reciprocal_condition, report(), "estimate of the condition number");
}

template <class T>
Inertia Factors<T>::inertia() const {
  refuse_answer(call::inertia, report(), "inertia");
}

template <class T>
void Factors<T>::save(const std::string&) {
  refuse_answer(call::save, report(), "file for its factors");
}

OVERLAPACK_INSTANTIATE_CLASS(Factors);

}  // namespace overlapack
