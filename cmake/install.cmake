# What an installation has besides programs, libraries and headers: the package that find_package and
# pkg-config find, the manual page, and the completions, which the program generates from its options.
if(MAZURKA_INSTALL)
  include(CMakePackageConfigHelpers)

  set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/mazurka")
  configure_package_config_file(cmake/mazurkaConfig.cmake.in
    "${PROJECT_BINARY_DIR}/package/mazurkaConfig.cmake"
    INSTALL_DESTINATION "${package_folder}"
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR
              CMAKE_INSTALL_LIBDIR)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/mazurkaConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES
    "${PROJECT_BINARY_DIR}/package/mazurkaConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/mazurkaConfigVersion.cmake"
    cmake/MazurkaChecks.cmake
    cmake/MazurkaFlags.cmake
    DESTINATION "${package_folder}")

  # The prefix is only known when it is installed: cmake --install --prefix may name another.
  set(pc_template "${PROJECT_SOURCE_DIR}/cmake/mazurka.pc.in")
  set(pc_file "${PROJECT_BINARY_DIR}/package/mazurka.pc")
  list(JOIN MAZURKA_COMPILE_FLAGS " " pc_compile_flags)
  list(JOIN MAZURKA_GNU_FLAGS " " pc_gnu_flags)
  list(JOIN MAZURKA_LAST_FLAGS " " pc_last_flags)
  list(JOIN MAZURKA_LINK_FLAGS " " pc_link_flags)
  install(CODE "
    set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
    set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
    set(CMAKE_INSTALL_DATADIR \"${CMAKE_INSTALL_DATADIR}\")
    set(pc_cflags \"${pc_gnu_flags} ${pc_compile_flags} ${pc_last_flags}\")
    set(pc_libs \"${pc_link_flags}\")
    set(PROJECT_VERSION \"${PROJECT_VERSION}\")
    set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
    get_filename_component(CMAKE_INSTALL_PREFIX \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
    configure_file(\"${pc_template}\" \"${pc_file}\" @ONLY)")
  install(FILES "${pc_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

  if(NOT CMAKE_CROSSCOMPILING)  # the checker writes its own manual
    set(generated "${PROJECT_BINARY_DIR}/generated")
    file(MAKE_DIRECTORY "${generated}")
    foreach(form IN ITEMS man bash zsh)
      add_custom_command(OUTPUT "${generated}/mazurka.${form}"
        COMMAND mazurka_whole manual ${form} > "${generated}/mazurka.${form}"
        DEPENDS mazurka_whole
        VERBATIM)
    endforeach()
    add_custom_target(mazurka_manual ALL
      DEPENDS "${generated}/mazurka.man" "${generated}/mazurka.bash" "${generated}/mazurka.zsh")
    install(FILES "${generated}/mazurka.man" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
      RENAME mazurka.1)
    install(FILES "${generated}/mazurka.bash"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME mazurka)
    install(FILES "${generated}/mazurka.zsh"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _mazurka)
  endif()
endif()

# The same target and functions in the build tree, for a project that fetches this one.
set(MAZURKA_INCLUDE_DIR "${PROJECT_SOURCE_DIR}/include")
set(MAZURKA_EXECUTABLE "${PROJECT_BINARY_DIR}/bin/mazurka")
set(MAZURKA_DATA_DIR "${PROJECT_BINARY_DIR}/share/mazurka")
include(cmake/MazurkaChecks.cmake)
add_library(mazurka_threads INTERFACE)
add_library(mazurka::threads ALIAS mazurka_threads)
mazurka_define_threads(mazurka_threads mazurka_threads_runtime)
add_library(mazurka_gtest_main INTERFACE)
add_library(mazurka::gtest_main ALIAS mazurka_gtest_main)
mazurka_define_gtest_main(mazurka_gtest_main mazurka::threads)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(MAZURKA_EXECUTABLE "${MAZURKA_EXECUTABLE}" PARENT_SCOPE)
endif()
