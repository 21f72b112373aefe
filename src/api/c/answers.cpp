#include "api/c/solver.hpp"
#include "api/words/report_table.hpp"

#include <algorithm>

namespace overlapack::c {
namespace {

using json = nlohmann::ordered_json;

const Report& report_of(const olp_solver& solver) {
  return std::visit(
      [&](const auto& held) -> const Report& {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>)
          return solver.planned;
        else
          return held.factors->report();
      },
      solver.held);
}

/// The report's entry by its path: "a.b", or "a.0" in a list. Since programs may ask in each of their steps, the whole report is turned into
/// JSON only if the path is not the name of one entry.
json entry(const olp_solver& solver, const char* name) {
  const Report& made = report_of(solver);
  const std::string_view wanted = require_pointer(name, "the name of the figure");
  for (const api::ReportEntry& row : api::report_table())
    if (row.name == wanted && api::has(made, row)) return row.field.json(made);
  std::string path = "/" + std::string(wanted);
  std::ranges::replace(path, '.', '/');
  const json report = json::parse(to_json(made, -1));
  const bool is_pointer = path.find('~') == std::string::npos;  // ~ is an escape in JSON pointers
  if (!is_pointer || !report.contains(json::json_pointer(path)))
    refuse(Status::bad_input,
           std::string("the report has no \"") + name + "\"; olp_text(solver, \"\", &text) shows all of it");
  return report.at(json::json_pointer(path));
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_determinant(olp_solver* solver, int type, void* mantissa, int64_t* exponent) {
  return c::with_factors(solver, [&]<class T>(c::Held<T>& held) {
    c::check_arguments_together(*held.factors, [&] {
      c::require_pointer(mantissa, "the place for the mantissa");
      c::require_pointer(exponent, "the place for the exponent");
      c::require_type<T>(type);
    });
    const Determinant<T> determinant = held.factors->determinant();
    *static_cast<T*>(mantissa) = determinant.mantissa;
    *exponent = determinant.exponent;
    return OLP_OK;
  });
}

olp_status olp_rcond(olp_solver* solver, double* rcond) {
  return c::with_factors(solver, [&](auto& held) {
    c::check_arguments_together(*held.factors, [&] { c::require_pointer(rcond, "the place for rcond"); });
    *rcond = held.factors->reciprocal_condition();
    return OLP_OK;
  });
}

olp_status olp_inertia(olp_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero) {
  return c::call(solver, [&](olp_solver& s) {
    c::require_pointer(positive, "the place for the positive ones");
    c::require_pointer(negative, "the place for the negative ones");
    c::require_pointer(zero, "the place for the zeros");
    return c::visit_factors(s, [&](auto& held) {
      const Inertia inertia = held.factors->inertia();
      *positive = inertia.positive;
      *negative = inertia.negative;
      *zero = inertia.zero;
      return OLP_OK;
    });
  });
}

olp_status olp_figure(olp_solver* solver, const char* name, double* value) {
  return c::call(solver, [&](olp_solver& s) {
    c::require_pointer(value, "the place for the figure");
    const auto entry = c::entry(s, name);
    if (entry.is_null())
      *value = unknown;
    else if (entry.is_boolean())
      *value = entry.get<bool>() ? 1 : 0;
    else if (entry.is_number())
      *value = entry.get<double>();
    else
      c::refuse(Status::bad_input, std::string("the report's \"") + name + "\" is no number; call olp_text");
    return OLP_OK;
  });
}

olp_status olp_text(olp_solver* solver, const char* name, const char** text) {
  return c::call(solver, [&](olp_solver& s) {
    c::require_pointer(text, "the place for the text");
    if (*c::require_pointer(name, "the name of the text") == '\0') {
      s.text = to_json(c::report_of(s));
    } else {
      const auto entry = c::entry(s, name);
      s.text = entry.is_string() ? entry.get<std::string>() : entry.dump();
    }
    *text = s.text.c_str();
    return OLP_OK;
  });
}
