# SPDX-License-Identifier: MIT
#
# One word for each thing that a person does with Touchstone; the work is done by CMake and scripts/.
# `make demo` and `make test` do all of their set-up on a fresh Debian or Ubuntu machine.
#
#   make            set up and build build/touchstone and the library
#   make demo       two columns of grains collapse; leaves a picture and a video in out/
#   make test       build and run all tests
#   make bench      measure, beside the peers that are installed
#   make docs       the manual of the C interface in build/docs/html
#   make install    into PREFIX (default /usr/local), below DESTDIR if given
#   make format     lay out the sources; make tidy: static analysis; make folders: the rule of the folders
#   make clean      remove everything that was built
#
# CMAKE_FLAGS adds options, as in `make test CMAKE_FLAGS=-DTS_WERROR=ON`. TS_SKIP_SETUP=1 leaves packages alone.

PREFIX ?= /usr/local
CMAKE_FLAGS ?=
CLANG_FORMAT ?= clang-format-14
SOURCES = $(wildcard include/touchstone/*.h src/*.[ch] src/*/*.[ch] bench/*.[ch] bench/peers/*.[ch] bench/peers/*.cpp tests/*.[ch] tests/*/*.[ch] examples/*.c \
	cmake/*.c)

.PHONY: all demo test bench docs install format check-format tidy folders clean
.DEFAULT_GOAL := all

# Configures when nothing has been configured yet, or when asked for other options: $(call configure,extra flags).
configure = if [ ! -f build/build.ninja ] || [ -n "$(strip $(CMAKE_FLAGS) $(1))" ]; then \
	cmake --preset release $(1) $(CMAKE_FLAGS); fi

# The tests need cmocka, which a person who only wants the program need not have: without a build, leave them out.
all:
	@scripts/setup core
	@$(call configure,$(if $(wildcard build/build.ninja),,-DTS_TESTS=OFF))
	@cmake --build build

demo:
	@scripts/setup core
	@$(call configure,$(if $(wildcard build/build.ninja),,-DTS_TESTS=OFF))
	@cmake --build build --target touchstone_program
	@scripts/demo

test:
	@scripts/setup core test
	@$(call configure,$(if $(shell grep -s '^TS_TESTS:BOOL=ON' build/CMakeCache.txt),,-DTS_TESTS=ON))
	@cmake --build build
	@scripts/run-tests build

bench:
	@scripts/setup core
	@$(call configure,$(if $(wildcard build/build.ninja),,-DTS_TESTS=OFF))
	@cmake --build build --target touchstone_program touchstone_peers
	@build/touchstone bench

docs:
	@scripts/setup docs
	@mkdir -p build/docs
	@TS_VERSION="$$(scripts/version)" doxygen docs/Doxyfile
	@echo "build/docs/html/index.html"

install: all
	@cmake --install build --prefix "$(PREFIX)"

format:
	@scripts/setup check
	@$(CLANG_FORMAT) -i $(SOURCES)

check-format:
	@scripts/setup check
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)

tidy:
	@scripts/setup core test check
	@scripts/tidy

folders:
	@scripts/check-folders

clean:
	@rm -rf build out
