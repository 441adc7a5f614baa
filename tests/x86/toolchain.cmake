# Builds for x86-64 with Debian's cross compiler, against the libraries of the machine that
# tests/x86/machine.py has put together in the folder MAZURKA_X86_ROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MAZURKA_X86_ROOT)

set(libraries "${MAZURKA_X86_ROOT}/usr/lib/x86_64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH "${MAZURKA_X86_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${libraries}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-rpath-link,${libraries}")
set(ENV{PKG_CONFIG_LIBDIR} "${libraries}/pkgconfig:${MAZURKA_X86_ROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${MAZURKA_X86_ROOT}")

# What the build finds here are programs for the other machine: they are asked for their tests there.
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)
