#include "api/sparse/factorization.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"

/// The public calls of a Factorization. Each has a name for errors, and waits for calls of other threads.
namespace overlapack {

template <class T>
Solution<T> Factorization<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  return implementation_->locked_call(call::solve, [&] { return implementation_->solve(b, nrhs, op); });
}

template <class T>
void Factorization<T>::substitute(std::span<T> x, Index nrhs, Transpose op) {
  implementation_->locked_call(call::substitute, [&] { implementation_->substitute(x, nrhs, op); });
}

template <class T>
TriangularFactors<T> Factorization<T>::triangular_factors() {
  return implementation_->locked_call(call::triangular_factors,
                                      [&] { return implementation_->triangular_factors(); });
}

template <class T>
SymmetricFactors<T> Factorization<T>::symmetric_factors() {
  return implementation_->locked_call(call::symmetric_factors,
                                      [&] { return implementation_->symmetric_factors(); });
}

template <class T>
HalfFactors<T> Factorization<T>::half() {
  return implementation_->locked_call(call::half, [&] { return implementation_->half(); });
}

template <class T>
Determinant<T> Factorization<T>::determinant() {
  return implementation_->locked_call(call::determinant, [&] { return implementation_->determinant(); });
}

template <class T>
double Factorization<T>::reciprocal_condition() {
  return implementation_->locked_call(call::reciprocal_condition,
                                      [&] { return implementation_->reciprocal_condition(); });
}

template <class T>
void Factorization<T>::save(const std::string& path) {
  implementation_->locked_call(call::save, [&] { implementation_->save(path); });
}

template <class T>
void Factorization<T>::set_pivot_threshold(double threshold) {
  const comm::CallLock turn(implementation_->calls);
  if (!(threshold >= 0 && threshold <= 1))
    throw Error(Status::bad_plan,
                "pivot_threshold is " + std::to_string(threshold) + "; give a number from 0 to 1")
        .in(call::options);
  implementation_->options.sparse.pivot_threshold = threshold;
}

template <class T>
void Factorization<T>::set_refinement_steps(int steps) {
  const comm::CallLock turn(implementation_->calls);
  Options asked;
  asked.refinement.steps = steps;
  check(asked);
  implementation_->options.refinement.steps = steps;
}

template <class T>
void Factorization<T>::refactorize(SparseMatrix<T> A) {
  implementation_->locked_call(call::refactorize, [&] { implementation_->refactorize(std::move(A)); });
}

template <class T>
void Factorization<T>::refactorize_values(std::span<const T> values) {
  implementation_->locked_call(call::refactorize, [&] { implementation_->refactorize_values(values); });
}

template <class T>
std::vector<T> Factorization<T>::null_space(Transpose op) {
  return implementation_->locked_call(call::null_space, [&] { return implementation_->null_space(op); });
}

template <class T>
std::vector<T> Factorization<T>::inverse_entries(std::span<const Index> rows, std::span<const Index> cols) {
  return implementation_->locked_call(call::inverse_entries,
                                      [&] { return implementation_->inverse_entries(rows, cols); });
}

template <class T>
std::vector<T> Factorization<T>::inverse_diagonal() {
  return implementation_->locked_call(call::inverse_diagonal,
                                      [&] { return implementation_->inverse_diagonal(); });
}

template <class T>
SparseMatrix<T> Factorization<T>::selected_inverse() {
  return implementation_->locked_call(call::selected_inverse,
                                      [&] { return implementation_->selected_inverse(); });
}

template <class T>
Inertia Factorization<T>::inertia() const {
  return public_call(call::inertia, [&]() -> Inertia {
    const comm::CallLock turn(implementation_->calls);
    return implementation_->inertia();
  });
}

template <class T>
void Factorization<T>::agree(const std::function<void()>& check) {
  implementation_->session->agree(check);
}

template <class T>
const Report& Factorization<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& Factorization<T>::timeline() const {
  return implementation_->session->timeline();
}

template <class T>
void Factorization<T>::between_calls(const std::function<void()>& read) const {
  const comm::CallLock turn(implementation_->calls);
  read();
}

OVERLAPACK_INSTANTIATE_CLASS(Factorization);

}  // namespace overlapack
