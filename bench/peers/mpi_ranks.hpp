#pragma once
#include "ranks.hpp"

#include <mpi.h>

namespace bench {

/// A solver whose ranks are MPI processes: the collective half of it.
template <class Base>
class OnMpi : public Base {
 public:
  bool is_root() const override { return rank() == 0; }
  void synchronise() override { MPI_Barrier(MPI_COMM_WORLD); }
  double sum_over_ranks(double value) override {
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
  double broadcast_from_root(double value) override {
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return value;
  }

 protected:
  static int rank() {
    int r = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
  }
  static int ranks() {
    int p = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    return p;
  }
};

/// The whole program between MPI_Init and MPI_Finalize.
template <class Program>
int with_mpi(int argc, char** argv, Program program) {
  MPI_Init(&argc, &argv);
  const int status = program();
  MPI_Finalize();
  return status;
}

}  // namespace bench
