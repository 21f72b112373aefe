#pragma once
#include "overlapack/scalar.hpp"

#include <cstdio>
#include <string>
#include <vector>

/// Numbers with units, and aligned lines, for people.
namespace overlapack::cli {

/// What printf would print: at most 199 characters of it.
template <class... A>
std::string printed(const char* format, A... a) {
  char text[200];
  std::snprintf(text, sizeof text, format, a...);
  return text;
}

std::string bytes_text(double bytes);           ///< "1.2 MB"
std::string seconds_text(double s);             ///< "3.4 ms"
std::string count_text(double count);           ///< "12.3 M"
std::string flops_text(double flops);           ///< "3.1 Gflop"
std::string rate_text(double flops, double s);  ///< "12.4 Gflop/s"
std::string error_text(double value);           ///< "1.3e-16", "unknown"
std::string whole_text(Index value);            ///< "1 234 567"

/// A two-column list: labels aligned, as many lines as were added.
class Lines {
 public:
  Lines& add(const std::string& label, const std::string& text);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// A table with a head; columns are as wide as they need, all but the first to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace overlapack::cli
