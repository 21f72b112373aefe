#include "kernels/small/sanitizer_wrappers.hpp"

#include "base/touched.hpp"
#include "kernels/small/dispatch.hpp"

namespace overlapack::kernels::small {
namespace {

const Tables* wrapped_level = nullptr;

/// The kernels of one type; each announces its reads and writes, then calls the level's.
template <class T>
struct Wrapped {
  using Int = std::int64_t;
  using R = Real<T>;
  using In = MatrixView<const T>;
  using Out = MatrixView<T>;

  static const Table<T, R>& level() { return kernels_of<T>(*wrapped_level); }

  template <typename Table<T, R>::Gemm Table<T, R>::*kernel>
  static void gemm(Int m, Int n, Int k, const T* a, Int lda, const T* b, Int b_row, Int b_col, bool conj_b,
                   bool accumulate, T* c, Int ldc) {
    announce_read(In{a, m, k, lda});
    for (Int j = 0; j < n; ++j)
      announce_read(b_row == 1 ? In{b + j * b_col, k, 1, k} : In{b + j * b_col, 1, k, b_row});
    announce_write(Out{c, m, n, ldc});
    (level().*kernel)(m, n, k, a, lda, b, b_row, b_col, conj_b, accumulate, c, ldc);
  }
  static void gemm_strips(Int m, Int n, Int k, const T* a, Int lda, const T* b, bool accumulate, T* c,
                          Int ldc) {
    const Int width = wrapped_level->strip_columns;
    announce_read(In{a, m, k, lda});
    announce_read(In{b, width * k, (n + width - 1) / width, width * k});
    announce_write(Out{c, m, n, ldc});
    level().gemm_strips(m, n, k, a, lda, b, accumulate, c, ldc);
  }
  static void solve_rows(Int m, int n, const T* t, T* x, Int ldx) {
    announce_read(In{t, n, n, base_width});
    announce_write(ldx < 0 ? Out{x + (n - 1) * ldx, m, n, -ldx}
                           : Out{x, m, n, ldx});  // backwards, from the last
    level().solve_rows(m, n, t, x, ldx);
  }
  static R subtract_columns(Int m, Int n, const T* l, Int ldl, const T* c, T* y) {
    announce_read(In{l, m, n, ldl});
    announce_read(In{c, n, 1, n});
    announce_write(Out{y, m, 1, m});
    return level().subtract_columns(m, n, l, ldl, c, y);
  }
  static void dots(Int m, Int n, const T* l, Int ldl, bool conj, const T* x, T* c) {
    announce_read(In{l, m, n, ldl});
    announce_read(In{x, m, 1, m});
    announce_write(Out{c, n, 1, n});
    level().dots(m, n, l, ldl, conj, x, c);
  }
  static R largest(Int m, const T* y) {
    announce_read(In{y, m, 1, m});
    return level().largest(m, y);
  }
  static void scale(Int m, const T* factor, T* y) {
    announce_read(In{factor, 1, 1, 1});
    announce_write(Out{y, m, 1, m});
    level().scale(m, factor, y);
  }
  static void add_runs(Int count, const Run* runs, int columns, const T* const* from, T* const* to) {
    for (int c = 0; c < columns; ++c)
      for (Int r = 0; r < count; ++r) {
        const Int length = runs[r].length;
        announce_read(In{from[c] + runs[r].first, length, 1, length});
        announce_write(Out{to[c] + runs[r].to, length, 1, length});
      }
    level().add_runs(count, runs, columns, from, to);
  }
  static void adjoint(Int m, Int n, const T* a, Int lda, bool conj, T* b, Int ldb) {
    announce_read(In{a, m, n, lda});
    announce_write(Out{b, n, m, ldb});
    level().adjoint(m, n, a, lda, conj, b, ldb);
  }

  static void systems_eliminate(Int count, const std::int32_t* pivot, SystemColumns L, const T* lower,
                                T* upper, T* x) {
    for (Int u = 0; u < count; ++u) {
      const Int begin = L.start[pivot[u]], end = L.start[pivot[u] + 1];
      announce_read(view_of_systems(lower + systems_together * begin, end - begin));
      announce_write(view_of_systems(x + systems_together * pivot[u], 1));
      for (Int q = begin; q < end; ++q) announce_write(view_of_systems(x + systems_together * L.row[q], 1));
    }
    announce_write(view_of_systems(upper, count));
    level().systems_eliminate(count, pivot, L, lower, upper, x);
  }
  static void systems_forward(Int n, SystemColumns L, const T* lower, T* y) {
    announce_read(view_of_systems(lower, L.start[n]));
    announce_write(view_of_systems(y, n));
    level().systems_forward(n, L, lower, y);
  }
  static void systems_backward(Int n, SystemColumns U, const T* upper, const T* inverse, T* y) {
    announce_read(view_of_systems(upper, U.start[n]));
    announce_read(view_of_systems(inverse, n));
    announce_write(view_of_systems(y, n));
    level().systems_backward(n, U, upper, inverse, y);
  }
  /// View of `count` numbers of each system.
  template <class V>
  static MatrixView<V> view_of_systems(V* first, Int count) {
    return {first, systems_together, count, systems_together};
  }

  static constexpr Table<T, R> table = {gemm<&Table<T, R>::gemm>,
                                        gemm<&Table<T, R>::gemm_once>,
                                        ScalarTraits<T>::is_complex ? nullptr : gemm_strips,
                                        solve_rows,
                                        subtract_columns,
                                        dots,
                                        largest,
                                        scale,
                                        add_runs,
                                        adjoint,
                                        systems_eliminate,
                                        systems_forward,
                                        systems_backward};
};

void announced_stencil_row(std::int64_t n, std::int64_t row, std::int64_t plane, const double* u,
                           double* next) {
  using In = MatrixView<const double>;
  announce_read(In{u - 1, n + 2, 1, n + 2});
  for (const std::int64_t away : {row, plane}) {
    announce_read(In{u - away, n, 1, n});
    announce_read(In{u + away, n, 1, n});
  }
  announce_write(MatrixView<double>{next, n, 1, n});
  wrapped_level->stencil_row(n, row, plane, u, next);
}

}  // namespace

const Tables* wrap_to_announce_accesses(const Tables* level) {
  if constexpr (is_watched) {
    // Residuals are not announced: they write memory of their caller alone, and the matrix is read only.
    static Tables tables{Wrapped<float>::table,
                         Wrapped<double>::table,
                         Wrapped<std::complex<float>>::table,
                         Wrapped<std::complex<double>>::table,
                         announced_stencil_row,
                         nullptr,
                         0,
                         0};
    wrapped_level = level;
    tables.residuals = level->residuals;
    tables.register_bytes = level->register_bytes;
    tables.strip_columns = level->strip_columns;
    return &tables;
  } else {
    return level;
  }
}

}  // namespace overlapack::kernels::small
