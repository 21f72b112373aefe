#pragma once
#include <string>

namespace overlapack::comm::mpi {

/// The program that started this process, as far as environment variables identify it.
struct Launcher {
  enum class Family { none, open_mpi, mpich, unknown } family = Family::none;
  int size = 0;               ///< number of processes it started; 0: unknown
  std::string variable = {};  ///< the variable that has the size, or the rank where the size is unknown
  int rank = 0;               ///< this process's rank among them

  /// Whether this process is one of several, or the environment does not exclude it. A shell started by srun is alone, and not a
  /// run of MPI.
  bool may_have_others() const { return family != Family::none && size != 1; }
};

/// The launcher of this process; where several have left variables, see the rules and the table of known ones in launcher.cpp.
Launcher find_launcher();

}  // namespace overlapack::comm::mpi
