#pragma once
#include "dense/check/column_source.hpp"
#include "dense/qr/qr.hpp"

namespace overlapack::dense {

/// Norms that measure a QR factorisation.
struct QrNorms {
  double residual = 0;       ///< ||A - Q R||_1
  double matrix_one = 0;     ///< ||A||_1
  double orthogonality = 0;  ///< ||Q^H Q - I||_1, of Q's first n columns; Q is applied as reflections
};

/// Norms of A, which `columns` returns unfactorised, and its factors.
/// Sync    collective over the team; the result is on every rank
/// Cost    three products with Q, memory for another A
template <class T>
QrNorms qr_norms(comm::Rank& rank, const QrFactors<T>& factors, ColumnSource<T> columns, const QrPlan& plan);

}  // namespace overlapack::dense
