#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace overlapack::comm {

/// Kind of a message: a number, or an enumerator of the enum class in which an algorithm lists its messages.
struct Kind {
  std::int32_t number = 0;

  constexpr Kind() = default;
  constexpr Kind(std::int32_t kind) : number(kind) {}
  template <class Listed>
  requires std::is_enum_v<Listed>
  constexpr Kind(Listed kind) : number(static_cast<std::int32_t>(kind)) {}

  constexpr operator std::int32_t() const { return number; }
  template <class Listed>
  requires std::is_enum_v<Listed>
  constexpr explicit operator Listed() const { return static_cast<Listed>(number); }
  template <class Listed>
  requires std::is_enum_v<Listed>
  friend constexpr bool operator==(Kind kind, Listed listed) {
    return kind.number == static_cast<std::int32_t>(listed);
  }
};

/// The kinds of one algorithm: consecutive numbers and their names for reports. Algorithms that share a lane have disjoint ranges,
/// so that every recorded message has a name; api/words/message_names.cpp lists them.
class KindRange {
 public:
  /// Does not compile unless there is a name for each of first .. last.
  template <class Listed, std::size_t count>
  consteval KindRange(Listed first, Listed last, const std::string_view (&names)[count])
      : first_(static_cast<std::int32_t>(first)), names_(names) {
    if (static_cast<std::int64_t>(last) - first_ + 1 != static_cast<std::int64_t>(count))
      throw "every kind has a name";
  }

  constexpr std::int32_t first() const { return first_; }
  constexpr std::int32_t end() const { return first_ + static_cast<std::int32_t>(names_.size()); }
  constexpr bool holds(Kind kind) const { return first_ <= kind.number && kind.number < end(); }
  /// Name of a kind in the range.
  constexpr std::string_view name(Kind kind) const {
    return names_[static_cast<std::size_t>(kind.number - first_)];
  }

 private:
  std::int32_t first_;
  std::span<const std::string_view> names_;
};

/// Whether the ranges are pairwise disjoint.
constexpr bool are_apart(std::span<const KindRange> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (ranges[i].first() < ranges[j].end() && ranges[j].first() < ranges[i].end()) return false;
  return true;
}

}  // namespace overlapack::comm
