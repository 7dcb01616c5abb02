# SPDX-License-Identifier: MIT
#
# Tests, examples and fuzz targets. All are found by their names:
#
#   tests/<folder>/test_<name>.c       a cmocka program, linked with the static library      CTest <folder>/<name>
#   tests/<folder>/test_<name>.sh|.py  a script; exit code 77 means skipped                  CTest <folder>/<name>
#   tests/support/*.c                  helpers, linked into every C test
#   examples/<name>.c                  a program that sees only include/                     CTest examples/<name>
#   tests/fuzz/fuzz_<name>.c           a libFuzzer target (TS_FUZZ); and a test that           CTest fuzz/<name>
#                                      replays its seeds, tests/fuzz/corpus/<name>/
#
# Every test runs in an empty directory of its own, with these in its environment: TOUCHSTONE (the program), SOURCE_DIR,
# BUILD_DIR, CC, TS_BUILD_TYPE, and TS_SANITIZE (empty, or the sanitizers of this build).

set(scratch ${PROJECT_BINARY_DIR}/scratch)

# ---- Fuzz targets ----
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
if(TS_FUZZ)
    add_custom_target(fuzz_targets)
    foreach(source IN LISTS fuzz_sources)
        get_filename_component(target ${source} NAME_WE)
        add_executable(${target} ${source})
        target_link_libraries(${target} PRIVATE ts_flags touchstone_static)
        target_include_directories(${target} PRIVATE tests)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzz_targets ${target})
    endforeach()
endif()

enable_testing()

set(test_timeout 120)
if(TS_SANITIZE)
    set(test_timeout 600)
endif()
set(test_environment
    TOUCHSTONE=${PROJECT_BINARY_DIR}/touchstone SOURCE_DIR=${PROJECT_SOURCE_DIR} BUILD_DIR=${PROJECT_BINARY_DIR}
    CC=${CMAKE_C_COMPILER} TS_BUILD_TYPE=${CMAKE_BUILD_TYPE} TS_SANITIZE=${TS_SANITIZE}
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
    LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0
    UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1)

# ts_add_test(<ctest name> <command> …)
function(ts_add_test name)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/in-scratch ${scratch}/${name} ${ARGN})
    string(REGEX REPLACE "/.*" "" folder ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS "${folder}" TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77 ENVIRONMENT "${test_environment}")
    # What is timed needs the machine to itself.
    if(folder STREQUAL bench)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# ---- Examples: plain clients of the library ----
file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
foreach(source IN LISTS example_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE touchstone_static)
    target_compile_options(example_${name} PRIVATE ${warnings} -UNDEBUG)
    ts_add_test(examples/${name} $<TARGET_FILE:example_${name}>)
endforeach()

if(NOT TS_TESTS)
    return()
endif()

# ---- cmocka programs ----
pkg_check_modules(TS_CMOCKA REQUIRED IMPORTED_TARGET cmocka)

add_library(ts_test INTERFACE)
target_link_libraries(ts_test INTERFACE ts_flags touchstone_static ts_needs PkgConfig::TS_CMOCKA)
target_include_directories(ts_test INTERFACE tests)
target_compile_options(ts_test INTERFACE -UNDEBUG) # assert() in a test is never empty

file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
if(support_sources)
    add_library(ts_test_support STATIC ${support_sources})
    target_link_libraries(ts_test_support PRIVATE ts_test)
endif()

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source IN LISTS test_sources)
    get_filename_component(file ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    string(REGEX REPLACE "^test_" "" name ${file})
    set(target test_${folder}_${name})

    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${file} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${folder})
    if(TARGET ts_test_support)
        target_link_libraries(${target} PRIVATE ts_test_support)
    endif()
    target_link_libraries(${target} PRIVATE ts_test)
    if(folder MATCHES "^(study|cli|bench|solve)$" AND TARGET touchstone_program_objects)
        target_link_libraries(${target} PRIVATE touchstone_program_objects)
    endif()
    if(folder STREQUAL record AND name STREQUAL fclib AND TS_HAVE_FCLIB)
        target_compile_definitions(${target} PRIVATE TS_HAVE_FCLIB=1)
        target_include_directories(${target} SYSTEM PRIVATE ${FCLIB_INCLUDE_DIR})
        target_link_libraries(${target} PRIVATE ${FCLIB_LIBRARY})
    endif()
    if(folder STREQUAL fault AND name MATCHES "^alloc")
        target_link_options(${target} PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
            -Wl,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free)
    endif()
    ts_add_test(${folder}/${name} $<TARGET_FILE:${target}>)
endforeach()

# ---- Scripts ----
# Debian's own Python comes first: only that one sees Debian's modules.
find_program(TS_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(TS_PYTHON NAMES python3 REQUIRED)

file(GLOB test_scripts CONFIGURE_DEPENDS tests/*/test_*.sh tests/*/test_*.py)
foreach(script IN LISTS test_scripts)
    get_filename_component(name ${script} NAME_WE)
    get_filename_component(extension ${script} EXT)
    get_filename_component(folder ${script} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    string(REGEX REPLACE "^test_" "" name ${name})
    # A client without sanitizers cannot link a library with them, and their run-time adds symbols of its own.
    if(folder STREQUAL package AND TS_SANITIZE)
        continue()
    endif()
    if(extension STREQUAL .py)
        ts_add_test(${folder}/${name} ${TS_PYTHON} ${script})
    else()
        ts_add_test(${folder}/${name} bash ${script})
    endif()
endforeach()

# ---- Seeds of the fuzz targets, replayed ----
foreach(source IN LISTS fuzz_sources)
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" name ${target})
    add_executable(replay_${name} ${source} cmake/fuzz_replay.c)
    set_target_properties(replay_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fuzz)
    target_link_libraries(replay_${name} PRIVATE ts_test)
    ts_add_test(fuzz/${name} $<TARGET_FILE:replay_${name}> ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
endforeach()

# ---- The rule of the folders ----
ts_add_test(folders ${TS_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/check-folders)

# With TOUCHSTONE_SLOW_TESTS it trains networks to the end: three minutes of processor time.
if(TEST study/maps)
    set_tests_properties(study/maps PROPERTIES TIMEOUT 600)
endif()

# The slowest begin first, so that none is left running alone at the end.
foreach(slow study/maps study/studies law/grains law/matrix cspace/exact cli/map scene/derive study/bench cli/terminal shape/repair fault/alloc)
    if(TEST ${slow})
        set_tests_properties(${slow} PROPERTIES COST 100)
    endif()
endforeach()
