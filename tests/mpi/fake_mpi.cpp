// What the loader asks of an MPI library before it takes it; the answers stand in the environment. FAKE_MPI is FIRST or SECOND.
#include <cstdlib>
#include <cstring>

extern "C" int MPI_Get_library_version(char* text, int* length) {
  const char* const version = std::getenv("FAKE_MPI_" FAKE_MPI "_VERSION");
  std::strcpy(text, version ? version : "");
  *length = static_cast<int>(std::strlen(text));
  return 0;
}

extern "C" int MPI_Initialized(int* running) {
  *running = std::getenv("FAKE_MPI_" FAKE_MPI "_RUNS") != nullptr;
  return 0;
}
