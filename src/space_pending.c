/* SPDX-License-Identifier: MIT */
/* Until contacts in space are found: the recorder asks for them. To be removed with the step in space. */
#include "base/status.h"
#include "touchstone/space.h"

ts_status ts_find_contacts3(const ts_model *model, const ts_state *state, ts_workspace *work,
                            const ts_contact3 **contact, size_t *count, ts_error *error)
{
    (void)model, (void)state, (void)work;
    *contact = NULL;
    *count = 0;
    return ts_fail(error, TS_UNSUPPORTED, "contacts of bodies in space are not found yet; do not record them");
}
