#pragma once
#include "overlapack/io.hpp"
#include "overlapack/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace overlapack::cli {

// Texts of reports for people.

/// The matrix that was read: one line, and another one if something was unusual.
std::string facts_text(const std::string& path, const Report& report, const io::ReadFacts& facts);

/// The report of `overlapack solve`.
std::string solve_text(const Report& report);

/// The report of `overlapack dense`.
std::string dense_text(const Report& report);

/// The report of `overlapack plan`.
std::string plan_text(const Report& report);

nlohmann::ordered_json json_of(const Report& report);
/// The report as JSON, with the facts of reading.
nlohmann::ordered_json json_of(const Report& report, const std::string& path, double read_s,
                               const io::ReadFacts& facts);

/// Lines for standard error: the meaning of a status other than ok, and a warning about old kernels of the BLAS. Empty if there is no problem.
std::string problems_text(const Report& report);

/// The report of `overlapack jacobi`.
std::string jacobi_text(const Report& report);

}  // namespace overlapack::cli
