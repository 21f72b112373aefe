/* Runs the main function of a library that nobody else sees, as Python loads modules: mumps_loader LIBRARY [argument...] */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) return puts(argc > 1 ? dlerror() : "mumps_loader LIBRARY"), 1;
  int (*program)(int, char**) = (int (*)(int, char**))dlsym(library, "main");
  return program(argc - 1, argv + 1);
}
