# Who may include whom. Fails if a source file breaks that, or is in a room of which nothing is said.
#
#   cmake -D SOURCE=<folder of the sources> -P check_includes.cmake

cmake_minimum_required(VERSION 3.25)

# What the files of a room may include, besides their own room; `mazurka` is what a program under
# test includes.
set(may_include_core "")
set(may_include_analysis core)
set(may_include_explorers analysis core)
set(may_include_driver core explorers)
set(may_include_host core driver)
set(may_include_cluster core driver host)
set(may_include_programs core driver host mazurka)
set(may_include_report core)
set(may_include_cli cluster core driver explorers host programs report)
set(may_include_studio core explorers report cli)
# And those that do with the standard library alone.
set(standard_only core analysis explorers)

# The only exception, as <file> <included file>: everybody may ask the table what a technique is.
set(exceptions "programs/.* explorers/table.hpp")

# Within the threads' runtime, as <files> <files that they must not include>: what a primitive, a loop,
# the state of an execution or its surroundings are can be told without knowing who calls it.
set(forbidden
  "programs/threads/runtime/(machine|state|primitives|memory_model|loops|surroundings)/.* programs/threads/runtime/hooks/.*"
  "programs/threads/runtime/(state|primitives|memory_model|loops)/.* programs/threads/runtime/runtime.hpp"
  "programs/threads/runtime/state/.* programs/threads/runtime/(scheduler|part).hpp")

function(is_exception file included result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(exception IN LISTS exceptions)
    if("${file} ${included}" MATCHES "^${exception}$")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/*.hpp" "${SOURCE}/*.cpp" "${SOURCE}/*.h"
     "${SOURCE}/*.c")
set(broken "")
set(rooms mazurka)
foreach(file IN LISTS files)
  string(REGEX MATCH "^[^/]+" room "${file}")
  list(APPEND rooms "${room}")
endforeach()
list(REMOVE_DUPLICATES rooms)

set(looked_at 0)
foreach(file IN LISTS files)
  string(REGEX MATCH "^[^/]+" room "${file}")
  if(NOT DEFINED may_include_${room})
    list(APPEND broken "  src/${file} is in a room of which nothing is said here")
    continue()
  endif()
  file(STRINGS "${SOURCE}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS includes)
    math(EXPR looked_at "${looked_at} + 1")
    string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*$" "\\1" included "${line}")
    foreach(pair IN LISTS forbidden)
      if("${file} ${included}" MATCHES "^${pair}$")
        list(APPEND broken "  src/${file} includes ${included}")
      endif()
    endforeach()
    string(REGEX MATCH "^[^/]+" other "${included}")
    if(other IN_LIST rooms)
      if(other STREQUAL room OR other IN_LIST may_include_${room})
        continue()
      endif()
      is_exception("${file}" "${included}" allowed)
    elseif(included MATCHES "/" AND room IN_LIST standard_only AND NOT included MATCHES "^gtest/")
      set(allowed FALSE)  # the standard library has no folders
    else()
      set(allowed TRUE)
    endif()
    if(NOT allowed)
      list(APPEND broken "  src/${file} includes ${included}")
    endif()
  endforeach()
endforeach()

if(broken)
  list(JOIN broken "\n" lines)
  message(FATAL_ERROR "includes against the architecture (docs/architecture.md, Rooms):\n${lines}")
endif()
if(looked_at EQUAL 0)
  message(FATAL_ERROR "no includes in ${SOURCE}")
endif()
message(STATUS "${looked_at} includes, all as they should be")
