/* SPDX-License-Identifier: MIT */
#include "base/field.h"

#include <stdio.h>
#include <string.h>

/* Above this, neighbouring integers are no longer told apart by a double. */
#define INTEGER_MAX  9007199254740991.0

#define FAIL(c, ...) ts_fail_at((c)->error, TS_BAD_INPUT, (c)->place, __VA_ARGS__)

ts_status ts_field_check(const ts_check *check, const ts_field *field, double number)
{
    switch (field->range) {
    case TS_RANGE_ANY:
        return ts_check_number(check, field->key, number);
    case TS_RANGE_POSITIVE:
        if (number <= 0 && (field->flags & TS_FIELD_AUTO))
            return FAIL(check, "%s: %s is %g, but must be positive; write \"auto\" to have it derived", check->what,
                        field->key, number);
        TS_TRY(ts_check_positive(check, field->key, number));
        if (number < 1 / TS_MAGNITUDE_MAX)
            return FAIL(check, "%s: %s is %g, too small to compute with; give at least %g", check->what, field->key,
                        number, 1 / TS_MAGNITUDE_MAX);
        return TS_OK;
    case TS_RANGE_NOT_NEGATIVE:
        return ts_check_not_negative(check, field->key, number);
    case TS_RANGE_SHARE:
        return ts_check_range(check, field->key, number, 0, 1);
    case TS_RANGE_THOUSAND:
        return ts_check_range(check, field->key, number, 1, 1000);
    }
    return TS_OK;
}

ts_status ts_field_check_integer(const ts_check *check, const char *key, ts_field_range range, double number)
{
    const double low = range == TS_RANGE_THOUSAND ? 1 : 0, high = range == TS_RANGE_THOUSAND ? 1000 : INTEGER_MAX;
    if (!(number >= 0 && number <= INTEGER_MAX) || (double)(uint64_t)number != number)
        return FAIL(check, "%s: %s is %.17g, but must be a whole number from %.0f to %.0f", check->what, key, number,
                    low, high);
    return ts_check_range(check, key, number, low, high);
}

const ts_field *ts_field_find(const ts_field *field, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(field[i].key, key) == 0)
            return &field[i];
    return NULL;
}

/* The bytes of a value; of a text its characters. */
static const void *value_of(const ts_field *field, const void *values, size_t *size)
{
    const void *value = (const char *)values + field->offset;
    const char *text = "";
    switch (field->type) {
    case TS_FIELD_NUMBER:
        *size = sizeof(double);
        return value;
    case TS_FIELD_VECTOR:
        *size = 3 * sizeof(double);
        return value;
    case TS_FIELD_FLAG:
        *size = sizeof(bool);
        return value;
    case TS_FIELD_INTEGER:
        *size = sizeof(uint64_t);
        return value;
    case TS_FIELD_TEXT:
        if (*(const char *const *)value)
            text = *(const char *const *)value;
        break;
    default: /* of a scene alone */
        break;
    }
    *size = strlen(text);
    return text;
}

uint64_t ts_fields_hash(const ts_field *field, size_t count, const void *values, uint64_t before)
{
    uint64_t hash = before;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        if (field[i].flags & TS_FIELD_DERIVES)
            continue;
        const void *value = value_of(&field[i], values, &size);
        hash = ts_hash(field[i].key, strlen(field[i].key), hash);
        hash = ts_hash(value, size, hash);
    }
    return hash;
}

/* SI units of ts_quantity, with the blank before them. */
static const char *const unit[TS_QUANTITY_COUNT] = {
    [TS_QUANTITY_NONE] = "",
    [TS_QUANTITY_LENGTH] = " m",
    [TS_QUANTITY_TIME] = " s",
    [TS_QUANTITY_ANGLE] = " rad",
    [TS_QUANTITY_SPEED] = " m/s",
    [TS_QUANTITY_SPIN] = " rad/s",
    [TS_QUANTITY_ACCELERATION] = " m/s²",
    [TS_QUANTITY_FREQUENCY] = " Hz",
    [TS_QUANTITY_DENSITY] = " kg/m²",
    [TS_QUANTITY_STIFFNESS] = " N/m",
    [TS_QUANTITY_DAMPING] = " N·s/m",
    [TS_QUANTITY_VOLUME_DENSITY] = " kg/m³",
    [TS_QUANTITY_CUBIC_STIFFNESS] = " N/m³",
    [TS_QUANTITY_FORCE] = " N",
};

const char *ts_fields_show(const ts_field *field, size_t count, const void *values, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count && used < capacity; i++) {
        size_t size;
        const void *value = value_of(&field[i], values, &size);
        char shown[64] = "";
        if (field[i].type == TS_FIELD_NUMBER && *(const double *)value != 0)
            snprintf(shown, sizeof shown, " %.4g%s", *(const double *)value, unit[field[i].quantity]);
        else if (field[i].type == TS_FIELD_INTEGER && *(const uint64_t *)value > 0)
            snprintf(shown, sizeof shown, " %llu", (unsigned long long)*(const uint64_t *)value);
        else if (field[i].type == TS_FIELD_TEXT && size > 0)
            snprintf(shown, sizeof shown, " %.60s", (const char *)value);
        if (shown[0] || (field[i].type == TS_FIELD_FLAG && *(const bool *)value))
            used += (size_t)snprintf(text + used, capacity - used, ", %s%s", field[i].key, shown);
    }
    return text;
}
