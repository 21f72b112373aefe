#include "text.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::cli {
std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

std::string count_text(double count) { return scaled_text(count, ""); }
std::string flops_text(double flops) { return scaled_text(flops, "flop"); }
std::string rate_text(double flops, double s) { return s > 0 ? scaled_text(flops / s, "flop/s") : "-"; }
std::string error_text(double value) { return std::isnan(value) ? "unknown" : printed("%.2g", value); }

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
