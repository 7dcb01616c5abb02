# SPDX-License-Identifier: MIT
# A client finds the installed library with pkg-config, shared and static, and runs; also after the tree was moved.
set -euo pipefail

client="$SOURCE_DIR/tests/package/client.c"
version="$("$SOURCE_DIR/scripts/version")"
cmake --install "$BUILD_DIR" --prefix "$PWD/first" >/dev/null
mv first prefix
PKG_CONFIG_PATH="$(dirname "$(find "$PWD/prefix" -name touchstone.pc)")"
export PKG_CONFIG_PATH

expect() { # what, wanted, got
    [ "$2" = "$3" ] || { echo "$1: wanted '$2', got '$3'" >&2; exit 1; }
}

expect "version of touchstone.pc" "$version" "$(pkg-config --modversion touchstone)"

# Shared: the loader is told where the library lies, as for every library outside the system's folders.
libdir="$(pkg-config --variable=libdir touchstone)"
$CC "$client" -o shared $(pkg-config --cflags --libs touchstone) -Wl,-rpath,"$libdir"
expect "shared client" "$version" "$(./shared)"
readelf -d shared | grep -q 'NEEDED.*\[libtouchstone\.so\.0\]' || { echo "the shared client does not need the soname" >&2; exit 1; }

# Static: Libs.private and Requires.private must name everything that the archive needs. The linker takes the .so if it
# may choose, so name the archive. Every object is drawn in, so that none of its needs is overlooked.
flags="$(pkg-config --static --libs touchstone)"
$CC "$client" -o static $(pkg-config --cflags touchstone) \
    ${flags/-ltouchstone/-Wl,--whole-archive -l:libtouchstone.a -Wl,--no-whole-archive}
expect "static client" "$version" "$(./static)"
if readelf -d static | grep -q libtouchstone; then
    echo "the static client needs the shared library" >&2
    exit 1
fi

# The installed program runs without the build.
if [ -x "$TOUCHSTONE" ]; then
    [ -x prefix/bin/touchstone ] || { echo "the program was not installed" >&2; exit 1; }
    prefix/bin/touchstone --version | grep -qF "$version" || { echo "the installed program does not know its version" >&2; exit 1; }
fi
