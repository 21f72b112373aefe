#include "kept.hpp"

#include "arrays.hpp"
#include "for_each_type.hpp"
#include "kept_factors.hpp"
#include "settings.hpp"
#include "sparse_input.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// Write one number to each place of an answer, and the logarithm of a determinant.
void write(const olp_kept_call& call, double number, double logarithm) {
  const bool is_solution = call.question == OLP_KEPT_SOLVE, is_inverse = call.question == OLP_KEPT_INVERSE;
  fill(call.type, call.out,
       is_solution  ? call.systems * call.sides * call.n
       : is_inverse ? call.entries
                    : 1,
       number);
  if (call.logarithm)
    fill(call.type % 2, call.logarithm, 1, logarithm);  // float of types 0 and 2, double of 1 and 3
}

/// Answer a call. The determinant of a matrix without rows is 1, that of a singular matrix 0.
void answer_together(const olp_kept_call& call) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const bool is_determinant = call.question == OLP_KEPT_SLOGDET;
  if (call.n == 0) return write(call, is_determinant ? 1 : 0, 0);
  if (call.systems == 1 && !are_finite(call.type, call.data, call.entries)) {
    if (call.raises)
      throw Error(Status::bad_input,
                  "a value of A is NaN or infinite; remove it, or ask for NaN in the answer's place");
    return write(call, nan, nan);
  }
  try {
    KeptFactors::of_process().answer(call);
  } catch (const Error& error) {
    if (error.status() != Status::singular || (call.raises && !is_determinant)) throw;
    write(call, is_determinant ? 0 : nan, -std::numeric_limits<double>::infinity());
  }
}

/// Answer a call for several matrices. A solve takes them as a batch; other questions are answered for one matrix after the other.
void answer(const olp_kept_call& call) {
  if (call.question == OLP_KEPT_SOLVE) {
    if (call.systems * call.sides > 0) answer_together(call);
    return;
  }
  const auto moved = [](const void* numbers, std::int64_t bytes) {
    return const_cast<char*>(static_cast<const char*>(numbers)) + bytes;
  };
  const auto size = static_cast<std::int64_t>(bytes_of_type[call.type]);
  const std::int64_t of_out = call.question == OLP_KEPT_INVERSE ? call.entries : 1;
  for (Index k = 0; k < call.systems; ++k) {
    olp_kept_call one = call;
    one.systems = 1;
    one.data = moved(call.data, k * call.entries * size);
    one.out = moved(call.out, k * of_out * size);
    if (call.logarithm) one.logarithm = moved(call.logarithm, k * (call.type % 2 == 0 ? 4 : 8));
    answer_together(one);
  }
}

int answer_and_store_error(const olp_kept_call* call, char* text, std::size_t size) {
  try {
    answer(*call);
    return 0;
  } catch (...) {
    const Error error = error_of(std::current_exception());
    const std::string_view said = std::string_view(error.what()).substr(0, size - 1);
    *std::ranges::copy(said, text).out = '\0';
    return static_cast<int>(error.status());
  }
}

/// The common part of a call from Python.
struct Asked {
  Asked(Index n, const InputIndices& row, const InputIndices& col, const std::string& its_options,
        bool raises)
      : options(its_options) {
    if (row.index() != col.index())
      throw Error(Status::internal, "row and column numbers have different types");
    call.n = n;
    call.raises = raises ? 1 : 0;
    call.index_bytes = std::holds_alternative<InputVector<Index>>(row) ? 8 : 4;
    std::visit(
        [&](const auto& numbers) {
          call.row = numbers.data();
          call.entries = static_cast<Index>(numbers.size());
        },
        row);
    std::visit([&](const auto& numbers) { call.col = numbers.data(); }, col);
    call.options = options.data();
    call.options_length = options.size();
  }

  template <class T>
  void ask(olp_kept_question question, InputVector<T> data, Index systems) {
    call.question = question;
    call.type = static_cast<int>(ScalarTraits<T>::type);
    call.systems = systems;
    call.data = data.data();
    ProgressWatch watch{nb::none()};
    const std::function<bool(const Progress&)> asked = [&](const Progress& progress) {
      return watch.should_stop(progress);
    };
    watched(watch, [&] {
      listener = &asked;
      try {
        answer(call);
      } catch (...) {
        listener = nullptr;
        throw;
      }
      listener = nullptr;
    });
  }

  std::string options;
  olp_kept_call call{};
};

template <class T>
void bind_kept_of(nb::module_& module) {
  const auto data = nb::arg("data").noconvert();
  const auto row = nb::arg("row").noconvert(), col = nb::arg("col").noconvert();
  module.def(
      "kept_solve",
      [](Index n, const InputIndices& row, const InputIndices& col, InputVector<T> data, Index systems,
         InputVector<T> b, Index sides, int op, const std::string& options, bool raises) {
        Asked asked(n, row, col, options, raises);
        std::vector<T> x(b.size());
        asked.call.b = b.data();
        asked.call.out = x.data();
        asked.call.sides = sides;
        asked.call.op = op;
        asked.ask(OLP_KEPT_SOLVE, data, systems);
        return as_numpy(std::move(x));
      },
      "n"_a, row, col, data, "systems"_a, nb::arg("b").noconvert(), "sides"_a, "op"_a, "options"_a,
      "raises"_a);
  module.def(
      "kept_slogdet",
      [](Index n, const InputIndices& row, const InputIndices& col, InputVector<T> data, Index systems,
         const std::string& options, bool raises) {
        Asked asked(n, row, col, options, raises);
        std::vector<T> sign(static_cast<std::size_t>(systems));
        std::vector<Real<T>> logarithm(sign.size());
        asked.call.out = sign.data();
        asked.call.logarithm = logarithm.data();
        asked.ask(OLP_KEPT_SLOGDET, data, systems);
        return nb::make_tuple(as_numpy(std::move(sign)), as_numpy(std::move(logarithm)));
      },
      "n"_a, row, col, data, "systems"_a, "options"_a, "raises"_a);
  module.def(
      "kept_inverse",
      [](Index n, const InputIndices& row, const InputIndices& col, InputVector<T> data, Index systems,
         const std::string& options, bool raises) {
        Asked asked(n, row, col, options, raises);
        std::vector<T> entries(data.size());
        asked.call.out = entries.data();
        asked.ask(OLP_KEPT_INVERSE, data, systems);
        return as_numpy(std::move(entries));
      },
      "n"_a, row, col, data, "systems"_a, "options"_a, "raises"_a);
}

}  // namespace

void bind_kept(nb::module_& module) {
  for_each_type([&]<class T>(const char*) { bind_kept_of<T>(module); });
  module.def("kept_answer_address", [] { return reinterpret_cast<std::uintptr_t>(&answer_and_store_error); });
  module.def("kept_figures", [] {
    const KeptFigures figures = KeptFactors::of_process().figures();
    nb::dict told;
    told["hits"] = figures.hits;
    told["misses"] = figures.misses;
    told["dropped"] = figures.dropped;
    told["entries"] = figures.entries;
    told["bytes"] = figures.bytes;
    told["limit_bytes"] = figures.limit_bytes;
    told["inaccurate"] = figures.inaccurate;
    told["ill_conditioned"] = figures.ill_conditioned;
    return told;
  });
  module.def(
      "kept_limit", [](double bytes) { KeptFactors::of_process().set_limit(bytes); }, "bytes"_a);
  module.def("kept_clear", [] { KeptFactors::of_process().clear(); });
}

}  // namespace overlapack::python
