#pragma once
#include "api/words/options_table.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

/// Makes the fields of the options' table (options_table.hpp) from members of Options.
namespace overlapack::api {

template <class V>
inline constexpr bool is_optional = false;
template <class E>
inline constexpr bool is_optional<std::optional<E>> = true;

// Values that are written as text with a form of their own: a grid is "auto" or "2x3", a slow rank "none" or "3:2".
std::string to_text(const GridShape& grid);
std::string to_text(const SlowRank& slow);
bool set_from_form(GridShape& grid, std::string_view text);
bool set_from_form(SlowRank& slow, std::string_view text);

template <class V>
OptionValue value_of(const V& value) {
  if constexpr (Choice<V> || is_optional<V>)
    return std::string(to_string(value));
  else if constexpr (std::is_same_v<V, GridShape> || std::is_same_v<V, SlowRank>)
    return to_text(value);
  else if constexpr (std::is_same_v<V, int>)
    return std::int64_t{value};
  else
    return value;
}

/// Set `to` to the value and return true, if V can hold it; else return false. The table checks the ranges of numbers.
template <class V>
bool assign_if_possible(V& to, const OptionValue& value) {
  if constexpr (Choice<V>) {
    const auto choice = choice_named<V>(std::get<std::string>(value));
    if (choice) to = *choice;
    return choice.has_value();
  } else if constexpr (is_optional<V>) {
    to = choice_named<typename V::value_type>(std::get<std::string>(value));
    return to.has_value() || std::get<std::string>(value) == "auto";
  } else if constexpr (std::is_same_v<V, GridShape> || std::is_same_v<V, SlowRank>) {
    return set_from_form(to, std::get<std::string>(value));
  } else if constexpr (std::is_same_v<V, int>) {
    to = static_cast<int>(std::get<std::int64_t>(value));
    return true;
  } else {
    to = std::get<V>(value);
    return true;
  }
}

template <class V>
std::vector<std::string_view> choices_of() {
  if constexpr (Choice<V>) {
    return {std::begin(choice_names<V>), std::end(choice_names<V>)};
  } else if constexpr (is_optional<V>) {
    std::vector<std::string_view> choices = choices_of<typename V::value_type>();
    choices.insert(choices.begin(), "auto");
    return choices;
  } else {
    return {};
  }
}

/// Whether two values are equal: by == if V has it, else as the table writes them.
template <class V>
bool is_equal(const V& a, const V& b) {
  if constexpr (std::is_same_v<V, GridShape> || std::is_same_v<V, SlowRank>)
    return to_text(a) == to_text(b);
  else
    return a == b;
}

/// A field for the member of type V that reach(options) returns, from a const or a non-const Options.
template <class V, class Reach>
OptionField field_at(Reach reach) {
  double most = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<V, int> || std::is_same_v<V, std::int64_t>)
    most = static_cast<double>(std::numeric_limits<V>::max()) / 2;
  return {.get = [reach](const Options& options) { return value_of<V>(reach(options)); },
          .set = [reach](Options& options,
                         const OptionValue& value) { return assign_if_possible(reach(options), value); },
          .is_default =
              [reach](const Options& options) {
                static const Options& defaults = *new Options;
                return is_equal<V>(reach(options), reach(defaults));
              },
          .choices = choices_of<V>(),
          .most = most};
}

template <class V>
OptionField field(V Options::*member) {
  return field_at<V>([member](auto& options) -> auto& { return options.*member; });
}

/// Makes fields from the members of one group of options, such as Options::sparse.
template <class Group>
auto fields_of(Group Options::*group) {
  return [group]<class V>(V Group::*member) {
    return field_at<V>([ group, member ](auto& options) -> auto& { return options.*group.*member; });
  };
}

}  // namespace overlapack::api
