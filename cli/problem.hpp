#pragma once
#include "overlapack/io.hpp"
#include "overlapack/options.hpp"
#include "run_watch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::cli {

/// A x = b as read from files. Under MPI the first process has the contents, the others only the type.
struct Problem {
  std::string path;
  ScalarType type = ScalarType::float64;
  io::MatrixFile matrix;
  std::optional<io::DenseFile> right_hand_side;
  std::vector<std::int8_t> signs;  ///< first process: SparseOptions::signs, empty without a file
  double read_s = 0;
  std::vector<io::MatrixFile>
      parts;  ///< of this process's ranks, where the path names a file of each; `matrix` then has only the facts
};

/// Which files, and the type to compute in ("auto": the files').
struct ProblemArguments {
  std::string matrix;
  std::string right_hand_side;
  std::string signs;
  std::string type = "auto";
};

/// Read on the first process. Errors of `before` and of reading reach every process of an MPI run.
/// Errors  BadInput
Problem read_problem(
    const ProblemArguments& arguments, const Options& options, const std::function<void()>& before = [] {});

/// Errors  BadInput if `output` names a file of these, which it would overwrite
void require_inputs_stay(const ProblemArguments& arguments, const std::string& output);

/// "-", or its name on Unix.
bool is_standard_output(const std::string& path);

/// Check, before hours of work, that a file can be made at this path ("-": standard output), and that a name with a dot has one of
/// the endings. The watch removes it if the run is stopped. what: "Matrix Market"
/// Errors  BadInput
void require_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                    const std::string& what);
/// The same for files beside the report and the solution, which alone may go to standard output.
/// Errors  BadInput; BadPlan: standard output
void require_side_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                         const std::string& what);

}  // namespace overlapack::cli
