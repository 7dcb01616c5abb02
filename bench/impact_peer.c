/* SPDX-License-Identifier: MIT */
#include "impact_peer.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "process.h"

bool ts_ipopt_installed(void)
{
    char path[4096];
    return ts_process_find_peer("ipopt", path);
}

ts_status ts_ipopt_write(const ts_qp *qp, const char *path, ts_error *error)
{
    const uint64_t head[3] = {qp->count, qp->block_count, (uint64_t)qp->dof};
    size_t numbers = qp->count * (size_t)qp->dof;
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    fwrite(head, sizeof *head, 3, draft.stream);
    fwrite(qp->a, sizeof *qp->a, qp->count, draft.stream);
    fwrite(qp->b, sizeof *qp->b, qp->count, draft.stream);
    fwrite(qp->ga, sizeof *qp->ga, numbers, draft.stream);
    fwrite(qp->gb, sizeof *qp->gb, numbers, draft.stream);
    fwrite(qp->linear, sizeof *qp->linear, qp->count, draft.stream);
    return ts_draft_commit(&draft, error);
}

static ts_status read_output(const char *path, ts_ipopt_result *result, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(path, 1 << 20, &text, &size, error));
    const char *version = ts_process_line(text, "version ");
    double code = ts_process_number(text, "code "), iterations = ts_process_number(text, "iterations ");
    snprintf(result->version, sizeof result->version, "Ipopt %.*s", (int)strcspn(version, "\n"), version);
    result->solved = code == 0 || code == 1;
    result->iterations = iterations >= 0 ? (int)iterations : 0;
    result->wall = ts_process_number(text, "seconds ");
    result->processor = ts_process_number(text, "processor ");
    ts_free(text);
    if (!(result->wall > 0))
        return ts_fail(error, TS_IO, "Ipopt ended without a time; its output is in %s", path);
    return TS_OK;
}

ts_status ts_ipopt_run(const char *path, const ts_ipopt_way *way, double tolerance, size_t count, double *y,
                       ts_ipopt_result *result, ts_error *error)
{
    char program[4096], answer[4200], output[4200], accuracy[32], *data;
    size_t size;
    *result = (ts_ipopt_result){0};
    if (!ts_process_find_peer("ipopt", program))
        return ts_fail(error, TS_UNSUPPORTED, "Ipopt was not there when this program was built");
    snprintf(answer, sizeof answer, "%s.answer", path);
    snprintf(output, sizeof output, "%s.out", path);
    snprintf(accuracy, sizeof accuracy, "%.3g", tolerance);
    /* MUMPS's fronts are small: a second thread of BLAS makes it slower, and its time on one looks like that of two */
    const char *argument[] = {
        "env", "OPENBLAS_NUM_THREADS=1", program, path, answer, way->form, way->strategy, accuracy, NULL};
    TS_TRY(ts_process_run(argument, output, error));
    TS_TRY(read_output(output, result, error));
    TS_TRY(ts_file_read(answer, count * sizeof *y + 1, &data, &size, error));
    bool fine = size == count * sizeof *y;
    if (fine)
        memcpy(y, data, size);
    ts_free(data);
    return fine ? TS_OK : ts_fail(error, TS_IO, "%s should have %zu impulses, but has %zu bytes", answer, count, size);
}
