// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "hazard.h"
#include "json.h"
#include "manifest.h"
#include "subcommands.h"
#include "summary.h"

struct show_params {
	bool json;
};

static const struct option_row show_rows[] = {
	{ "json", 0, OPTION_FLAG, offsetof(struct show_params, json), 0, 0, NULL,
	  "print the manifests instead of tables", NULL },
	{ 0 },
};

static int show_one(const char *dir, const struct show_params *p)
{
	struct reason why = { 0 };
	json_t *m = manifest_load(dir, &why);

	if (!m)
		return cmd_fail(&why);
	if (p->json) {
		json_dumpf(m, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else if (!strcmp(json_text(m, "kind"), "hazard")) {
		hazard_print(m, stdout);
	} else {
		summary_print(m, stdout);
	}
	json_decref(m);
	return EXIT_OK;
}

int cmd_show(int argc, char **argv)
{
	struct show_params p = { 0 };
	int first, ret;

	ret = cmd_parse("[options] DIR…", "Prints result directories.", show_rows, &p, argc, argv,
			&first);
	if (ret >= 0)
		return ret;
	if (first == argc) {
		fputs("msilat: show: which result directory?\n", stderr);
		return EXIT_ERROR;
	}
	for (ret = EXIT_OK; first < argc; first++) {
		if (show_one(argv[first], &p))
			ret = EXIT_ERROR;
		if (first + 1 < argc && !p.json)
			putchar('\n');
	}
	return ret;
}
