#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace overlapack::cli {
namespace {

/// Three digits and the prefix that keeps them below 1000.
std::string scaled(double value, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  int prefix = 0;
  while (std::abs(value) >= 999.5 && prefix < 5) {
    value /= 1000;
    ++prefix;
  }
  const int decimals = prefix == 0 && value == std::floor(value) ? 0
                       : value < 9.995                           ? 2
                       : value < 99.95                           ? 1
                                                                 : 0;
  return printed("%.*f %s%s", decimals, value, prefixes[prefix], unit);
}

}  // namespace

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

std::string bytes_text(double bytes) { return scaled(bytes, "B"); }
std::string flops_text(double flops) { return scaled(flops, "flop"); }
std::string rate_text(double flops, double s) { return s > 0 ? scaled(flops / s, "flop/s") : "-"; }

std::string count_text(double count) {
  std::string text = scaled(count, "");
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string seconds_text(double s) {
  if (s >= 100) return printed("%.0f s", s);
  if (s >= 1) return printed("%.2f s", s);
  if (s >= 1e-3) return printed("%.3g ms", s * 1e3);
  return printed("%.3g us", s * 1e6);
}

std::string error_text(double value) { return std::isnan(value) ? "unknown" : printed("%.2g", value); }

std::string whole_text(Index value) {
  const std::string digits = std::to_string(value);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool starts_group = (digits.size() - i) % 3 == 0 && i > 0 && digits[i - 1] != '-';
    if (starts_group) grouped += ' ';
    grouped += digits[i];
  }
  return grouped;
}

Lines& Lines::add(const std::string& label, const std::string& text) {
  lines_.emplace_back(label, text);
  return *this;
}

std::string Lines::text() const {
  std::size_t width = 0;
  for (const auto& [label, text] : lines_) width = std::max(width, label.size());
  std::string all;
  for (const auto& [label, text] : lines_)
    all.append(label).append(width + 2 - label.size(), ' ').append(text).append(1, '\n');
  return all;
}

std::string Table::text() const {
  std::vector<std::size_t> width(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string all;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(width[c] - row[c].size(), ' ');
      line += (c == 0 ? "" : "  ") + (c == 0 || is_sentence_[c] ? row[c] + padding : padding + row[c]);
    }
    all += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return all;
}

}  // namespace overlapack::cli
