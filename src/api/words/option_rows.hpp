#pragma once
#include "api/words/options_table.hpp"

/// The rows of the table of options. Each group has a function in a file of its own.
namespace overlapack::api {

// Sets of commands
inline constexpr unsigned solve_and_plan = command_solve | command_plan;
inline constexpr unsigned solve_and_dense = command_solve | command_dense;
inline constexpr unsigned iterations = command_solve | command_jacobi;
inline constexpr unsigned every_run = command_solve | command_dense | command_hpl | command_jacobi;

std::vector<OptionEntry> sparse_options();
std::vector<OptionEntry> front_options();
std::vector<OptionEntry> disk_options();
std::vector<OptionEntry> compression_options();
std::vector<OptionEntry> node_options();
std::vector<OptionEntry> refinement_options();
std::vector<OptionEntry> dense_options();
std::vector<OptionEntry> iteration_options();
std::vector<OptionEntry> multisplitting_options();

}  // namespace overlapack::api
