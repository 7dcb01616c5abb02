# SPDX-License-Identifier: MIT
#
# make install: program, libraries, headers, scenes, the pkg-config file and the CMake package. The tree can be moved:
# both files find their prefix from where they stand.
include(CMakePackageConfigHelpers)

install(TARGETS touchstone touchstone_static EXPORT touchstone)
install(DIRECTORY include/touchstone DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET touchstone_program)
    install(TARGETS touchstone_program)
endif()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone OPTIONAL)
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- pkg-config ----
set(pc_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_PREFIX}/${pc_directory} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
set(pc_requires_private "")
foreach(library CAIRO EXPAT FREETYPE HDF5 QHULL)
    if(TS_WITH_${library})
        list(APPEND pc_requires_private ${TS_${library}_MODULE_NAME})
    endif()
endforeach()
list(JOIN pc_requires_private " " pc_requires_private)
configure_file(cmake/touchstone.pc.in touchstone.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/touchstone.pc DESTINATION ${pc_directory})

# ---- CMake package: touchstone::touchstone and touchstone::touchstone_static ----
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/touchstone)
install(EXPORT touchstone NAMESPACE touchstone:: DESTINATION ${package_directory} FILE touchstone-targets.cmake)
configure_package_config_file(cmake/touchstone-config.cmake.in touchstone-config.cmake
    INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO)
# While the major version is 0, a minor version may break programs.
write_basic_package_version_file(touchstone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/touchstone-config.cmake ${PROJECT_BINARY_DIR}/touchstone-config-version.cmake
    DESTINATION ${package_directory})
