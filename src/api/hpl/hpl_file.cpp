#include "api/hpl/hpl_file.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace overlapack::api {
namespace {

constexpr Index most_values = 20;          // HPL_MAX_PARAM
constexpr Index largest_int = 2147483647;  // HPL's int
constexpr std::string_view blanks = " \t\r\f\v";
constexpr std::string_view separators = " \t\r\f\v,:";  // between values
constexpr std::string_view schedule_word = "schedule";

std::string_view next_word(std::string_view& text, std::string_view between = separators) {
  text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(between));
  text.remove_prefix(word.size());
  return word;
}

/// The number that a word begins with, as atof.
std::optional<double> leading_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The beginning of a word as printable text for messages, since the file may be no text file.
std::string readable(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

/// The lines of the file, counted for messages.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() const { return text_.empty(); }
  std::string_view line() {
    const std::size_t end = text_.find('\n');
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++number_;
    return line;
  }
  /// The next line, which has to hold `what`.
  std::string_view line_of(const std::string& what) {
    if (at_end()) {
      ++number_;
      refuse("the file ends before " + what + "; HPL.dat has 31 lines");
    }
    return line();
  }

  double number(const std::string& what) {
    std::string_view rest = line_of(what);
    return number_of(next_word(rest), what);
  }
  Index whole(const std::string& what, Index low, Index high = largest_int) {
    std::string_view rest = line_of(what);
    return whole_of(next_word(rest), what, low, high);
  }
  /// Two lines: how many values of `name` there are, and the values.
  std::vector<Index> list(const std::string& name, Index low, Index high = largest_int) {
    return values(whole("the number of values of " + name, 1, most_values), name, low, high);
  }
  std::vector<Index> values(Index count, const std::string& name, Index low, Index high = largest_int) {
    std::string_view rest = line_of("the values of " + name);
    std::vector<Index> found;
    while (static_cast<Index>(found.size()) < count) {
      const std::string_view word = next_word(rest);
      if (!leading_number(word))
        refuse("holds " + std::to_string(found.size()) + " of " + std::to_string(count) + " values of " +
               name + "; give all, or a smaller number of them in the line above");
      found.push_back(whole_of(word, name, low, high));
    }
    return found;
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(Status::bad_input, name_ + ", line " + std::to_string(number_) + ": " + reason);
  }

 private:
  double number_of(std::string_view word, const std::string& what) const {
    const std::optional<double> value = leading_number(word);
    if (!value) refuse(what + " is \"" + readable(word) + "\"; give a number");
    return *value;
  }
  Index whole_of(std::string_view word, const std::string& what, Index low, Index high) const {
    const double value = number_of(word, what);
    if (value != std::floor(value) || value < static_cast<double>(low) || value > static_cast<double>(high))
      refuse(what + " is " + std::string(word) + "; give a whole number from " + std::to_string(low) +
             " to " + std::to_string(high));
    return static_cast<Index>(value);
  }

  std::string_view text_;
  const std::string& name_;
  Index number_ = 0;
};

std::vector<int> as_int(const std::vector<Index>& values) { return {values.begin(), values.end()}; }

/// The choice for each value. An unknown value becomes HPL's default.
template <class Choice, std::size_t count>
std::vector<Choice> choices_of(const std::vector<Index>& values, const Choice (&choices)[count],
                               Choice fallback) {
  std::vector<Choice> result;
  for (Index value : values)
    result.push_back(value >= 0 && value < static_cast<Index>(count) ? choices[value] : fallback);
  return result;
}

std::vector<dense::PanelOrder> panel_orders(const std::vector<Index>& values) {
  using enum dense::PanelOrder;
  return choices_of(values, {left, crout, right}, right);
}

std::vector<comm::collective::BroadcastKind> broadcasts(const std::vector<Index>& values) {
  using enum comm::collective::BroadcastKind;
  return choices_of(values,
                    {ring, modified_ring, two_ring, two_ring_modified, spread_roll, modified_spread_roll},
                    modified_ring);
}

dist::SwapKind swap_of(Index value) {
  using enum dist::SwapKind;
  return choices_of({value}, {binary_exchange, spread_roll, mix}, spread_roll).front();
}

void read_output(Reader& read, HplFile& file) {
  std::string_view rest = read.line_of("the output file");
  file.output_file = next_word(rest, blanks);
  file.device = static_cast<int>(read.whole("the output device", -largest_int));
}

void read_problem(Reader& read, HplFile& file) {
  file.n = read.list("N", 0);
  file.block = read.list("NB", 1);
  file.order =
      read.whole("PMAP", -largest_int) == 1 ? dist::GridOrder::column_major : dist::GridOrder::row_major;
  const Index grids = read.whole("the number of process grids", 1, most_values);
  file.grid_rows = as_int(read.values(grids, "P", 1));
  file.grid_cols = as_int(read.values(grids, "Q", 1));
  file.threshold = read.number("the threshold");
}

void read_variants(Reader& read, HplFile& file) {
  file.base = panel_orders(read.list("PFACT", -largest_int));
  file.smallest = read.list("NBMIN", 1);
  file.parts = read.list("NDIV", 2);
  file.recursion = panel_orders(read.list("RFACT", -largest_int));
  file.broadcast = broadcasts(read.list("BCAST", -largest_int));
  file.depth = as_int(read.list("DEPTH", 0));
}

void read_storage(Reader& read, HplFile& file) {
  file.swap = swap_of(read.whole("SWAP", -largest_int));
  file.mix_columns = std::max<Index>(0, read.whole("the swapping threshold", -largest_int));
  file.is_l1_transposed = read.whole("the form of L1", -largest_int) != 1;
  file.is_u_transposed = read.whole("the form of U", -largest_int) != 1;
  file.equilibrates = read.whole("the equilibration", -largest_int) != 0;
  const Index alignment = read.whole("the memory alignment", -largest_int);
  file.alignment = alignment > 0 ? static_cast<int>(alignment) : 4;
}

bool names_schedules(std::string_view line) {
  const std::string_view word = next_word(line);
  return std::equal(schedule_word.begin(), schedule_word.end(), word.begin(),
                    word.begin() + static_cast<std::ptrdiff_t>(std::min(word.size(), schedule_word.size())),
                    [](char a, char b) { return a == (b | ' '); });  // letters in either case
}

void read_schedules(Reader& read, HplFile& file) {
  while (!read.at_end()) {
    std::string_view line = read.line();
    if (!names_schedules(line)) continue;
    next_word(line);
    try {
      file.schedules = parse_schedules(line);
    } catch (const Error& error) {
      read.refuse(error.what());
    }
  }
}

}  // namespace

HplFile parse_hpl_file(std::string_view text, const std::string& name) {
  Reader read(text, name);
  HplFile file;
  read.line_of("the title");
  read.line_of("the title");
  read_output(read, file);
  read_problem(read, file);
  read_variants(read, file);
  read_storage(read, file);
  read_schedules(read, file);
  return file;
}

std::vector<dense::Schedule> parse_schedules(std::string_view text) {
  std::vector<dense::Schedule> schedules;
  std::string all;
  for (std::string_view name : choice_names<dense::Schedule>)
    all += (all.empty() ? "" : ", ") + std::string(name);
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const auto schedule = choice_named<dense::Schedule>(word);
    if (!schedule)
      throw Error(Status::bad_plan,
                  "there is no schedule \"" + std::string(word) + "\"; give some of " + all);
    schedules.push_back(*schedule);
  }
  if (schedules.empty()) throw Error(Status::bad_plan, "no schedule is named; give some of " + all);
  return schedules;
}

}  // namespace overlapack::api
