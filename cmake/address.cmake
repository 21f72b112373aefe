# overlapack_address: the repository's page; empty while there is none.
set(file ${CMAKE_CURRENT_LIST_DIR}/../packaging/address)
file(STRINGS ${file} overlapack_address LIMIT_COUNT 1)
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endif()
