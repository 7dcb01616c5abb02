# SPDX-License-Identifier: MIT
# What the libraries show to the world: only ts_ names, the right soname, and nothing that prints or exits.
set -euo pipefail

shared="$BUILD_DIR/libtouchstone.so"
archive="$BUILD_DIR/libtouchstone.a"
failed=0
complain() {
    echo "$1" >&2
    sed 's/^/    /' <<<"$2" >&2
    failed=1
}

# Names of an nm listing in POSIX form: "name type value size".
names() { awk 'NF >= 2 && $2 ~ /^[A-Zvwu]$/ { print $1 }' | sort -u; }

exported="$(nm -D -P --defined-only "$shared" | names)"
[ -n "$exported" ] || complain "the shared library exports nothing" ""
foreign="$(grep -v '^ts_' <<<"$exported" || true)"
[ -z "$foreign" ] || complain "the shared library exports names without ts_; mark them static or rename them:" "$foreign"

foreign="$(nm -g -P --defined-only "$archive" 2>/dev/null | names | grep -v '^ts_' || true)"
[ -z "$foreign" ] || complain "the static library defines global names without ts_; mark them static or rename them:" "$foreign"

# Every function that a public header promises is exported, and nothing else is.
promised="$(cat "$SOURCE_DIR"/include/touchstone/*.h | tr '\n' ' ' | grep -oE 'TS_API [^;({]*\bts_[a-z0-9_]+ *\(' |
    grep -oE 'ts_[a-z0-9_]+ *\($' | tr -d ' (' | sort -u)"
missing="$(comm -23 <(echo "$promised") <(echo "$exported"))"
[ -z "$missing" ] || complain "declared in include/touchstone but not exported:" "$missing"
extra="$(comm -13 <(echo "$promised") <(echo "$exported"))"
[ -z "$extra" ] || complain "exported but not declared in include/touchstone:" "$extra"

soname="$(readelf -d "$shared" | sed -nE 's/.*\(SONAME\).*\[(.*)\]/\1/p')"
[ "$soname" = libtouchstone.so.0 ] || complain "the soname is wrong:" "$soname"

# The library never prints and never ends the program; asserts, for the programmer, are in debug builds alone.
rude="$(nm -A -u -P "$archive" 2>/dev/null | sed -E 's/^[^[]*\[([^]]*)\]: ([^ @]+).*/\2 in \1/' |
    grep -E '^(exit|quick_exit|abort|printf|vprintf|__printf_chk|puts|putchar|perror|stdout|stderr|__assert_fail|psignal) ' || true)"
[ "${TS_BUILD_TYPE}" = Release ] || rude="$(grep -v __assert_fail <<<"$rude" || true)"
[ -z "$rude" ] || complain "the library must not print or end the program:" "$rude"

exit $failed
