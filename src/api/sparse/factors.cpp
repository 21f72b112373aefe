#include "overlapack/factors.hpp"

#include "api/run/refuse_answer.hpp"
#include "base/instantiate.hpp"

namespace overlapack {

using api::refuse_answer;

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

template <class T>
Report Factors<T>::copy_report() const {
  Report copy;
  between_calls([&] { copy = report(); });
  return copy;
}

OVERLAPACK_INSTANTIATE_CLASS(Factors);

}  // namespace overlapack
