#pragma once
#include "overlapack/printed.hpp"

#include <string>
#include <vector>

/// Text for people: numbers with units (beside overlapack/printed.hpp), aligned lines and tables.
namespace overlapack::cli {

/// The words joined by the separator: "a, b, c".
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

std::string count_text(double count);           ///< "12.3 M"
std::string flops_text(double flops);           ///< "3.1 Gflop"
std::string rate_text(double flops, double s);  ///< "12.4 Gflop/s"
std::string error_text(double value);           ///< "1.3e-16", "unknown"

/// A list of two columns: aligned labels, and their texts.
class Lines {
 public:
  Lines& add(const std::string& label, const std::string& text);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// A table with a head. Each column is as wide as necessary. The first column and columns of sentences are aligned to the left, the others to
/// the right.
class Table {
 public:
  explicit Table(std::vector<std::string> head)
      : rows_{std::move(head)}, is_sentence_(rows_.front().size()) {}
  Table& sentences(std::size_t column) {
    is_sentence_[column] = true;
    return *this;
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> is_sentence_;
};

}  // namespace overlapack::cli
