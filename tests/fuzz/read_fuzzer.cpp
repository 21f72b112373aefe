// Entry for libFuzzer; CMakeLists.txt beside it says how to build and run it.
#include "fuzz/seeds.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  overlapack::test::read_as_everything(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
