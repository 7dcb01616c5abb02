/* SPDX-License-Identifier: MIT */
/* What a test left in its folder. Include cmocka.h before. */
#pragma once

#include <dirent.h>
#include <string.h>

/* Files in the working folder whose name holds `part`. */
static inline int ts_test_count_files(const char *part)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strstr(entry->d_name, part) != NULL;
    closedir(folder);
    return count;
}
