#pragma once
#include "driver.hpp"

#include <mpi.h>

namespace bench {

/// A solver whose ranks are MPI processes: the collective half of Solver.
class MpiSolver : public Solver {
 public:
  bool is_root() const override { return rank() == 0; }
  void synchronise() override { MPI_Barrier(MPI_COMM_WORLD); }
  double sum_over_ranks(double value) override {
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
  double from_root(double value) override {
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

/// run_driver between MPI_Init and MPI_Finalize.
inline int run_mpi_driver(int argc, char** argv, const std::string& peer, const MakeSolver& make) {
  MPI_Init(&argc, &argv);
  const int status = run_driver(argc, argv, peer, make);
  MPI_Finalize();
  return status;
}

}  // namespace bench
