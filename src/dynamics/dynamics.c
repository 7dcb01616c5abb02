/* SPDX-License-Identifier: MIT */
#include "dynamics/dynamics.h"

#include <string.h>

#include "dynamics/penalty.h"

static const ts_dynamics *const table[] = {&ts_penalty_dynamics};

const ts_dynamics *ts_dynamics_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const char *ts_dynamics_names(void)
{
    return "penalty";
}
