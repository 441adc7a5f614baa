# What a project that checks itself with Mazurka can call:
#
#   target_link_libraries(my_tests PRIVATE mazurka::threads)   builds the target for Mazurka
#   mazurka_add_check(NAME SOURCES ... )                       a program with a main, as one CTest test
#   mazurka_discover_tests(TARGET)                             the tests of a GoogleTest program
#
# MAZURKA_EXECUTABLE, MAZURKA_SPECS and MAZURKA_INCLUDE_DIR say where the parts of Mazurka are; they
# are set by whoever includes this file, as is the target `runtime` that it is given.

# mazurka_copy_headers(VARIABLE): a folder with copies of two of the library's headers, or nothing.
# They are changed as the wrapper mazurka-c++ changes them, which says why: std::atomic::wait looks
# once before it waits, and the load of an atomic shared pointer releases.
function(mazurka_copy_headers variable)
  set(folder "")
  foreach(name IN ITEMS atomic_wait shared_ptr_atomic)
    set(included "")
    if(CMAKE_CXX_COMPILER)
      execute_process(
        COMMAND "${CMAKE_CXX_COMPILER}" -x c++ -std=c++20 -M -include memory -include bits/${name}.h
          /dev/null
        OUTPUT_VARIABLE included ERROR_QUIET)
    endif()
    if(NOT included MATCHES "([^ \n]+)/bits/${name}\\.h")
      continue()
    endif()
    file(READ "${CMAKE_MATCH_1}/bits/${name}.h" text)
    string(REGEX REPLACE "(__atomic_spin_count = )[0-9]+" "\\11" text "${text}")
    string(REPLACE ".unlock(memory_order_relaxed)" ".unlock(memory_order_release)" text "${text}")
    set(folder "${CMAKE_BINARY_DIR}/mazurka-headers")
    file(CONFIGURE OUTPUT "${folder}/bits/${name}.h" CONTENT "@text@" @ONLY)
  endforeach()
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

# mazurka_define_threads(TARGET RUNTIME): an interface target with everything that the wrappers
# mazurka-cc and mazurka-c++ do.
function(mazurka_define_threads target runtime)
  set(gnu "$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>")
  set(clang "$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>")
  target_include_directories(${target} INTERFACE "${MAZURKA_INCLUDE_DIR}")
  target_compile_options(${target} INTERFACE
    -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -U_FORTIFY_SOURCE -fno-lto
    "$<${gnu}:SHELL:-specs=${MAZURKA_SPECS}>"
    "$<${gnu}:-fno-builtin-memcpy;-fno-builtin-memmove;-fno-builtin-memset>"
    "$<${clang}:-fsanitize=thread>"
    "$<${clang}:SHELL:-mllvm -tsan-instrument-read-before-write=1>"
    "$<${clang}:SHELL:-mllvm -tsan-instrument-func-entry-exit=0>"
    "$<${clang}:SHELL:-mllvm -capture-tracking-max-uses-to-explore=0>")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${target} INTERFACE "$<${clang}:-mcx16>")
  endif()
  target_compile_definitions(${target} INTERFACE _GLIBCXX_ASSERTIONS)
  mazurka_copy_headers(headers)
  if(headers)
    target_compile_options(${target} INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem \"${headers}\">")
  endif()
  target_link_options(${target} INTERFACE -pthread -Wl,--no-as-needed -Wl,-z,now -Wl,--build-id
    -Wl,--export-dynamic-symbol=assume_abort_if_not -Wl,--export-dynamic-symbol=__VERIFIER_assume)
  target_link_libraries(${target} INTERFACE ${runtime})
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
# `mazurka check`, ARGUMENTS for the program. A search that is cut counts as skipped.
function(mazurka_add_check name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;OPTIONS;ARGUMENTS" ${ARGN})
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
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 3 LABELS mazurka)
endfunction()

# mazurka_discover_tests(TARGET [arguments of gtest_discover_tests])
#
# Every test of a GoogleTest program that links mazurka::threads becomes a CTest test.
function(mazurka_discover_tests target)
  mazurka_needs_checker(${target})
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS mazurka ${ARGN})
endfunction()
