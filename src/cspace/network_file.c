/* SPDX-License-Identifier: MIT */
#include "cspace/network_file.h"

#include <limits.h>
#include <math.h>

#include "base/memory.h"

/* A whole multiple of a power of two that a float holds exactly: 2^-126 is the least normal one, and 32767 · 2^100 is
 * finite. */
enum { MULTIPLE_MAX = 32767, EXPONENT_MIN = -126, EXPONENT_MAX = 100 };
enum { HEAD_BYTES = 20, FREQUENCY_MAX = 1 << 20 };

/* Bound on all that a query computes, far below what a float holds, and on the inputs within reach: x and y at most 2,
 * the angle at most π. */
static const double value_max = 1e30, input_max = 4;

/* ---- Rows: numbers that share a power of two ---- */

typedef struct row {
    size_t at;    /* its first parameter */
    size_t count; /* how many */
} row;

static int row_count(const ts_perceptron *p, int layer)
{
    return ts_perceptron_rows(p, layer) + 1;
}

/* Row i of a layer's weights; after the last, its biases. */
static row get_row(const ts_perceptron *p, int layer, int i)
{
    size_t rows = (size_t)ts_perceptron_rows(p, layer), columns = (size_t)ts_perceptron_columns(p, layer);
    if ((size_t)i == rows)
        return (row){p->bias_at[layer], rows};
    return (row){p->weight_at[layer] + (size_t)i * columns, columns};
}

/* The least exponent with which the largest number is in range; not above EXPONENT_MAX, where a network is absurd
 * anyway. */
static int row_exponent(const float *value, size_t count)
{
    float largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(value[i]));
    int exponent = EXPONENT_MIN;
    if (largest > 0)
        frexpf(largest, &exponent); /* largest < 2^exponent */
    exponent = largest > 0 ? exponent - 15 : EXPONENT_MIN;
    /* between 32767 and 32768 steps: one more */
    if (exponent >= EXPONENT_MIN && ldexpf(largest, -exponent) > (float)MULTIPLE_MAX)
        exponent++;
    return exponent < EXPONENT_MIN ? EXPONENT_MIN : exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
}

static int to_multiple(float value, int exponent)
{
    double steps = rint(ldexp((double)value, -exponent));
    return (int)fmin(fmax(steps, -MULTIPLE_MAX), MULTIPLE_MAX);
}

static float from_multiple(int multiple, int exponent)
{
    return ldexpf((float)multiple, exponent);
}

static void round_row(float *value, size_t count)
{
    int exponent = row_exponent(value, count);
    for (size_t i = 0; i < count; i++)
        value[i] = from_multiple(to_multiple(value[i], exponent), exponent);
}

static void round_perceptron(ts_perceptron *p)
{
    for (int layer = 0; layer <= p->depth; layer++)
        for (int i = 0; i < row_count(p, layer); i++) {
            row r = get_row(p, layer, i);
            round_row(p->parameter + r.at, r.count);
        }
}

/* Whether two bytes a parameter lose nothing, not even the sign of a zero. */
static bool is_round(const ts_perceptron *p)
{
    for (int layer = 0; layer <= p->depth; layer++)
        for (int i = 0; i < row_count(p, layer); i++) {
            row r = get_row(p, layer, i);
            const float *value = p->parameter + r.at;
            int exponent = row_exponent(value, r.count);
            for (size_t k = 0; k < r.count; k++) {
                float back = from_multiple(to_multiple(value[k], exponent), exponent);
                if (back != value[k] || signbit(back) != signbit(value[k]))
                    return false;
            }
        }
    return true;
}

ts_status ts_network_round(ts_network *network, ts_error *error)
{
    round_perceptron(&network->gap);
    round_perceptron(&network->arm);
    TS_TRY(ts_perceptron_pack(&network->gap, error));
    return ts_perceptron_pack(&network->arm, error);
}

/* ---- Writing ---- */

static size_t perceptron_bytes(const ts_perceptron *p)
{
    if (!is_round(p))
        return HEAD_BYTES + 4 * p->count;
    size_t rows = 0;
    for (int layer = 0; layer <= p->depth; layer++)
        rows += (size_t)row_count(p, layer);
    return HEAD_BYTES + rows + 2 * p->count;
}

static unsigned char *put_perceptron(unsigned char *to, const ts_perceptron *p)
{
    bool two = is_round(p);
    to = ts_put_u32(to, (uint32_t)p->inputs);
    to = ts_put_u32(to, (uint32_t)p->outputs);
    to = ts_put_u32(to, (uint32_t)p->depth);
    to = ts_put_u32(to, (uint32_t)p->width);
    to = ts_put_u32(to, two ? 16 : 32);
    for (int layer = 0; layer <= p->depth; layer++)
        for (int i = 0; i < row_count(p, layer); i++) {
            row r = get_row(p, layer, i);
            const float *value = p->parameter + r.at;
            int exponent = row_exponent(value, r.count);
            if (two)
                to = ts_put_u8(to, (uint8_t)(exponent - SCHAR_MIN));
            for (size_t k = 0; k < r.count; k++)
                to = two ? ts_put_u16(to, (uint16_t)(to_multiple(value[k], exponent) + MULTIPLE_MAX))
                         : ts_put_f32(to, value[k]);
        }
    return to;
}

size_t ts_network_file_bytes(const ts_network *network)
{
    return 8 + perceptron_bytes(&network->gap) + perceptron_bytes(&network->arm);
}

unsigned char *ts_network_put(unsigned char *to, const ts_network *network)
{
    to = ts_put_u32(to, (uint32_t)network->encoding);
    to = ts_put_u32(to, (uint32_t)network->frequency);
    to = put_perceptron(to, &network->gap);
    return put_perceptron(to, &network->arm);
}

/* ---- Reading ---- */

/* False when a number is none. */
static bool take_parameters(ts_bytes *from, ts_perceptron *p, bool two)
{
    bool good = true;
    for (int layer = 0; layer <= p->depth; layer++)
        for (int i = 0; i < row_count(p, layer); i++) {
            row r = get_row(p, layer, i);
            float *value = p->parameter + r.at;
            int exponent = two ? ts_take_u8(from) + SCHAR_MIN : 0;
            good = good && exponent >= EXPONENT_MIN && exponent <= EXPONENT_MAX;
            for (size_t k = 0; k < r.count && good; k++) {
                int multiple = two ? ts_take_u16(from) - MULTIPLE_MAX : 0;
                value[k] = two ? from_multiple(multiple, exponent) : ts_take_f32(from);
                good = isfinite(value[k]) && multiple <= MULTIPLE_MAX;
            }
        }
    return good && !from->bad;
}

/* The largest that a value or a derivative can become inside, from the sums of each row's sizes. */
static double largest_value(const ts_perceptron *p)
{
    double value = input_max, slope = 1, largest = 0;
    for (int layer = 0; layer <= p->depth; layer++) {
        double sum = 0, columns = 0, bias = 0;
        for (int i = 0; i + 1 < row_count(p, layer); i++) {
            row r = get_row(p, layer, i);
            double own = 0;
            for (size_t k = 0; k < r.count; k++)
                own += fabs((double)p->parameter[r.at + k]);
            sum = fmax(sum, own);
            columns += own; /* the backward pass sums along columns: no more than all of them */
            bias = fmax(bias, fabs((double)p->parameter[p->bias_at[layer] + (size_t)i]));
        }
        value = value * sum + bias;
        slope *= fmax(columns, 1);
        largest = fmax(largest, fmax(value, slope));
    }
    return largest;
}

static ts_status take_perceptron(ts_bytes *from, int32_t inputs, int32_t outputs, ts_perceptron *p,
                                 const char **problem, ts_error *error)
{
    uint32_t in = ts_take_u32(from), out = ts_take_u32(from), depth = ts_take_u32(from), width = ts_take_u32(from),
             bits = ts_take_u32(from);
    if (in != (uint32_t)inputs || out != (uint32_t)outputs || depth < 1 || depth > TS_NETWORK_DEPTH_MAX || width < 1 ||
        width > TS_NETWORK_WIDTH_MAX || (bits != 16 && bits != 32)) {
        *problem = "the size of a network makes no sense";
        return TS_CORRUPT;
    }
    TS_TRY(ts_perceptron_create(inputs, outputs, (int32_t)depth, (int32_t)width, p, error));
    if (!take_parameters(from, p, bits == 16))
        *problem = "a network is not all there, or holds a number that is none";
    else if (!(largest_value(p) <= value_max))
        *problem = "a network's numbers are beyond all measure";
    return *problem ? TS_CORRUPT : ts_perceptron_pack(p, error);
}

ts_status ts_network_take(ts_bytes *from, ts_network **network, const char **problem, ts_error *error)
{
    *network = NULL;
    *problem = NULL;
    uint32_t encoding = ts_take_u32(from), frequency = ts_take_u32(from);
    if (encoding > TS_ENCODING_RAW || frequency < 1 || frequency > FREQUENCY_MAX) {
        *problem = "a network has an encoding of the angle that is not known";
        return TS_CORRUPT;
    }
    ts_network *made;
    TS_TRY(ts_new(&made, 1, error));
    made->encoding = (ts_map_encoding)encoding;
    made->frequency = (int32_t)frequency;
    int32_t inputs = encoding == TS_ENCODING_RAW ? 3 : 4;
    ts_status status = take_perceptron(from, inputs, 1, &made->gap, problem, error);
    if (status == TS_OK)
        status = take_perceptron(from, inputs, 2, &made->arm, problem, error);
    if (status != TS_OK) {
        ts_network_free(made);
        ts_free(made);
        return status;
    }
    *network = made;
    return TS_OK;
}
