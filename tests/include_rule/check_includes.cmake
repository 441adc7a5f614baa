# Includes flow core <- {explorers, programs, report} <- cli. Fails if a source file breaks that.
#
#   cmake -D SOURCE=<folder of the sources> -P check_includes.cmake

cmake_minimum_required(VERSION 3.25)

# What the files of a room may include, besides their own room.
set(may_include_core "")
set(may_include_analysis core)
set(may_include_explorers analysis core)
set(may_include_programs core)
set(may_include_report core)
set(may_include_cli core explorers programs report)

# The only exceptions, as <file> <included file>: everybody may ask the table what a technique is,
# and the engine is linked into the program under test, so its runtime makes the explorer.
set(exceptions
  "programs/.* explorers/table.hpp"
  "programs/threads/runtime.* explorers/shorten.hpp"
  "programs/threads/runtime.* explorers/size_probe.hpp")

set(broken "")
file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/*.hpp" "${SOURCE}/*.cpp" "${SOURCE}/*.h"
     "${SOURCE}/*.c")
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "no sources in ${SOURCE}")
endif()
foreach(file IN LISTS files)
  string(REGEX MATCH "^[^/]+" room "${file}")
  if(file MATCHES "\\.test\\.cpp$" OR NOT DEFINED may_include_${room})
    continue()
  endif()
  file(STRINGS "${SOURCE}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1" included "${line}")
    string(REGEX MATCH "^[^/]+" other "${included}")
    if(other STREQUAL room OR NOT DEFINED may_include_${other} OR other IN_LIST may_include_${room})
      continue()
    endif()
    set(allowed FALSE)
    foreach(exception IN LISTS exceptions)
      if("${file} ${included}" MATCHES "^${exception}$")
        set(allowed TRUE)
      endif()
    endforeach()
    if(NOT allowed)
      list(APPEND broken "  src/${file} includes ${included}")
    endif()
  endforeach()
endforeach()

if(broken)
  list(JOIN broken "\n" lines)
  message(FATAL_ERROR "includes against the architecture (core <- explorers, programs, report <- "
                      "cli):\n${lines}")
endif()
message(STATUS "${count} files, all includes as they should be")
