/* SPDX-License-Identifier: MIT */
/* The heap under control, for tests/fault/test_alloc*.c, whose calls of malloc and its kin the linker sends here
 * (--wrap). Calls from inside the C library are not seen. Safe from any thread. */
#pragma once

/* Lets the n-th allocation from now on fail, counting from 1; 0: none fails. */
void ts_test_heap_fail_at(long n);
/* Allocations asked for since the last ts_test_heap_fail_at. */
long ts_test_heap_calls(void);
/* Blocks that are allocated now. */
long ts_test_heap_live(void);
