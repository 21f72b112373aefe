# The shared library that other programs link: the api with all layers below inside, the public headers beside it.
# Found by find_package(overlapack) and by pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All of the layers that have public functions; of the others what these need.
add_library(overlapack SHARED $<TARGET_OBJECTS:base> $<TARGET_OBJECTS:api> $<TARGET_OBJECTS:api_facades> $<TARGET_OBJECTS:api_io> $<TARGET_OBJECTS:api_simulate>
                              $<TARGET_OBJECTS:sparse_generate> $<TARGET_OBJECTS:trace>)
add_library(overlapack::overlapack ALIAS overlapack)
set_target_properties(overlapack PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_options(overlapack PRIVATE -Wl,-z,nodelete)  # who closes it and opens it again finds its threads
target_compile_features(overlapack INTERFACE cxx_std_20)
target_include_directories(overlapack INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
get_target_property(layers api INTERFACE_LINK_LIBRARIES)
foreach(layer IN LISTS layers)
  if(TARGET ${layer})
    target_link_libraries(overlapack PRIVATE ${layer})
  endif()
endforeach()
target_link_libraries(overlapack PRIVATE ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json ZLIB::ZLIB)

if(OVERLAPACK_SHARED_LAYERS)
  return()  # a library in pieces is not for others
endif()
install(TARGETS overlapack EXPORT overlapack_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/overlapack DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
file(GLOB module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fortran/*.F90 ${PROJECT_SOURCE_DIR}/fortran/*.inc)
install(FILES ${module_sources} DESTINATION ${CMAKE_INSTALL_DATADIR}/overlapack/fortran COMPONENT library)
install(EXPORT overlapack_targets NAMESPACE overlapack:: FILE overlapackConfig.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/overlapack COMPONENT library)
write_basic_package_version_file(overlapackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(overlapack.pc.in overlapack.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/overlapackConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/overlapack COMPONENT library)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/overlapack.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
