#include "batch.hpp"

#include "arrays.hpp"
#include "for_each_type.hpp"
#include "overlapack/batch.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"
#include "watched_type.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

template <class T>
class Systems {
 public:
  Systems(SparseMatrix<T> pattern, InputVector<T> values, InputVector<std::uint8_t> wanted,
          const Settings& settings)
      : watch_(settings.watch), batch_(watched(*watch_, [&] {
          return factorize_batch<T>(std::move(pattern), {values.data(), values.size()}, settings.options,
                                    {wanted.data(), wanted.size()});
        })) {}

  void refactorize(InputVector<T> values, InputVector<std::uint8_t> wanted) {
    watched(*watch_, [&] {
      batch_.refactorize({values.data(), values.size()}, {wanted.data(), wanted.size()});
    });
  }
  /// (x, flat; statuses by number; backward errors)
  nb::tuple solve(InputVector<T> b, Index nrhs, int op) {
    auto solution = watched(*watch_, [&] {
      return batch_.solve({b.data(), b.size()}, nrhs, static_cast<Transpose>(op));
    });
    return nb::make_tuple(as_numpy(std::move(solution.x)), numbers_of(solution.status),
                          as_numpy(std::move(solution.backward_error)));
  }
  nb::object status() const {
    return numbers_of(unlocked([&] { return batch_.copy_status(); }));
  }
  nb::dict report() const {
    const BatchReport report = unlocked([&] { return batch_.copy_report(); });
    nb::dict made;
    made["systems"] = report.systems;
    made["n"] = report.n;
    made["nnz"] = report.nnz;
    made["in_lanes"] = report.in_lanes;
    made["alone"] = report.alone;
    made["left_out"] = report.left_out;
    made["bytes"] = report.bytes;
    made["threads"] = report.threads;
    made["choice"] = report.choice;
    made["analysis_s"] = report.analysis_s;
    made["factor_s"] = report.factor_s;
    made["solve_s"] = report.solve_s;
    return made;
  }

  ProgressWatch& watch() const { return *watch_; }

 private:
  /// A string of Python for each of many systems would take longer than they do.
  static auto numbers_of(const std::vector<Status>& status) {
    std::vector<std::uint8_t> numbers;
    numbers.reserve(status.size());
    for (const Status of_system : status) numbers.push_back(static_cast<std::uint8_t>(of_system));
    return as_numpy(std::move(numbers));
  }

  std::shared_ptr<ProgressWatch> watch_;
  Batch<T> batch_;
};

template <class T>
void bind_systems_of(nb::module_& module, const std::string& name) {
  nb::class_<Systems<T>>(module, name.c_str(), nb::type_slots(watched_slots<Systems<T>>))
      .def("solve", &Systems<T>::solve, nb::arg("b").noconvert(), "nrhs"_a, "op"_a)
      .def("refactorize", &Systems<T>::refactorize, nb::arg("values").noconvert(), "wanted"_a)
      .def("status", &Systems<T>::status)
      .def("report", &Systems<T>::report);
  module.def(
      "factorize_batch",
      [](Index n, const InputIndices& start, const InputIndices& row, InputVector<T> values,
         InputVector<std::uint8_t> wanted, const Settings& settings) {
        const T none{};
        SparseMatrix<T> pattern = sparse_matrix<T>(n, n, start, row, InputVector<T>(&none, {std::size_t{0}}));
        return Systems<T>(std::move(pattern), values, wanted, settings);
      },
      "n"_a, nb::arg("start").noconvert(), nb::arg("row").noconvert(), nb::arg("values").noconvert(),
      "wanted"_a, "settings"_a);
}

}  // namespace

void bind_batch(nb::module_& module) {
  module.def("status_names", [] {
    std::vector<std::string> names;
    for (int k = 0; k <= static_cast<int>(Status::ill_conditioned); ++k)
      names.emplace_back(to_string(static_cast<Status>(k)));
    return names;
  });
  for_each_type([&]<class T>(const std::string& type) { bind_systems_of<T>(module, "Batch" + type); });
}

}  // namespace overlapack::python
