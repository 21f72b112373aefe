#pragma once

namespace overlapack::api {

/// "0.1.0", as CMakeLists.txt says.
const char* version();

}  // namespace overlapack::api
