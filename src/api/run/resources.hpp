#pragma once

/// The resources of the computer that this process may use.
namespace overlapack::api {

/// Whether the caller is inside an OpenMP parallel region. It asks the OpenMP runtime that the process has loaded, if any.
bool in_parallel_region();

}  // namespace overlapack::api
