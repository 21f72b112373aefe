/// Goes to a folder, then tells which MPI and plugin it would use.
#include "comm/team.hpp"

#include <cstdio>
#include <unistd.h>

int main(int, char** arguments) {
  if (chdir(arguments[1]) != 0) return 1;
  std::puts(overlapack::comm::describe("mpi").c_str());
}
