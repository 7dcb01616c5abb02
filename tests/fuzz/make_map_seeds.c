/* SPDX-License-Identifier: MIT */
/* Writes the seeds of fuzz_map anew: run it from the source folder after a change of the format.
 *
 *     gcc -std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -Itests -o seeds tests/fuzz/make_map_seeds.c \
 *         build/libtouchstone.a -lm -lcairo -lexpat -lfreetype
 *     ./seeds
 */
#include "base/file.h"
#include "cspace/map_file.h"
#include "cspace/random_map.h"

#define CORPUS "tests/fuzz/corpus/map/"

static void write_map(const char *path, ts_map *map, size_t missing)
{
    unsigned char *bytes;
    size_t size;
    map->made_at = 1700000000;
    must_do(ts_map_encode(map, &bytes, &size, NULL));
    must_do(ts_file_write(path, bytes, size - missing, NULL));
    ts_free(bytes);
    ts_map_free(map);
}

/* As coarse as a table may be. */
static ts_map *small_table(void)
{
    ts_outline *disc, *box;
    ts_pair *pair;
    ts_exact *exact;
    ts_table *table;
    ts_map *map;
    must_do(ts_outline_disc(1, &disc, NULL));
    must_do(ts_outline_regular(3, 1, &box, NULL));
    must_do(ts_pair_create(disc, box, &pair, NULL));
    must_do(ts_exact_create(pair, &exact, NULL));
    ts_fold fold = ts_fold_for_table(pair, true);
    must_do(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = 0.2, .turn = 0.3, .bits = 8}, NULL, NULL,
                            NULL, &table, NULL));
    must_do(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, NULL));
    ts_exact_free(exact);
    ts_outline_free(disc);
    ts_outline_free(box);
    return map;
}

static ts_map *small_exact(void)
{
    ts_map *map;
    must_do(ts_map_assemble(random_pair(1), &(ts_map_options){.kind = TS_MAP_EXACT}, NULL, NULL, &map, NULL));
    map->info.options.kind = TS_MAP_AUTO;
    return map;
}

int main(void)
{
    const ts_map_options circle = {.kind = TS_MAP_NETWORK, .depth = 2, .width = 3},
                         raw = {.kind = TS_MAP_NETWORK, .depth = 1, .width = 2, .encoding = TS_ENCODING_RAW};
    must_do(ts_folder_make(CORPUS, NULL));
    write_map(CORPUS "network.tsmap", random_map(random_pair(1), &circle, true), 0);
    write_map(CORPUS "network-raw.tsmap", random_map(random_pair(2), &raw, false), 0);
    write_map(CORPUS "network-torn.tsmap", random_map(random_pair(1), &circle, true), 20);
    write_map(CORPUS "table.tsmap", small_table(), 0);
    write_map(CORPUS "exact.tsmap", small_exact(), 0);
    return 0;
}
