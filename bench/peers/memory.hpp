#pragma once
#include <string>

namespace bench {

/// Resident memory of this process in bytes: its peak (VmHWM) or its present value (VmRSS).
double resident_bytes(const std::string& field);

/// Give freed memory back and let VmHWM start again from the present value; without effect where the kernel does not
/// allow it. Returns the present value.
double reset_peak();

}  // namespace bench
