#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace overlapack::sparse {

/// How a sparse matrix is factorised.
enum class Method : std::uint8_t {
  multifrontal,      ///< front by front up the tree, on all ranks
  block_triangular,  ///< diagonal block by diagonal block: column by column, or each by another method
};

/// As users name them, by number.
inline constexpr std::array<std::string_view, 2> method_names{"multifrontal", "block_triangular"};
constexpr std::string_view name(Method method) { return method_names[static_cast<std::size_t>(method)]; }

}  // namespace overlapack::sparse
