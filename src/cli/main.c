/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return (int)ts_cli_main(argc, argv);
}
