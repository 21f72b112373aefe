#pragma once

/// What this process may use of its computer.
namespace overlapack::api {

/// Is the caller inside an OpenMP parallel region? (Asked of the runtime that is loaded, if one is.)
bool in_parallel_region();

}  // namespace overlapack::api
