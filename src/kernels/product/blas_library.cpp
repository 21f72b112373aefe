#include "kernels/product/blas_library.hpp"

#include "kernels/product/blas.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <span>

namespace overlapack::kernels {
namespace {

#define OVERLAPACK_TEXT_(word) #word
#define OVERLAPACK_TEXT(word) OVERLAPACK_TEXT_(word)
constexpr std::string_view prefix = OVERLAPACK_TEXT(OVERLAPACK_BLAS_PREFIX);
#undef OVERLAPACK_TEXT
#undef OVERLAPACK_TEXT_

std::string file_of_gemm() {
  auto* const gemm = blas::OVERLAPACK_BLAS(dgemm_);
  Dl_info position{};
  return dladdr(reinterpret_cast<void*>(gemm), &position) != 0 && position.dli_fname ? position.dli_fname
                                                                                     : "";
}

/// The configuration text of an OpenBLAS: "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64".
struct OpenBlasText {
  std::string_view text;

  bool has(std::string_view word) const { return text.find(word) != std::string_view::npos; }
  std::string version() const {
    const std::size_t begin = text.find("OpenBLAS ");
    if (begin == std::string_view::npos) return "OpenBLAS";
    const std::size_t end = text.find(' ', begin + 9);
    return std::string(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  /// Each call that packs takes one of max(50, 2 M) buffers, M: MAX_THREADS; before 0.3.28 OpenBLAS's own threads take up to M -
  /// 1 of them. Versions up to 0.3.34 fail when no buffer is free. A single-threaded build has no locks at all, so that it allows
  /// one caller.
  int most_concurrent_callers() const {
    if (has("SINGLE_THREADED")) return 1;
    constexpr std::string_view word = "MAX_THREADS=";
    const std::size_t at = text.find(word);
    const int threads = at == std::string_view::npos ? 0 : std::atoi(text.substr(at + word.size()).data());
    return threads > 0 ? std::max(50, 2 * threads) - threads : 0;
  }
};

void query_openblas(const char* config, BlasLibrary& library) {
  const OpenBlasText told{config};
  library.name = told.version();
  if (const auto core = blas_function<char*()>("openblas_get_corename")) library.kernels = core();
  library.chooses_kernels = told.has("DYNAMIC_ARCH");
  library.most_concurrent_callers = told.most_concurrent_callers();
  library.has_openmp = told.has("USE_OPENMP");
  library.has_long_integers = told.has("USE64BITINT");
}

void query_blis(const char* version, BlasLibrary& library) {
  library.name = std::string("BLIS ") + version;
  const auto query = blas_function<int()>("bli_arch_query_id");
  const auto name = blas_function<const char*(int)>("bli_arch_string");
  if (query && name) library.kernels = name(query());
}

/// As mkl_types.h declares it.
struct MklVersion {
  int major, minor, update;
  char *product_status, *build, *processor, *platform;
};

/// MKL's description of the processor ends with " with support of ... enabled processors", which is cut off.
void query_mkl(void (*tell)(MklVersion*), BlasLibrary& library) {
  MklVersion version{};
  tell(&version);
  library.name = "MKL " + std::to_string(version.major) + "." + std::to_string(version.update);
  if (version.processor) library.kernels = version.processor;
  for (const char* tail : {" with support of", " enabled processors"})
    if (const std::size_t at = library.kernels.find(tail); at != std::string::npos)
      library.kernels.resize(at);
}

std::string describe_shortcoming(const BlasLibrary& blas) {
  if (blas.has_long_integers)
    return blas.name +
           " takes integers of 64 bits, which overlapack does not give: take one with integers of 32 bits";
  const std::string kernels = " (" + blas.kernels + "; this one is " + blas.processor_level + ")";
  if (blas.has_too_new_kernels())
    return blas.name + " has kernels for newer processors" + kernels +
           ", which end a program here: take a BLAS for this processor";
  if (blas.has_old_kernels())
    return blas.name + " computes with kernels for older processors" + kernels + ": " +
           (blas.better_core.empty()
                ? "take a BLAS that knows this processor, as OpenBLAS from 0.3.25 on does"
                : "unset OPENBLAS_CORETYPE if the environment has it; otherwise set it to " +
                      blas.better_core + ", or take OpenBLAS from 0.3.25 on");
  if (blas.most_concurrent_callers == 1)
    return blas.name +
           " is built for one thread, so that ranks of one process wait for each other: take one with "
           "threads "
           "(Debian: libopenblas0-pthread)";
  return {};
}

BlasLibrary query_blas_library() {
  BlasLibrary library;
  library.name = "unknown BLAS";
  library.processor_level = small_kernel_levels().back();
  if (const auto config = blas_function<char*()>("openblas_get_config"))
    query_openblas(config(), library);
  else if (const auto version = blas_function<const char*()>("bli_info_get_version_str"))
    query_blis(version(), library);
  else if (const auto tell = blas_function<void(MklVersion*)>("MKL_Get_Version"))
    query_mkl(tell, library);
  library.level = level_of_kernel_name(library.kernels);
  library.file = file_of_gemm();
  if (library.chooses_kernels && library.has_old_kernels())
    library.better_core = library.processor_level == "x86-64-v4" ? "SKYLAKEX" : "HASWELL";
  library.shortcoming = describe_shortcoming(library);
  return library;
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::string in_lower_case(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string_view level_of_kernel_name(std::string_view given) {
  static constexpr std::array<std::string_view, 7> v4{
      "skylakex", "cooperlake", "sapphirerapids", "skx", "knl", "zen4", "zen5"};
  static constexpr std::array<std::string_view, 6> v3{"haswell", "zen",       "zen2",
                                                      "zen3",    "excavator", "broadwell"};
  static constexpr std::array<std::string_view, 24> v1{
      "prescott",  "core2",     "penryn",     "dunnington",  "nehalem",      "sandybridge",
      "atom",      "nano",      "athlon",     "opteron",     "opteron_sse3", "barcelona",
      "bobcat",    "bulldozer", "piledriver", "steamroller", "katmai",       "coppermine",
      "northwood", "banias",    "generic",    "x86_64",      "reference",    "unknown"};
  const std::string name = in_lower_case(given);
  if (is_one_of(name, v4) || name.find("avx-512") != name.npos) return "x86-64-v4";
  if (is_one_of(name, v3) || name.find("extensions 2") != name.npos) return "x86-64-v3";
#if defined(__x86_64__)
  if (is_one_of(name, v1) || name.find("sse") != name.npos ||
      name.find("advanced vector extensions") != name.npos)
    return "x86-64";
#endif
  return {};
}

void* blas_symbol(const char* name) {
  static void* const library = [] {
    const std::string file = file_of_gemm();
    // MKL's libraries do not depend on each other, and the symbols of a static library are in the program: search the whole process
    void* const found =
        file.find("mkl") == file.npos ? dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    return found ? found : dlopen(nullptr, RTLD_LAZY);
  }();
  return dlsym(library, (std::string(prefix) + name).c_str());
}

const BlasLibrary& blas_library() {
  static const BlasLibrary& library = *new BlasLibrary(query_blas_library());
  return library;
}

}  // namespace overlapack::kernels
