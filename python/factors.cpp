#include "factors.hpp"

#include "for_each_type.hpp"
#include "gil.hpp"
#include "half_factors.hpp"
#include "overlapack/diagnose.hpp"
#include "overlapack/option_text.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse_input.hpp"
#include "watched_factors.hpp"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <memory>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// The factors of one sparse matrix for Python.
template <class T>
class Factors : public WatchedFactors<T, Factorization<T>> {
  using Watched = WatchedFactors<T, Factorization<T>>;
  using Watched::factors_, Watched::watch_, Watched::copy_report;

 public:
  Factors(std::vector<Triplets<T>> parts, const Settings& settings)
      : Watched(settings, [&] { return factorize_distributed(std::move(parts), settings.options); }) {}
  /// Factorise A. analysis: a kept analysis to use; null: make one.
  Factors(SparseMatrix<T> A, const PatternAnalysis* analysis, const Settings& settings)
      : Watched(settings, [&] {
          return analysis ? factorize(std::move(A), *analysis, settings.options)
                          : factorize(std::move(A), settings.options);
        }) {}
  Factors(const std::string& path, const Settings& settings)
      : Watched(settings, [&] { return load_factors<T>(path, settings.options); }) {}

  /// x <- op(A)^{-1} x in place, by the factors alone. Nothing is reported.
  void substitute(InPlace<T> x, int op) {
    watched(*watch_, [&] {
      factors_.substitute({x.data(), x.size()}, columns_of(x), static_cast<Transpose>(op));
    });
  }

  /// Solve for distributed right-hand sides. Returns the numbers of this process's rows of X and their values, both flat, with the warning.
  /// rows, values: the part of this process's first rank
  nb::tuple solve_distributed(InputVector<Index> rows, InputVector<T> values, int op, int where,
                              InputVector<Index> chosen) {
    RowPart<T> part{{rows.data(), rows.data() + rows.size()}, {values.data(), values.data() + values.size()}};
    SolutionRows wanted{static_cast<SolutionRows::Where>(where), {}};
    wanted.chosen.emplace_back(chosen.data(), chosen.data() + chosen.size());
    auto solution = watched(*watch_, [&] {
      return factors_.solve_distributed({&part, 1}, wanted, static_cast<Transpose>(op));
    });
    if (wanted.where == SolutionRows::Where::every_rank)
      solution.x.resize(1);  // all ranks of the process get the same
    RowPart<T> mine = joined(solution.x);
    return with_warning(solution.report, as_numpy(std::move(mine.rows)), as_numpy(std::move(mine.values)));
  }

  void refactorize_distributed(std::vector<Triplets<T>> parts) {
    watched(*watch_, [&] { factors_.refactorize_distributed(std::move(parts)); });
  }
  void refactorize(Index rows, Index cols, const InputIndices& start, const InputIndices& row,
                   InputVector<T> value) {
    watched(*watch_, [&, A = sparse_matrix(rows, cols, start, row, value)]() mutable {
      factors_.refactorize(std::move(A));
    });
  }
  /// The null space, n x k, flat and column after column.
  nb::object null_space(int op) {
    return as_numpy(watched(*watch_, [&] { return factors_.null_space(static_cast<Transpose>(op)); }));
  }
  /// L and U, each as (start, row, value), then the positions of A's rows and columns.
  nb::tuple triangular_factors() {
    TriangularFactors<T> parts = watched(*watch_, [&] { return factors_.triangular_factors(); });
    return nb::make_tuple(columns(parts.L), columns(parts.U), as_numpy(std::move(parts.row_position)),
                          as_numpy(std::move(parts.col_position)));
  }
  /// L and D, each as (start, row, value), then the positions of A's rows.
  nb::tuple symmetric_factors() {
    SymmetricFactors<T> parts = watched(*watch_, [&] { return factors_.symmetric_factors(); });
    return nb::make_tuple(columns(parts.L), columns(parts.D), as_numpy(std::move(parts.position)));
  }
  Half<T> half() {
    return Half<T>(watched(*watch_, [&] { return factors_.half(); }));
  }
  /// These three with the warning.
  nb::tuple inverse_entries(InputVector<Index> rows, InputVector<Index> cols) {
    std::vector<T> values = watched(*watch_, [&] {
      return factors_.inverse_entries({rows.data(), rows.size()}, {cols.data(), cols.size()});
    });
    return with_warning(copy_report(), as_numpy(std::move(values)));
  }
  nb::tuple inverse_diagonal() {
    std::vector<T> values = watched(*watch_, [&] { return factors_.inverse_diagonal(); });
    return with_warning(copy_report(), as_numpy(std::move(values)));
  }
  /// The selected inverse as (start, row, value).
  nb::tuple selected_inverse() {
    SparseMatrix<T> Z = watched(*watch_, [&] { return factors_.selected_inverse(); });
    return with_warning(copy_report(), columns(Z));
  }
  nb::tuple inertia() const {
    const Inertia inertia = watched(*watch_, [&] { return factors_.inertia(); });
    return nb::make_tuple(inertia.positive, inertia.negative, inertia.zero);
  }
  void save(const std::string& path) {
    watched(*watch_, [&] { factors_.save(path); });
  }

 private:
  static nb::tuple columns(SparseMatrix<T>& A) {
    return nb::make_tuple(as_numpy(std::move(A.start)), as_numpy(std::move(A.row)),
                          as_numpy(std::move(A.value)));
  }
  /// The parts of this process's ranks, joined to one part.
  static RowPart<T> joined(std::vector<RowPart<T>>& parts) {
    if (parts.size() == 1) return std::move(parts.front());
    RowPart<T> all;
    std::size_t columns = 0;
    for (const RowPart<T>& part : parts) {
      all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
      if (!part.rows.empty()) columns = part.values.size() / part.rows.size();
    }
    for (std::size_t j = 0; j < columns; ++j)
      for (const RowPart<T>& part : parts) {
        const T* column = part.values.data() + j * part.rows.size();
        all.values.insert(all.values.end(), column, column + part.rows.size());
      }
    return all;
  }
};

/// Split a list of entries into the parts of this process's ranks: part k has counts[k] entries.
template <class T>
std::vector<Triplets<T>> entry_parts(Index n_rows, Index n_cols, InputVector<Index> counts,
                                     InputVector<Index> row, InputVector<Index> col, InputVector<T> value) {
  std::vector<Triplets<T>> parts;
  std::size_t at = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::size_t end = at + static_cast<std::size_t>(counts.data()[k]);
    parts.push_back({n_rows,
                     n_cols,
                     {row.data() + at, row.data() + end},
                     {col.data() + at, col.data() + end},
                     {value.data() + at, value.data() + end}});
    at = end;
  }
  return parts;
}

template <class T>
void bind_factors_of(nb::module_& module, const std::string& type) {
  bind_half<T>(module, type);
  bind_direct<Factors<T>>(module, "Factors" + type)
      .def("substitute", &Factors<T>::substitute, nb::arg("x").noconvert(), "op"_a)
      .def("inertia", &Factors<T>::inertia)
      .def("refactorize", &Factors<T>::refactorize, "rows"_a, "cols"_a, nb::arg("start").noconvert(),
           nb::arg("row").noconvert(), nb::arg("value").noconvert())
      .def(
          "refactorize_distributed",
          [](Factors<T>& factors, Index rows, Index cols, InputVector<Index> counts, InputVector<Index> row,
             InputVector<Index> col, InputVector<T> value) {
            factors.refactorize_distributed(entry_parts(rows, cols, counts, row, col, value));
          },
          "rows"_a, "cols"_a, "counts"_a, "row"_a, "col"_a, nb::arg("value").noconvert())
      .def("solve_distributed", &Factors<T>::solve_distributed, "rows"_a, nb::arg("values").noconvert(),
           "op"_a, "where"_a, "chosen"_a)
      .def("null_space", &Factors<T>::null_space, "op"_a)
      .def("triangular_factors", &Factors<T>::triangular_factors)
      .def("symmetric_factors", &Factors<T>::symmetric_factors)
      .def("half", &Factors<T>::half)
      .def("save", &Factors<T>::save, "path"_a)
      .def("inverse_entries", &Factors<T>::inverse_entries, "rows"_a, "cols"_a)
      .def("inverse_diagonal", &Factors<T>::inverse_diagonal)
      .def("selected_inverse", &Factors<T>::selected_inverse);
  module.def(
      "factorize",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         const PatternAnalysis* analysis, const Settings& settings) {
        return Factors<T>(sparse_matrix(rows, cols, start, row, value), analysis, settings);
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "analysis"_a.none(), "settings"_a);
  module.def(
      "factorize_distributed",
      [](Index rows, Index cols, InputVector<Index> counts, InputVector<Index> row, InputVector<Index> col,
         InputVector<T> value, const Settings& settings) {
        return Factors<T>(entry_parts(rows, cols, counts, row, col, value), settings);
      },
      "rows"_a, "cols"_a, "counts"_a, "row"_a, "col"_a, nb::arg("value").noconvert(), "settings"_a);
  module.def(("load_factors_" + type).c_str(),
             [](const std::string& path, const Settings& settings) { return Factors<T>(path, settings); },
             "path"_a, "settings"_a);
  module.def(
      "diagnose",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         std::vector<std::string> unknowns, std::vector<std::string> equations,
         InputVector<double> coordinates, int dimensions, InputVector<double> b, const Settings& settings) {
        const ModelFacts facts{std::move(unknowns),
                               std::move(equations),
                               {coordinates.data(), coordinates.data() + coordinates.size()},
                               dimensions,
                               {b.data(), b.data() + b.size()}};
        const auto diagnosis =
            watched(*settings.watch, [&, A = sparse_matrix(rows, cols, start, row, value)]() mutable {
              return diagnose(std::move(A), facts, settings.options);
            });
        return nb::make_tuple(to_json(diagnosis), table_of(diagnosis));
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "unknowns"_a, "equations"_a, "coordinates"_a, "dimensions"_a, "b"_a,
      "settings"_a);
  module.def(
      "analyse",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         const Settings& settings) {
        return watched(*settings.watch, [&, A = sparse_matrix(rows, cols, start, row, value)]() mutable {
          return analyse(std::move(A), settings.options);
        });
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "settings"_a);
  module.def(
      "plan",
      [](Index rows, Index cols, const InputIndices& start, const InputIndices& row, InputVector<T> value,
         const Settings& settings) {
        return watched(*settings.watch, [&, A = sparse_matrix(rows, cols, start, row, value)]() mutable {
          return to_json(plan(std::move(A), settings.options), -1);
        });
      },
      "rows"_a, "cols"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
      nb::arg("value").noconvert(), "settings"_a);
}

void bind_analysis(nb::module_& module) {
  nb::class_<PatternAnalysis>(module, "Analysis")
      .def("report", [](const PatternAnalysis& analysis) { return to_json(analysis.report(), -1); })
      .def("order", [](const PatternAnalysis& analysis) { return as_numpy(analysis.order()); })
      .def(
          "save",
          [](const PatternAnalysis& analysis, const std::string& path) {
            const GilReleased released;
            analysis.save(path);
          },
          "path"_a);
  module.def(
      "load_analysis",
      [](const std::string& path, const Settings& settings) {
        return watched(*settings.watch, [&] { return load_analysis(path, settings.options); });
      },
      "path"_a, "settings"_a);
}

}  // namespace

void bind_factors(nb::module_& module) {
  bind_analysis(module);
  for_each_type([&]<class T>(const std::string& type) { bind_factors_of<T>(module, type); });
}

}  // namespace overlapack::python
