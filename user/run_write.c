// SPDX-License-Identifier: GPL-2.0-only
/* The files of a result; their formats are documented in results/README.md. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "manifest.h"
#include "run.h"

static void write_histogram(FILE *f, const struct run *r)
{
	const struct stages *s = &r->recording.stages;
	const struct histogram *h;
	unsigned int i, bin;

	fputs("# msilat histogram 1\n"
	      "# stage\tlower_cycles\tupper_cycles\tlower_ns\tupper_ns\tcount\n", f);
	for (i = 0; i < s->count; i++) {
		h = &s->stage[i].histogram;
		for (bin = 0; bin < HISTOGRAM_BINS; bin++) {
			if (!h->bins[bin])
				continue;
			fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\t%.1f\t%.1f\t%" PRIu64 "\n",
				s->stage[i].name, histogram_lower(bin), histogram_upper(bin),
				clock_ns(&r->rate, histogram_lower(bin)),
				clock_ns(&r->rate, histogram_upper(bin)), h->bins[bin]);
		}
	}
}

static void write_paths(FILE *f, const struct run *r)
{
	const struct stages *s = &r->recording.stages;
	const struct paths *p;
	unsigned int i;
	size_t row;

	fputs("# msilat paths 1\n# stage\tinstructions\tcount\n", f);
	for (i = 0; i < s->count; i++) {
		p = &s->stage[i].paths;
		for (row = 0; row < p->used; row++)
			fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\n", s->stage[i].name,
				p->row[row].length, p->row[row].count);
	}
}

/* Wall-clock time of a cycle count, from the start of the run. */
static void put_time(FILE *f, const struct run *r, uint64_t cycles)
{
	double s = 0;
	struct timespec t = r->started;
	int64_t ns;
	char text[32];
	struct tm tm;

	if (cycles >= r->first.cycles)
		s = clock_ns(&r->rate, cycles - r->first.cycles) / 1e9;
	ns = t.tv_nsec + (int64_t)((s - (double)(int64_t)s) * 1e9);
	t.tv_sec += (int64_t)s + ns / 1000000000;
	gmtime_r(&t.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(f, "\t%s.%06" PRId64 "Z", text, ns % 1000000000 / 1000);
}

static void write_outliers(FILE *f, const struct run *r)
{
	const struct outliers *o = &r->recording.outliers;
	unsigned int i;
	int stamp;

	fputs("# msilat outliers 1\n"
	      "# rank\tseq\tlatency_ns\ttime_utc\tsent\tisr\tthread\tsignal\tuser\tdone\n", f);
	for (i = 0; i < o->count; i++) {
		fprintf(f, "%u\t%" PRIu64 "\t%.1f", i + 1, o->row[i].seq,
			clock_ns(&r->rate, o->row[i].latency));
		put_time(f, r, o->row[i].stamps[STAMP_USER]);
		for (stamp = 0; stamp < STAMPS; stamp++)
			if (o->row[i].stamps[stamp])
				fprintf(f, "\t%" PRIu64, o->row[i].stamps[stamp]);
			else
				fputs("\t-", f);
		fputc('\n', f);
	}
}

static int write_file(struct run *r, const char *name, void (*fn)(FILE *f, const struct run *r),
		      struct reason *why)
{
	FILE *f = result_create(&r->result, name, why);

	if (!f)
		return -EIO;
	fn(f, r);
	return result_commit(&r->result, f, name, why);
}

static void write_manifest(FILE *f, const struct run *r)
{
	json_t *m = manifest_json(r);

	json_dumpf(m, f, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', f);
	json_decref(m);
}

int run_write(struct run *r, struct reason *why)
{
	int ret;

	if (r->mode == LAB_EXACT)
		ret = write_file(r, "paths.tsv", write_paths, why);
	else
		ret = write_file(r, "histogram.tsv", write_histogram, why);
	if (!ret)
		ret = write_file(r, "outliers.tsv", write_outliers, why);
	if (!ret && r->recorder.file && fflush(r->recorder.file))
		ret = reason_set(why, -errno, "samples.bin: %s", strerror(errno));
	/* Last, so that a manifest never speaks of files that are not there. */
	if (!ret)
		ret = write_file(r, "manifest.json", write_manifest, why);
	return ret;
}
