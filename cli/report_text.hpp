#pragma once
#include "overlapack/io.hpp"
#include "overlapack/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace overlapack::cli {

/// What was read, for people: one line, and one more where something was unusual.
std::string facts_text(const std::string& path, const Report& report, const io::ReadFacts& facts);

/// What was done and how well, for people.
std::string solve_text(const Report& report);

/// What `overlapack dense` did, for people.
std::string dense_text(const Report& report);

/// What would be done, for people.
std::string plan_text(const Report& report);

nlohmann::ordered_json json_of(const Report& report);
/// The report as JSON, with the facts of reading.
nlohmann::ordered_json json_of(const Report& report, const std::string& path, double read_s,
                               const io::ReadFacts& facts);

/// For stderr: what a status other than ok means, and old kernels of the BLAS, a line each; empty where all is well.
std::string problems_text(const Report& report);

/// What `overlapack jacobi` did, for people.
std::string jacobi_text(const Report& report);

}  // namespace overlapack::cli
