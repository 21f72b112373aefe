#include "kept_systems.hpp"

#include "kept_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

namespace overlapack::python {

thread_local const std::function<bool(const Progress&)>* listener = nullptr;

namespace {

/// Return f(T{}) with the call's type T.
template <class F>
auto with_type(int type, F&& f) {
  switch (static_cast<ScalarType>(type)) {
    case ScalarType::float32:
      return f(float{});
    case ScalarType::float64:
      return f(double{});
    case ScalarType::complex64:
      return f(std::complex<float>{});
    case ScalarType::complex128:
      break;
  }
  return f(std::complex<double>{});
}

/// Bytes that a kept matrix takes beyond its factors and copies: 53 kB each for 2,000 matrices of 144 unknowns, by the process's memory.
constexpr double bytes_around = 53e3;

/// The options of a call: in one process, and a singular matrix is an error, since one of many solutions has no derivative.
Options options_of(const olp_kept_call& call) {
  Options options = options_from_json({call.options, call.options_length});
  options.singular = SingularMatrix::refuse;
  options.run.engine = Engine::thread;
  options.progress = [](const Progress& progress) { return listener != nullptr && (*listener)(progress); };
  return options;
}

/// The right-hand sides of a call. Those that are not finite are replaced by zeros, and marked.
template <class T>
struct Sides {
  explicit Sides(const olp_kept_call& call)
      : n(static_cast<std::size_t>(call.n)), b(given(call).begin(), given(call).end()) {
    for (std::size_t side = 0; side * n < b.size(); ++side) {
      const std::span<T> own = std::span(b).subspan(side * n, n);
      if (std::ranges::all_of(own, is_finite<T>)) continue;
      if (call.raises)
        throw Error(Status::bad_input, "right-hand side " + std::to_string(side) +
                                           " (from 0) holds NaN or infinity; remove what is not finite");
      odd.push_back(side);
      std::ranges::fill(own, T(0));
    }
  }
  std::span<const T> given(const olp_kept_call& call) const {
    return {static_cast<const T*>(call.b), static_cast<std::size_t>(call.systems * call.sides * call.n)};
  }
  void write(const std::vector<T>& x, void* out) const {
    T* const made = std::ranges::copy(x, static_cast<T*>(out)).out - x.size();
    for (const std::size_t side : odd)
      std::fill_n(made + side * n, n, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  }

  std::size_t n;
  std::vector<T> b;
  std::vector<std::size_t> odd;
};

bool has_x(Status status) {
  return status == Status::ok || status == Status::inaccurate || status == Status::ill_conditioned;
}

template <class T>
class SystemsOf final : public KeptSystems {
 public:
  explicit SystemsOf(const olp_kept_call& call) : pattern_(pattern_of(call)) {
    const Options options = options_of(call);
    const T* const data = static_cast<const T*>(call.data);
    if (call.systems == 1) {
      one_.emplace(factorize(matrix(call.n, pattern_.summed(data)), options));
      return;
    }
    if (pattern_.row.empty()) throw Error(Status::singular, "A has no entries; give it some in each row");
    std::vector<T> values;
    for (Index k = 0; k < call.systems; ++k) {
      const std::vector<T> own = pattern_.summed(data + k * call.entries);
      values.insert(values.end(), own.begin(), own.end());
    }
    several_.emplace(factorize_batch<T>(matrix(call.n, {}), values, options));
  }

  Status answer(const olp_kept_call& call) override {
    switch (static_cast<olp_kept_question>(call.question)) {
      case OLP_KEPT_SOLVE:
        return one_ ? solve_one(call) : solve_several(call);
      case OLP_KEPT_SLOGDET:
        slogdet(call);
        break;
      case OLP_KEPT_INVERSE:
        inverse(call);
        break;
    }
    return Status::ok;
  }

  double bytes() const override {
    const double positions = sizeof(Index) * static_cast<double>(pattern_.row.size() + pattern_.slot.size());
    return bytes_around + positions + (one_ ? one_->report().peak_bytes : several_->report().bytes);
  }

 private:
  SparseMatrix<T> matrix(Index n, std::vector<T> values) const {
    return {n, n, pattern_.start, pattern_.row, std::move(values)};
  }

  Status solve_one(const olp_kept_call& call) {
    const Sides<T> sides(call);
    const Solution<T> solution = one_->solve(sides.b, call.sides, static_cast<Transpose>(call.op));
    sides.write(solution.x, call.out);
    return solution.report.status;
  }

  Status solve_several(const olp_kept_call& call) {
    const Sides<T> sides(call);
    const BatchSolution<T> solution = several_->solve(sides.b, call.sides, static_cast<Transpose>(call.op));
    const auto bad = std::ranges::find_if_not(solution.status, has_x);
    if (bad != solution.status.end() && call.raises)
      throw Error(*bad, "system " + std::to_string(bad - solution.status.begin()) +
                            " (from 0) has no solution: it is " + std::string(to_string(*bad)) +
                            "; change its values, or ask for NaN in its place");
    sides.write(solution.x, call.out);
    const auto doubtful = std::ranges::find_if(
        solution.status, [](Status status) { return status != Status::ok && has_x(status); });
    return doubtful == solution.status.end() ? Status::ok : *doubtful;
  }

  void slogdet(const olp_kept_call& call) {
    const Determinant<T> det = one_->determinant();
    const double size = std::abs(std::complex<double>(det.mantissa));
    *static_cast<T*>(call.out) = det.mantissa / static_cast<Real<T>>(size);
    *static_cast<Real<T>*>(call.logarithm) =
        static_cast<Real<T>>(std::log(size) + static_cast<double>(det.exponent) * std::log(2.0));
  }

  void inverse(const olp_kept_call& call) {
    const SparseMatrix<T> Z = one_->selected_inverse();
    for (Index k = 0; k < call.entries; ++k) {
      T& z = static_cast<T*>(call.out)[k];
      const Index i = index_at(call, call.col, k), j = index_at(call, call.row, k);
      if (pattern_.slot[static_cast<std::size_t>(k)] < 0) {
        z = T(0);
        continue;
      }
      const auto row = Z.row.begin();
      z = Z.value[static_cast<std::size_t>(std::lower_bound(row + Z.start[j], row + Z.start[j + 1], i) -
                                           row)];
    }
  }

  KeptPattern pattern_;
  std::optional<Factorization<T>> one_;
  std::optional<Batch<T>> several_;
};

}  // namespace

std::unique_ptr<KeptSystems> factorized(const olp_kept_call& call) {
  return with_type(call.type, [&](auto number) -> std::unique_ptr<KeptSystems> {
    return std::make_unique<SystemsOf<decltype(number)>>(call);
  });
}

bool are_finite(int type, const void* numbers, Index count) {
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return std::ranges::all_of(std::span(static_cast<const T*>(numbers), static_cast<std::size_t>(count)),
                               is_finite<T>);
  });
}

void fill(int type, void* numbers, Index count, double number) {
  with_type(type, [&](auto of_type) {
    using T = decltype(of_type);
    std::fill_n(static_cast<T*>(numbers), count, T(static_cast<Real<T>>(number)));
  });
}

}  // namespace overlapack::python
