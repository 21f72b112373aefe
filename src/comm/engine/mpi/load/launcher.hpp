#pragma once
#include <string>

namespace overlapack::comm::mpi {

/// What the environment tells of the program that started this process.
struct Launcher {
  enum class Family { none, open_mpi, mpich, unknown } family = Family::none;
  int size = 0;               ///< how many processes it started; 0: not told
  std::string variable = {};  ///< where that stands, or the rank where it is not told
  int rank = 0;               ///< which of these processes this is

  /// Is this process one of several, as far as the environment tells? A shell that srun started is alone, and no run of MPI.
  bool may_have_others() const { return family != Family::none && size != 1; }
};

/// The launcher that has the last word on this process (launcher.cpp has the table of all that are known).
Launcher find_launcher();

}  // namespace overlapack::comm::mpi
