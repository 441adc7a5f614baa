# What a project that checks itself with Mazurka can call:
#
#   target_link_libraries(my_tests PRIVATE mazurka::threads)   builds the target for Mazurka
#   mazurka_add_check(NAME SOURCES ... )                       a program with a main, as one CTest test
#   mazurka_discover_tests(TARGET)                             the tests of a GoogleTest program
#   target_link_libraries(my_tests PRIVATE mazurka::gtest_main GTest::gtest)
#                                                              checks each of them, as it is
#
# MAZURKA_EXECUTABLE, MAZURKA_DATA_DIR and MAZURKA_INCLUDE_DIR say where the parts of Mazurka are;
# they are set by whoever includes this file.
include("${CMAKE_CURRENT_LIST_DIR}/MazurkaFlags.cmake")

# mazurka_define_threads(TARGET RUNTIME): an interface target with everything that the wrappers
# mazurka-cc and mazurka-c++ do.
function(mazurka_define_threads target runtime)
  set(gnu "$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>")
  set(clang "$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>")
  set(clang_flags ${MAZURKA_CLANG_FLAGS})
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    list(APPEND clang_flags ${MAZURKA_CLANG_X86_FLAGS})
  endif()
  target_include_directories(${target} INTERFACE "${MAZURKA_INCLUDE_DIR}")
  target_compile_options(${target} INTERFACE
    ${MAZURKA_COMPILE_FLAGS} ${MAZURKA_LAST_FLAGS}
    "$<${gnu}:SHELL:-specs=\"${MAZURKA_DATA_DIR}/mazurka.specs\">"
    "$<${gnu}:SHELL:-B\"${MAZURKA_DATA_DIR}/assembler\">"
    "$<${gnu}:SHELL:-include \"${MAZURKA_DATA_DIR}/builtin_calls.h\">"
    "$<${gnu}:${MAZURKA_GNU_FLAGS}>")
  foreach(flag IN LISTS clang_flags)
    target_compile_options(${target} INTERFACE "$<${clang}:SHELL:${flag}>")
  endforeach()
  if(CMAKE_CXX_COMPILER)
    set(headers "${CMAKE_BINARY_DIR}/mazurka-headers")
    execute_process(
      COMMAND sh "${MAZURKA_DATA_DIR}/copy_headers.sh" "${CMAKE_CXX_COMPILER}" "${headers}")
    target_compile_options(${target} INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem \"${headers}\">"
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem \"${MAZURKA_INCLUDE_DIR}/mazurka/std\">")
  endif()
  target_link_options(${target} INTERFACE ${MAZURKA_LINK_FLAGS})
  target_link_libraries(${target} INTERFACE ${runtime})
endfunction()

# mazurka_define_gtest_main(TARGET THREADS): an interface target with a main for programs of
# GoogleTest that checks each test. It is compiled with them: it depends on the user's GoogleTest.
function(mazurka_define_gtest_main target threads)
  target_sources(${target} INTERFACE "${MAZURKA_INCLUDE_DIR}/mazurka/gtest_main.cpp")
  target_link_libraries(${target} INTERFACE ${threads})
endfunction()

# In a project that builds Mazurka too, what checks needs the checker.
function(mazurka_needs_checker target)
  if(TARGET mazurka)
    add_dependencies(${target} mazurka)
  endif()
endfunction()

# mazurka_add_check(NAME SOURCES FILE... [LIBRARIES TARGET...] [OPTIONS OPTION...] [ARGUMENTS ...])
#
# Builds the program NAME and adds a test of that name that checks it. OPTIONS are for
# `mazurka check`, ARGUMENTS for the program. A search that decides nothing is a failure; with
# INCONCLUSIVE_SKIPS it counts as skipped, and CTest lists it at its end.
function(mazurka_add_check name)
  cmake_parse_arguments(ARG "INCONCLUSIVE_SKIPS" "" "SOURCES;LIBRARIES;OPTIONS;ARGUMENTS" ${ARGN})
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "mazurka_add_check(${name}): SOURCES are missing")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mazurka_add_check(${name}): what is ${ARG_UNPARSED_ARGUMENTS}?")
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE mazurka::threads ${ARG_LIBRARIES})
  mazurka_needs_checker(${name})
  if(ARG_ARGUMENTS)
    list(PREPEND ARG_ARGUMENTS --)
  endif()
  add_test(NAME ${name}
    COMMAND "${MAZURKA_EXECUTABLE}" check ${ARG_OPTIONS} "$<TARGET_FILE:${name}>" ${ARG_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS mazurka)
  if(ARG_INCONCLUSIVE_SKIPS)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 3)
  endif()
endfunction()

# mazurka_discover_tests(TARGET [arguments of gtest_discover_tests])
#
# Every test of a GoogleTest program that links mazurka::threads becomes a CTest test.
function(mazurka_discover_tests target)
  mazurka_needs_checker(${target})
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS mazurka ${ARGN})
endfunction()
