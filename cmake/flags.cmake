# SPDX-License-Identifier: MIT
#
# How every source of ours is compiled: targets ts_flags (compile and link) and ts_link_flags (link only), and the
# instruction sets for which kernels (*.simd.c) are compiled: TS_ISAS, TS_ISA_FLAGS_<isa>.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # vector_size types, statement attributes
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # one set of objects serves the shared and the static library

add_library(ts_link_flags INTERFACE)
add_library(ts_flags INTERFACE)
target_link_libraries(ts_flags INTERFACE ts_link_flags)

target_include_directories(ts_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(ts_flags INTERFACE _GNU_SOURCE TS_WITH_CAIRO=$<BOOL:${TS_WITH_CAIRO}>
    TS_WITH_EXPAT=$<BOOL:${TS_WITH_EXPAT}> TS_WITH_FREETYPE=$<BOOL:${TS_WITH_FREETYPE}>
    TS_SUITESPARSE=$<BOOL:${TS_SUITESPARSE}>)

# ---- Arithmetic ----
# -ffp-contract=off: a*b+c may otherwise become one fused operation with one rounding where the processor has it and two
# where it does not, and gcc and clang choose differently. Then the same scene would give other bits with another compiler
# or instruction set. A kernel that wants a fused operation says so (__builtin_fma). For the same reason there is no
# -ffast-math anywhere.
set(arithmetic -ffp-contract=off)
# These two change no result: nothing of ours reads errno after a mathematical function or traps floating-point
# exceptions, and without those duties sqrt is one instruction and branches can become selects.
list(APPEND arithmetic -fno-math-errno -fno-trapping-math)

# ---- Warnings ----
# -Wno-psabi silences a note of gcc, not a warning: that a 32-byte vector as a parameter changes the ABI with AVX. Ours are never
# parameters of a real function (base/simd.h).
set(warnings -Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Wstrict-prototypes -Wno-psabi)
if(TS_WERROR)
    list(APPEND warnings -Werror)
endif()

# ---- Symbols ----
# Only what is marked TS_API leaves the shared library; and nobody may replace our functions from outside it, so that the
# compiler may inline those as well.
set(symbols -fvisibility=hidden -fno-semantic-interposition)

# ---- Speed ----
# Release is -O3 -DNDEBUG (CMake's own): gcc 12 vectorises only the very cheapest loops at -O2. -g1 costs nothing at run
# time and gives names and lines to profiles and crash reports.
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG -g1")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g") # -O0 makes the simulation tests take minutes
if(TS_SANITIZE)
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g1") # a report needs lines, no more: builds in two thirds of the time
endif()
set(speed "")
if(TS_NATIVE)
    list(APPEND speed -march=native)
endif()

# What is built does not tell where: names of sources (in debug information and asserts) are relative to the project.
set(places -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_compile_options(ts_flags INTERFACE ${arithmetic} ${warnings} ${symbols} ${speed} ${places})

# ---- Sanitizers ----
if(TS_SANITIZE)
    # Every finding ends the program, so that a test cannot pass over it.
    target_compile_options(ts_flags INTERFACE -fsanitize=${TS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_definitions(ts_flags INTERFACE TS_SANITIZED=1) # shape/sdf_lanes.h
    target_link_options(ts_link_flags INTERFACE -fsanitize=${TS_SANITIZE} -fno-sanitize-recover=all)
    # Sanitizers make programs large, and there are two hundred: the quicker linker saves a minute.
    find_program(TS_LLD NAMES ld.lld-14 ld.lld)
    if(TS_LLD AND CMAKE_C_COMPILER_ID STREQUAL Clang)
        target_link_options(ts_link_flags INTERFACE -fuse-ld=lld)
    endif()
endif()

# ---- Instruction sets of the kernels ----
# Chosen at run time from a table of function pointers. A processor counts as avx2 when it has avx2, fma and bmi2, and as
# avx512 when it has avx512f, bw, dq, vl and cd as well.
set(TS_ISAS baseline)
set(TS_ISA_FLAGS_baseline "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    list(APPEND TS_ISAS avx2)
    set(TS_ISA_FLAGS_avx2 -mavx2 -mfma -mbmi2)
    # Without -mprefer-vector-width both compilers split 512-bit vectors in two (clang 14: less than half the speed).
    set(TS_ISA_FLAGS_avx512 ${TS_ISA_FLAGS_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd
        -mprefer-vector-width=512)
    target_compile_definitions(ts_flags INTERFACE TS_HAVE_X86_KERNELS=1)
    if(NOT TS_SANITIZE) # base/kernel.h says why
        list(APPEND TS_ISAS avx512)
        target_compile_definitions(ts_flags INTERFACE TS_HAVE_AVX512_KERNELS=1)
    endif()
endif()
