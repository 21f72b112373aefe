#include "api/dense/session_matrix.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"

namespace overlapack::dense {

template <class T>
Solution<T> DenseFactors<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  return matrix_->locked_call(call::solve, [&] { return matrix_->solve(b, nrhs, op); });
}

template <class T>
Solution<T> DenseFactors<T>::solve_distributed(const Layout& layout, View<T> mine, Transpose op) {
  return matrix_->locked_call(call::solve, [&] { return matrix_->solve_distributed(layout, mine, op); });
}

template <class T>
Determinant<T> DenseFactors<T>::determinant() {
  return matrix_->locked_call(call::determinant, [&] { return matrix_->determinant(); });
}

template <class T>
double DenseFactors<T>::reciprocal_condition() {
  return matrix_->locked_call(call::reciprocal_condition, [&] { return matrix_->reciprocal_condition(); });
}

template <class T>
void DenseFactors<T>::agree(const std::function<void()>& check) {
  matrix_->agree(check);
}

template <class T>
const Report& DenseFactors<T>::report() const {
  return matrix_->report();
}

template <class T>
const trace::Timeline& DenseFactors<T>::timeline() const {
  return matrix_->timeline();
}

template <class T>
void DenseFactors<T>::between_calls(const std::function<void()>& read) const {
  matrix_->between_calls(read);
}

OVERLAPACK_INSTANTIATE_CLASS(DenseFactors);

}  // namespace overlapack::dense
