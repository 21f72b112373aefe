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

/// The problem A x = b as it was read from files. Under MPI the first process has the contents, the others only the type.
struct Problem {
  std::string path;
  ScalarType type = ScalarType::float64;
  io::MatrixFile matrix;
  std::optional<io::DenseFile> right_hand_side;
  std::vector<std::int8_t> signs;  ///< first process: SparseOptions::signs, empty without a file
  double read_s = 0;
  /// of this process's ranks, where the path names a file of each; `matrix` then has only the facts
  std::vector<io::MatrixFile> parts;
};

/// The files of a problem, and the type to compute in ("auto": the type of the files).
struct ProblemArguments {
  std::string matrix;
  std::string right_hand_side;
  std::string signs;
  std::string type = "auto";
};

/// Read the problem on the first process, after `before`. An error of `before` or of reading reaches every process of an MPI run.
/// Errors  BadInput
Problem read_problem(
    const ProblemArguments& arguments, const Options& options, const std::function<void()>& before = [] {});

/// Check that `output` is none of the input files, which it would overwrite.
/// Errors  BadInput
void require_inputs_stay(const ProblemArguments& arguments, const std::string& output);

/// Whether the path is standard output: "-", or its name on Unix.
bool is_standard_output(const std::string& path);

/// Check, before hours of work, that a file can be made at this path ("-": standard output), and that a name with a dot has one of the
/// endings. If the run is stopped, the watch removes the file. what: the kind of file for messages, such as "Matrix Market"
/// Errors  BadInput
void require_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                    const std::string& what);
/// require_output for other files than the report and the solution. Only these two may go to standard output.
/// Errors  BadInput; BadPlan: standard output
void require_side_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                         const std::string& what);

}  // namespace overlapack::cli
