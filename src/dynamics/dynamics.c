/* SPDX-License-Identifier: MIT */
#include "dynamics/dynamics.h"

#include <stdio.h>
#include <string.h>

#include "dynamics/penalty.h"

static const ts_dynamics *const table[] = {&ts_penalty_dynamics, NULL};

const ts_dynamics *ts_dynamics_find(const char *name)
{
    for (size_t i = 0; table[i]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const char *ts_dynamics_names(char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; table[i] && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", i > 0 ? ", " : "", table[i]->name);
    return text;
}
