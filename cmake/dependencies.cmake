# What the library links (docs/dependencies.md gives licence and reason of each).
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

include(blas)
find_package(ZLIB REQUIRED)

# overlapack_find_library(TARGET header library package): an imported target overlapack::TARGET, or a clear stop.
function(overlapack_find_library target header library package)
  find_path(${target}_INCLUDE_DIR ${header} PATH_SUFFIXES suitesparse scotch)
  find_library(${target}_LIBRARY ${library})
  mark_as_advanced(${target}_INCLUDE_DIR ${target}_LIBRARY)
  if(${target}_INCLUDE_DIR AND ${target}_LIBRARY)
    add_library(overlapack::${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(overlapack::${target} PROPERTIES IMPORTED_LOCATION ${${target}_LIBRARY}
                          INTERFACE_INCLUDE_DIRECTORIES ${${target}_INCLUDE_DIR})
  else()
    message(FATAL_ERROR "${library} is missing (header ${header}); on Debian and Ubuntu: apt-get install ${package}")
  endif()
endfunction()
overlapack_find_library(metis metis.h metis libmetis-dev)
overlapack_find_library(amd amd.h amd libsuitesparse-dev)
# SCOTCH's licence, CeCILL-C, is of the LGPL's kind: it is linked only where the builder asks for it.
option(OVERLAPACK_SCOTCH "link SCOTCH (CeCILL-C) as one more ordering" OFF)
if(OVERLAPACK_SCOTCH)
  overlapack_find_library(scotch scotch.h scotch libscotch-dev)
  find_library(scotcherr_LIBRARY scotcherr REQUIRED)
  mark_as_advanced(scotcherr_LIBRARY)
  set_target_properties(overlapack::scotch PROPERTIES INTERFACE_LINK_LIBRARIES "${scotcherr_LIBRARY}")
endif()

find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
