// A plugin that nobody should run: it leaves a file behind when it is loaded.
#include <cstdio>
#include <cstdlib>

namespace {

const bool has_run = [] {
  const char* const mark = std::getenv("PLANTED_PLUGIN_MARK");
  if (std::FILE* const file = mark ? std::fopen(mark, "w") : nullptr) std::fclose(file);
  return true;
}();

}  // namespace
