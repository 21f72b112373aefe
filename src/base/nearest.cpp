#include "overlapack/nearest.hpp"

#include <algorithm>

namespace overlapack {
namespace {

/// Fewest letters to insert, delete, replace or swap with their neighbour.
/// Source  F. Damerau, Comm. ACM 7 (1964); optimal string alignment
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view given, const std::vector<std::string>& words) {
  if (given.empty() || words.empty()) return {};
  std::string typed(given);  // words are in small letters
  std::ranges::transform(typed, typed.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto begins = [&](const std::string& word) { return word.starts_with(typed); };
  if (std::ranges::count_if(words, begins) == 1) return *std::ranges::find_if(words, begins);
  const auto far = [&](const std::string& word) { return distance(typed, word); };
  const std::string& first = *std::ranges::min_element(words, {}, far);
  return far(first) <= std::max<std::size_t>(1, typed.size() / 4) ? first : std::string();
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words) {
  const std::string meant = nearest(typed, words);
  return meant.empty() ? meant : " (did you mean " + meant + "?)";
}

}  // namespace overlapack
