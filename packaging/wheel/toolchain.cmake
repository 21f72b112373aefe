# For CMake's CMAKE_TOOLCHAIN_FILE: the system's GCC, for the processor OVERLAPACK_WHEEL_ARCH and glibc 2.28. The folder OVERLAPACK_WHEEL_PARTS
# has glibc/ (packaging/wheel/old_glibc) and METIS, AMD and zlib (libraries/). Both are read from the environment, since tests of the compiler see nothing else.
set(parts $ENV{OVERLAPACK_WHEEL_PARTS})
set(arch $ENV{OVERLAPACK_WHEEL_ARCH})
set(CMAKE_C_COMPILER ${arch}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${arch}-linux-gnu-g++)
set(CMAKE_Fortran_COMPILER NOTFOUND)
if(NOT arch STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${arch})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${arch}-static -L /usr/${arch}-linux-gnu)
endif()
foreach(kind EXE SHARED MODULE)
  # libgcc_s of the system may ask a newer glibc for its own part; each system has the one that fits.
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${parts}/glibc -L${parts}/glibc -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--allow-shlib-undefined")
endforeach()
list(APPEND CMAKE_PREFIX_PATH ${parts})
