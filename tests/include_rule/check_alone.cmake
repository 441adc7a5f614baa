# A folder that shares no code with any other: its files include each other and the standard library.
# Fails if one of them includes something else.
#
#   cmake -D FOLDER=<the folder> -P check_alone.cmake

cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*.hpp" "${FOLDER}/*.cpp" "${FOLDER}/*.h"
     "${FOLDER}/*.c")
set(broken "")
set(looked_at 0)
foreach(file IN LISTS files)
  file(STRINGS "${FOLDER}/${file}" includes REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS includes)
    math(EXPR looked_at "${looked_at} + 1")
    if(line MATCHES "^#include <[a-z_]+>$")
      continue()  # the C++ library: no folder, no suffix
    elseif(line MATCHES "^#include <gtest/gtest.h>$" AND file MATCHES "[.]test[.]")
      continue()
    elseif(line MATCHES "^#include \"([a-z_.]+)\"$" AND EXISTS "${FOLDER}/${CMAKE_MATCH_1}")
      continue()
    endif()
    list(APPEND broken "  ${file}: ${line}")
  endforeach()
endforeach()

if(broken)
  list(JOIN broken "\n" lines)
  message(FATAL_ERROR "includes from elsewhere, in a folder that shares no code:\n${lines}")
endif()
if(looked_at EQUAL 0)
  message(FATAL_ERROR "no includes in ${FOLDER}")
endif()
message(STATUS "${looked_at} includes, all as they should be")
