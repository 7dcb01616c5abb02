# SPDX-License-Identifier: MIT
# A client finds the installed library with find_package(touchstone CONFIG), shared and static, and runs.
set -euo pipefail

cmake --install "$BUILD_DIR" --prefix "$PWD/first" >/dev/null
mv first prefix # the tree can be moved
cmake -S "$SOURCE_DIR/tests/package" -B client -G Ninja -DCMAKE_PREFIX_PATH="$PWD/prefix" -DCMAKE_C_COMPILER="$CC" >configure.log 2>&1 ||
    { cat configure.log; exit 1; }
cmake --build client >build.log 2>&1 || { cat build.log; exit 1; }

version="$("$SOURCE_DIR/scripts/version")"
for kind in shared static; do
    got="$(client/client_$kind)"
    [ "$got" = "$version" ] || { echo "$kind client: wanted '$version', got '$got'" >&2; exit 1; }
done
readelf -d client/client_shared | grep -q 'NEEDED.*\[libtouchstone\.so\.0\]'
! readelf -d client/client_static | grep -q libtouchstone
