/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of a directory, without libFuzzer: the seeds are a test in every build. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Feeds one file; false when it cannot be read. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    rewind(file);

    // A block of exactly the file's size, so that a sanitizer sees the first byte read beyond it.
    size_t size = end > 0 ? (size_t)end : 0;
    uint8_t *data = malloc(size > 0 ? size : 1);
    int whole = data != NULL && fread(data, 1, size, file) == size;
    if (whole)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    fclose(file);
    return whole;
}

int main(int argc, char **argv)
{
    DIR *corpus = argc == 2 ? opendir(argv[1]) : NULL;
    if (corpus == NULL) {
        fprintf(stderr, "usage: %s CORPUS; each fuzz target needs a directory with seeds\n", argv[0]);
        return 2;
    }
    int count = 0;
    for (struct dirent *entry = readdir(corpus); entry != NULL; entry = readdir(corpus)) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (!replay(path)) {
            fprintf(stderr, "cannot read %s\n", path);
            return 1;
        }
        count++;
    }
    closedir(corpus);
    printf("%d seeds\n", count);
    return count > 0 ? 0 : 1;
}
