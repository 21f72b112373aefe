#pragma once
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace overlapack::test {

/// call() throws BadInput and every one of the parts is in its sentence.
template <class Call>
void expect_bad_input(Call call, std::initializer_list<std::string> parts) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input);
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "\"" << part << "\" in: " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown";
}

template <class T>
SparseMatrix<T> matrix_of(const io::MatrixFile& file) {
  EXPECT_EQ(file.type, ScalarTraits<T>::type);
  return std::get<SparseMatrix<T>>(file.matrix);
}

/// A(i, j), 0 where there is no entry.
template <class T>
T entry(const SparseMatrix<T>& A, Index i, Index j) {
  for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
    if (A.row[p] == i) return A.value[p];
  return T(0);
}

}  // namespace overlapack::test
