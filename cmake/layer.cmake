# In a quick build (docs/decisions/0034-quick-build.md) what computes little is optimised little, and one run of the compiler takes
# many sources: the same package in less than half of the time.
option(OVERLAPACK_QUICK "compile soon: optimise what computes, take many sources at once" OFF)
if(OVERLAPACK_QUICK AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1048576)  # KiB, before which it does not look for memory to use again
endif()

# For who works on the library: a layer is a shared library, so that a source that was changed is one compile and one link.
option(OVERLAPACK_SHARED_LAYERS "every folder of src/ is a shared library; for development alone" OFF)
set(overlapack_layer_kind STATIC)
if(OVERLAPACK_SHARED_LAYERS)
  set(overlapack_layer_kind SHARED)
  set(CMAKE_LINK_DEPENDS_NO_SHARED ON)  # what uses a layer is not linked anew
  set(CMAKE_CXX_VISIBILITY_PRESET default)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN OFF)
endif()

# overlapack_compile(target [HOT]): warnings; in a quick build none, and for what is not HOT little optimisation.
function(overlapack_compile target)
  if(NOT OVERLAPACK_QUICK)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
    return()
  endif()
  target_compile_options(${target} PRIVATE -w)
  if(NOT "HOT" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE -Og)
  endif()
endfunction()

# overlapack_layer(NAME [SOURCES file...] [HOT file...] [LINKS lower-layer...] [PRIVATE_LINKS external...])
# One folder of src/ as one target, a static library. HOT: sources that solvers spend their time in. LINKS names the layers below it: the arrows
# of docs/map.md.
function(overlapack_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HOT;LINKS;PRIVATE_LINKS" ${ARGN})
  set(includes ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  set(sources ${ARG_SOURCES} ${ARG_HOT})
  if(OVERLAPACK_QUICK AND ARG_SOURCES AND ARG_HOT)  # with options of their own
    add_library(${name}_hot OBJECT ${ARG_HOT})
    overlapack_compile(${name}_hot HOT)
    target_include_directories(${name}_hot PRIVATE ${includes})
    target_link_libraries(${name}_hot PRIVATE ${ARG_LINKS} ${ARG_PRIVATE_LINKS})
    set(sources ${ARG_SOURCES} $<TARGET_OBJECTS:${name}_hot>)
  endif()
  if(sources)
    add_library(${name} ${overlapack_layer_kind} ${sources})
    set(kind PUBLIC)
    if(ARG_SOURCES)
      overlapack_compile(${name})
    else()
      overlapack_compile(${name} HOT)
    endif()
    target_link_libraries(${name} PRIVATE ${ARG_PRIVATE_LINKS})
  else()
    add_library(${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(${name} ${kind} ${includes})
  target_compile_features(${name} ${kind} cxx_std_20)
  target_link_libraries(${name} ${kind} ${ARG_LINKS})
endfunction()

# overlapack_harden(target): for what reads the bytes of others, and has no inner loops (docs/security.md).
function(overlapack_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  if(NOT OVERLAPACK_SANITIZE)  # they look at the same calls themselves
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  endif()
endfunction()
