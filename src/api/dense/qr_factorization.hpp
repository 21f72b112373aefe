#pragma once
#include "api/dense/session_matrix.hpp"
#include "dense/check/optimality.hpp"
#include "dense/qr/qr.hpp"

namespace overlapack::api {

/// Real operations of A = Q R: 2 n^2 (m - n / 3), four times as many if complex.
double qr_flops(Index m, Index n, bool is_complex);

/// The plan of QR, made from the plan of a dense LU.
/// Errors  BadPlan for options that QR does not have
dense::QrPlan qr_plan(const Options& options, const dense::LuPlan& plan);

}  // namespace overlapack::api

namespace overlapack::dense {

template <class T>
struct ScaledColumns;

/// The implementation of QrFactorization. It owns the matrix, and each local rank's share of Q and R.
template <class T>
struct QrFactorization<T>::Implementation final : api::SessionMatrix<T> {
  Implementation(View<T> A, const Options& options);
  Implementation(const Layout& layout, View<T> mine, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op) override;
  std::vector<T> multiply_q(std::span<const T> C, Index columns, Transpose op);
  std::vector<T> r();
  int rank() { return this->session().first_rank(); }

 private:
  /// A rank's part of V and R, and S.
  struct Share {
    dist::OwnedMatrix<T> VR;
    std::vector<T> s;
  };

  void factorize();
  FactorResult factorize(comm::Rank& rank, int position);
  void require_full_rank(comm::Rank& rank, int position);
  QrFactors<T> factors(int position);
  /// Rank 0's m x columns matrix C, distributed so that its rows are where A's rows are.
  dist::OwnedMatrix<T> distributed(comm::Rank& rank, std::span<const T> C, Index columns) const;
  /// A distributed matrix, gathered in full on every rank.
  std::vector<T> replicated_matrix(comm::Rank& rank, const dist::DistributedMatrix<T>& C) const;
  struct Worst {
    Optimality optimality;
    double change_of_x = 0;  ///< relative change of x by changes in the last digits of A and b
  };
  Worst worst_column(comm::Rank& rank, int position, const ScaledColumns<T>& b, std::span<const T> x);
  /// Set status and message of the report after a solve.
  void set_status(std::span<const T> x, double change_of_x);

  QrPlan qr_plan_;
  std::vector<Share> shares_;  ///< by position
  double condition_ = 0;       ///< estimate_scaled_inverse_norm
};

}  // namespace overlapack::dense
