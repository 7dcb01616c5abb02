# SPDX-License-Identifier: MIT
# Every public header stands alone, without a warning, as strict C17, C2x and C++, whatever was included before it.
set -euo pipefail

command -v g++ >/dev/null || { echo "no C++ compiler"; exit 77; }
for path in "$SOURCE_DIR"/include/touchstone/*.h; do
    header="touchstone/$(basename "$path")"
    printf '#include <%s>\n#include <%s>\n' "$header" "$header" >one.c
    cp one.c one.cc
    strict="-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I$SOURCE_DIR/include"
    "$CC" -std=c17 -Wstrict-prototypes $strict one.c
    "$CC" -std=c2x $strict one.c
    g++ -std=c++11 $strict one.cc
done
