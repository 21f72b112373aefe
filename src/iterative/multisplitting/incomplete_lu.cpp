#include "iterative/multisplitting/incomplete_lu.hpp"

#include "base/bytes_of.hpp"
#include "base/instantiate.hpp"
#include "iterative/driver/row_deal.hpp"
#include "kernels/product/cost.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::iterative {

namespace {

/// Whether a pivot is on the same side of zero as d, and large enough.
template <class T>
bool is_usable(const T& pivot, const T& d, double least) {
  return std::real(pivot / d) >= Real<T>(least);  // products of two entries might underflow
}

[[noreturn]] void refuse_factors(const std::string& why) {
  throw Error(Status::singular, "a block has no incomplete factors, since " + why + "; use inner direct");
}

}  // namespace

template <class T>
IncompleteLu<T>::IncompleteLu(const SparseMatrix<T>& B, const IncompletePlan& plan) {
  const std::vector<int> owner(static_cast<std::size_t>(B.rows), 0);
  const RowDistribution<T> rows(B, owner, 1);
  if (std::ranges::find(rows.diagonal, T(0)) != rows.diagonal.end())
    refuse_factors("a number on the diagonal is 0");
  start_ = rows.start;
  col_.assign(rows.col.begin(), rows.col.end());
  for (Index i = 0; i < B.rows; ++i)
    middle_.push_back(std::lower_bound(col_.begin() + start_[i], col_.begin() + start_[i + 1], i) -
                      col_.begin());
  inverse_.resize(owner.size());
  while (!eliminate(rows.value, rows.diagonal, plan)) {
    raised_ = raised_ == 0 ? plan.first_raise : plan.raise_by * raised_;
    if (raised_ > plan.most_raise) refuse_factors("its diagonal is too small beside the other numbers");
  }
}

/// One attempt to factorise, with the diagonal raised by raised_; false if a pivot is not usable.
template <class T>
bool IncompleteLu<T>::eliminate(const std::vector<T>& entries, const std::vector<T>& diagonal,
                                const IncompletePlan& plan) {
  value_ = entries;
  std::vector<Index> place(diagonal.size(), -1);  // by column: position of the present row's entry, or -1
  for (Index i = 0; i < order(); ++i) {
    const T raised = diagonal[i] * Real<T>(1 + raised_);
    T pivot = raised;
    for (Index p = start_[i]; p < start_[i + 1]; ++p) place[col_[p]] = p;
    for (Index p = start_[i]; p < middle_[i]; ++p) {
      const std::int32_t k = col_[p];
      const T l = value_[p] *= inverse_[k];
      for (Index q = middle_[k]; q < start_[k + 1]; ++q) {
        const std::int32_t j = col_[q];
        if (j == i)
          pivot -= l * value_[q];
        else if (place[j] >= 0)
          value_[place[j]] -= l * value_[q];
      }
    }
    for (Index p = start_[i]; p < start_[i + 1]; ++p) place[col_[p]] = -1;
    if (!is_usable(pivot, raised, plan.least_pivot)) return false;
    inverse_[i] = T(1) / pivot;
  }
  return true;
}

template <class T>
void IncompleteLu<T>::substitute(const T* r, T* z) const {
  for (Index i = 0; i < order(); ++i) {
    T sum = r[i];
    for (Index p = start_[i]; p < middle_[i]; ++p) sum -= value_[p] * z[col_[p]];
    z[i] = sum;
  }
  for (Index i = order() - 1; i >= 0; --i) {
    T sum = z[i];
    for (Index p = middle_[i]; p < start_[i + 1]; ++p) sum -= value_[p] * z[col_[p]];
    z[i] = sum * inverse_[i];
  }
}

template <class T>
void IncompleteLu<T>::substitute_adjoint(const T* r, T* z) const {
  std::copy(r, r + order(), z);
  for (Index i = 0; i < order(); ++i) {
    z[i] *= conjugate(inverse_[i]);
    for (Index p = middle_[i]; p < start_[i + 1]; ++p) z[col_[p]] -= conjugate(value_[p]) * z[i];
  }
  for (Index i = order() - 1; i >= 0; --i)
    for (Index p = start_[i]; p < middle_[i]; ++p) z[col_[p]] -= conjugate(value_[p]) * z[i];
}

template <class T>
double IncompleteLu<T>::bytes() const {
  return bytes_of(start_, middle_, col_, value_, inverse_);
}

template <class T>
void IncompleteLu<T>::compute(comm::Rank& rank, comm::FunctionRef<void()> f) const {
  rank.compute({.kind = "solve",
                .flops = kernels::multiply_add_flops<T> * static_cast<double>(entries()),
                .bytes = static_cast<double>(bytes()),
                .m = order()},
               f);
}

template <class T>
void IncompleteLu<T>::solve(comm::Rank& rank, const T* r, T* z) {
  compute(rank, [&] { substitute(r, z); });
}

template <class T>
void IncompleteLu<T>::solve_adjoint(comm::Rank& rank, const T* r, T* z) {
  compute(rank, [&] { substitute_adjoint(r, z); });
}

OVERLAPACK_INSTANTIATE_CLASS(IncompleteLu);

}  // namespace overlapack::iterative
