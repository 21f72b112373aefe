# Builds with sanitizers: the presets asan and tsan (docs/testing.md). A report ends the program, and the C++ library checks the
# indices and iterators that its containers are given.
set(overlapack_preload_first "")
if(NOT OVERLAPACK_SANITIZE)
  return()
endif()
add_compile_options(-fsanitize=${OVERLAPACK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=${OVERLAPACK_SANITIZE})
if(OVERLAPACK_SANITIZE MATCHES "undefined")  # checks at each access, which double the time to compile; most of them are the address sanitizer's too
  add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)

# What has to be loaded before a library that is built so, where LD_PRELOAD names one or the program is not built so, as Python.
set(runtime asan)
if(OVERLAPACK_SANITIZE MATCHES "thread")
  set(runtime tsan)
endif()
foreach(library ${runtime} stdc++)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(file ${file} REALPATH)
  string(APPEND overlapack_preload_first ${file}:)
endforeach()
