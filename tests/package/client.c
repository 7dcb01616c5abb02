/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <touchstone/version.h>

int main(void)
{
    return puts(ts_version()) < 0;
}
