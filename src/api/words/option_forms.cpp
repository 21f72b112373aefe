#include "api/words/option_field.hpp"

namespace overlapack::api {
namespace {

/// Remove a number from the front of `text`; nothing if there is none.
template <class Number>
std::optional<Number> parse_number(std::string_view& text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return number;
}

/// Remove one of the characters `marks` from the front of `text`; false if there is none.
bool parse_mark(std::string_view& text, std::string_view marks) {
  if (text.empty() || marks.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string to_text(const GridShape& grid) {
  if (grid.rows == 0 && grid.cols == 0) return "auto";
  return std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

std::string to_text(const SlowRank& slow) {
  if (slow.rank == -1) return "none";
  char factor[40];
  const auto end = std::to_chars(factor, factor + sizeof factor, slow.factor).ptr;
  return std::to_string(slow.rank) + ":" + std::string(factor, end);
}

bool set_from_form(GridShape& grid, std::string_view text) {
  if (text == "auto") {
    grid = {};
    return true;
  }
  const auto rows = parse_number<int>(text);
  if (!rows || !parse_mark(text, "xX")) return false;
  const auto cols = parse_number<int>(text);
  if (!cols || !text.empty() || *rows < 1 || *cols < 1 || Index{*rows} * *cols > 1 << 24) return false;
  grid = {*rows, *cols};
  return true;
}

bool set_from_form(SlowRank& slow, std::string_view text) {
  if (text == "none") {
    slow = {};
    return true;
  }
  const auto rank = parse_number<int>(text);
  if (!rank || *rank < 0 || !parse_mark(text, ":")) return false;
  const auto factor = parse_number<double>(text);
  if (!factor || !text.empty() || !(*factor >= 1) || !std::isfinite(*factor)) return false;
  slow = {*rank, *factor};
  return true;
}

}  // namespace overlapack::api
