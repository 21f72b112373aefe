#include "api/io/expectations.hpp"
#include "api/io/fortran_format.hpp"
#include "overlapack/io.hpp"

#include <gtest/gtest.h>

#include <complex>

namespace overlapack::io {
namespace {

using test::entry;
using test::expect_bad_input;
using test::matrix_of;

std::string field(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}
std::string count(Index value) {
  const std::string text = std::to_string(value);
  return std::string(14 - text.size(), ' ') + text;
}

/// A file of the 3 x 3 matrix whose columns are {1, 3}, {2}, {1, 3}, with these value lines.
struct Sample {
  std::string type = "RUA";
  std::string pointer_format = "(4I4)", index_format = "(3I4)", value_format = "(3E12.4)";
  std::string pointers = "   1   3   4   6\n";
  std::string indices = "   1   3   2\n   1   3\n";
  std::string values = "  1.0000E+00  2.0000E+00  3.0000E+00\n  4.0000E+00  5.0000E+00\n";
  Index rows = 3, cols = 3, entries = 5, value_cards = 2, rhs_cards = 0;

  std::string text() const {
    return field("A title", 72) + field("KEY", 8) + "\n" + count(5) + count(1) + count(2) +
           count(value_cards) + count(rhs_cards) + "\n" + field(type, 14) + count(rows) + count(cols) +
           count(entries) + count(0) + "\n" + field(pointer_format, 16) + field(index_format, 16) +
           field(value_format, 20) + field("", 20) + "\n" +
           (rhs_cards > 0 ? "F             1             0\n" : "") + pointers + indices + values;
  }
};

MatrixFile read_rb(const Sample& sample) { return read_matrix_bytes(sample.text(), "m.rua"); }

TEST(HarwellBoeing, RealUnsymmetric) {
  const auto file = read_rb(Sample{});
  const auto& A = matrix_of<double>(file);
  EXPECT_EQ(file.facts.title, "A title");
  EXPECT_EQ(file.facts.field, "RUA");
  EXPECT_EQ(A.row, (std::vector<Index>{0, 2, 1, 0, 2}));
  EXPECT_EQ(A.start, (std::vector<Index>{0, 2, 3, 5}));
  EXPECT_EQ(A.value, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(HarwellBoeing, FullFieldsWithoutBlanksAndLowerCase) {
  Sample sample;
  sample.type = "rua";
  sample.pointer_format = "(4i1)";
  sample.pointers = "1346\n";
  sample.index_format = "(5I1)";
  sample.indices = "13213\n";
  sample.value_format = "(1P,3D9.2)";
  sample.values = "-1.00D+00-2.00D+00 3.00D+00\r\n 4.00D+00 5.00+100\n";
  const auto file = read_rb(sample);
  EXPECT_EQ(matrix_of<double>(file).value, (std::vector<double>{-1, -2, 3, 4, 5e100}));
  EXPECT_EQ(file.facts.fortran_exponents, 5);
}

TEST(HarwellBoeing, FortranRulesForWhatAFieldLeavesOut) {
  Sample sample;
  sample.value_format = "(5F6.2)";
  sample.values = "   123  1.50     5  -250 1.e+1\n";  // without a point the last two digits are decimals
  EXPECT_EQ(matrix_of<double>(read_rb(sample)).value, (std::vector<double>{1.23, 1.5, 0.05, -2.5, 10}));
  sample.value_format = "(2P5F6.2)";
  sample.values = "  1.23  1.50  5.00 -2.50 1.e+1\n";  // without an exponent 2P divides by 100
  const auto& A = matrix_of<double>(read_rb(sample));
  EXPECT_DOUBLE_EQ(A.value[0], 0.0123);
  EXPECT_DOUBLE_EQ(A.value[4], 10);
}

TEST(HarwellBoeing, SymmetricSkewPatternComplexAndInteger) {
  Sample sample;
  sample.pointers = "   1   3   4   5\n";
  sample.indices = "   1   3   2\n   3\n";
  sample.values = "  1.0000E+00  2.0000E+00  3.0000E+00\n  4.0000E+00\n";
  sample.entries = 4;
  sample.type = "RSA";
  const auto symmetric = read_rb(sample);
  EXPECT_EQ(symmetric.symmetry, Symmetry::symmetric);
  EXPECT_EQ(entry(matrix_of<double>(symmetric), 0, 2), 2);
  sample.type = "ISA";
  sample.value_format = "(4I3)";
  sample.values = "  1 -2  3  4\n";
  EXPECT_EQ(entry(matrix_of<double>(read_rb(sample)), 0, 2), -2);
  sample.type = "PSA";
  sample.value_cards = 0;
  sample.values.clear();
  EXPECT_EQ(entry(matrix_of<double>(read_rb(sample)), 0, 2), 1);

  Sample skew;
  skew.pointers = "   1   2   2   2\n";
  skew.indices = "   3\n";
  skew.values = "  7.0000E+00\n";
  skew.entries = 1;
  skew.type = "RZA";
  EXPECT_EQ(entry(matrix_of<double>(read_rb(skew)), 0, 2), -7);
  skew.type = "CHA";
  skew.values = "  7.0000E+00  2.0000E+00\n";
  EXPECT_EQ(entry(matrix_of<std::complex<double>>(read_rb(skew)), 0, 2), std::complex<double>(7, -2));
  skew.type = "CUA";
  EXPECT_EQ(entry(matrix_of<std::complex<double>>(read_rb(skew)), 2, 0), std::complex<double>(7, 2));
}

TEST(HarwellBoeing, RightHandSidesInTheFileAreLeftAlone) {
  Sample sample;
  sample.rhs_cards = 1;
  sample.values += "  1.0000E+00  1.0000E+00  1.0000E+00\n";
  EXPECT_EQ(matrix_of<double>(read_rb(sample)).value.back(), 5);
}

TEST(HarwellBoeing, UnsortedColumnsAndDuplicates) {
  Sample sample;
  sample.indices = "   3   1   2\n   1   1\n";
  const auto file = read_rb(sample);
  EXPECT_EQ(matrix_of<double>(file).value, (std::vector<double>{2, 1, 3, 9}));
  EXPECT_EQ(file.facts.duplicates_summed, 1);
}

template <class Change>
void expect_defect(Change change, std::initializer_list<std::string> parts) {
  Sample sample;
  change(sample);
  expect_bad_input([&] { read_rb(sample); }, parts);
}

TEST(HarwellBoeing, EveryDefectIsNamed) {
  expect_defect([](Sample& s) { s.type = "RUE"; }, {"m.rua, line 3", "RUE", "assemble"});
  expect_defect([](Sample& s) { s.type = "QUA"; }, {"line 3", "another file"});
  expect_defect(
      [](Sample& s) {
        s.type = "RSA";
        s.rows = 4;
      },
      {"m.rua", "square", "third line"});
  expect_defect([](Sample& s) { s.index_format = "(3F4.0)"; }, {"line 4", "row indices", "(3F4.0)"});
  expect_defect([](Sample& s) { s.value_format = "(*)"; }, {"line 4", "values"});
  expect_defect([](Sample& s) { s.entries = 1000000; }, {"room for"});
  expect_defect([](Sample& s) { s.cols = 1000000; }, {"3 x 1000000", "does not fit"});
  expect_defect([](Sample& s) { s.rows = Index{1} << 40; }, {"1099511627776 x 3", "does not fit"});
  expect_defect([](Sample& s) { s.entries = 4; }, {"line 5", "pointer"});
  expect_defect([](Sample& s) { s.pointers = "   1   3   4   5\n"; },
                {"line 5", "ends with pointer 5", "promises 5"});
  expect_defect([](Sample& s) { s.pointers = "   1   4   3   6\n"; }, {"line 5", "pointer 3"});
  expect_defect([](Sample& s) { s.pointers = "   2   3   4   6\n"; }, {"line 5", "pointer 2"});
  expect_defect([](Sample& s) { s.pointers = "   1   3\n"; }, {"line 5", "ends before"});
  expect_defect([](Sample& s) { s.indices = "   1   4   2\n   1   3\n"; }, {"line 6", "row 4"});
  expect_defect([](Sample& s) { s.indices = " 1 1   3   2\n   1   3\n"; }, {"line 6", "1 1", "two numbers"});
  expect_defect([](Sample& s) { s.values.replace(2, 10, "1.0 00E+00"); }, {"line 8", "two numbers"});
  expect_defect([](Sample& s) { s.values = "  1.0000E+00  2.0000E+00  3.0000E+00\n  4.0000E+00\n"; },
                {"line 9", "cut short"});
  expect_defect([](Sample& s) { s.indices = "   1  -3   2\n   1   3\n"; }, {"line 6", "-3"});
  expect_defect([](Sample& s) { s.values.resize(37); }, {"values", "cut short"});
  expect_defect([](Sample& s) { s.values.replace(2, 10, "1.0000x+00"); }, {"line 8", "1.0000x+00"});
  expect_defect([](Sample& s) { s.values.replace(2, 10, "1.000E+999"); }, {"line 8", "not a finite"});
  expect_defect([](Sample& s) { s.values.replace(2, 10, "       NaN"); }, {"line 8", "not a finite"});
  Sample sample;
  std::string text = sample.text();
  text.replace(text.find("RUA") + 20, 3, "abc");
  expect_bad_input([&] { read_matrix_bytes(text, "m.rua"); }, {"line 3", "rows"});
}

/// The five values of a file whose value lines have this format.
std::vector<double> values_by(const std::string& format, const std::string& lines) {
  Sample sample;
  sample.value_format = format;
  sample.values = lines;
  return matrix_of<double>(read_rb(sample)).value;
}

const std::vector<double> one_to_five{1, 2, 3, 4, 5};

TEST(FortranFormat, BlanksScalesAndGroupsAsRealFilesHaveThem) {
  Sample sample;
  sample.pointer_format = "(1X,8I9)";
  sample.pointers = "         1        3        4        6\n";
  sample.index_format = "(8(I9,1X))";
  sample.indices = "        1         3         2         1         3 \n";
  sample.value_format = "(3(1P,E24.16))";
  sample.values =
      "  1.0000000000000000E+00  2.0000000000000000E+00  3.0000000000000000E+00\n"
      "  4.0000000000000000E+00  5.0000000000000000E+00\n";
  EXPECT_EQ(matrix_of<double>(read_rb(sample)).value, one_to_five);
  EXPECT_EQ(matrix_of<double>(read_rb(sample)).row, (std::vector<Index>{0, 2, 1, 0, 2}));
}

TEST(FortranFormat, EveryDescriptorOfNumbers) {
  EXPECT_EQ(values_by("(5E8.1E3)", " 1.E+000 2.E+000 3.E+000 4.E+000 5.E+000\n"), one_to_five);
  EXPECT_EQ(values_by("(ES9.2,EN9.2,3G9.2)", " 1.00E+00 2.00E+00 3.00E+00     4.00 5.00D+00\n"), one_to_five);
  EXPECT_EQ(values_by("(1PF5.1,0P,4F5.1)", " 10.0  2.0  3.0  4.0  5.0\n"), one_to_five);
  EXPECT_EQ(values_by("(1P5E5.0)", "1.0E02.0E03.0E04.0E05.0E0\n"), one_to_five);
  EXPECT_EQ(values_by("(SP,2(F3.0,2(F3.0)))", " 1. 2. 3. 4. 5.\n"), one_to_five);
  EXPECT_EQ(values_by("(1p,3e5.0/)", " 1.E0 2.E0 3.E0\nskipped\n 4.E0 5.E0\n"), one_to_five);
  EXPECT_EQ(values_by("(F3.0,/,2F3.0)", " 1.\n 2. 3.\n 4.\n 5.\n"), one_to_five);
  EXPECT_EQ(values_by("(2/,5F3.0)", "skipped\nskipped\n 1. 2. 3. 4. 5.\n"), one_to_five);
  EXPECT_EQ(values_by("(T4F3.0,TL6,F3.0,:)", " 2. 1.\n 4. 3.\n    5.\n"), one_to_five);
}

TEST(FortranFormat, AListThatIsLongerGoesOnAtTheLastGroup) {
  EXPECT_EQ(values_by("(F3.0,2(2X,F3.0))", " 1.   2.   3.\n   4.   5.\n"), one_to_five);
  EXPECT_EQ(values_by("(F3.0,F4.0)", " 1.  2.\n 3.  4.\n 5.\n"), one_to_five);
}

TEST(FortranFormat, WhatAFieldLeavesOut) {
  // blank fields, also behind the end of a line that is not the last one; the point; the letter of the exponent; the + after it
  EXPECT_EQ(values_by("(3E8.2)", "     100               3\n   300+2 4.0E 00\n"),
            (std::vector<double>{1, 0, 0.03, 300, 4}));
  EXPECT_EQ(values_by("(2E8.2)", "     100\n     1-3      -5\n 1.5D-03\n"),
            (std::vector<double>{1, 0, 1e-5, -0.05, 1.5e-3}));
  EXPECT_EQ(values_by("(1P,5E8.2)", "    123.   1230.  123E+2 1.23E+2   123-3\n"),
            (std::vector<double>{12.3, 123, 123, 123, 1.23e-3}));
}

TEST(FortranFormat, RefusesWhatItCannotRead) {
  for (const char* text : {"",         "(",
                           "()",       "8I10",
                           "(8I10",    "(8I10)x",
                           "(8A10)",   "(I)",
                           "(0I4)",    "(-3I4)",
                           "(3X)",     "(I4,(1X))",
                           "(F8.)",    "(E12.4E)",
                           "(T0,I4)",  "(BZ,I4)",
                           "('x',I4)", "(5H text)",
                           "(*(I4))",  "(L4)",
                           "(I0)",     "(9999(9999(9999I4)))"})
    EXPECT_FALSE(parse_fortran_format(text)) << text;
}

}  // namespace
}  // namespace overlapack::io
