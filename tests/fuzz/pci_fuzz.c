// SPDX-License-Identifier: GPL-2.0-only
/* PCI addresses, and configuration space with its list of capabilities. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "pci.h"

#define FUNCTION "/sys/bus/pci/devices/0000:03:00.0"

static const char *const samples[] = {
	"0000:03:00.0", "03:00.0", "10000:01:1f.7", "ffffffff:ff:1f.7", "0:0:0.0", NULL,
};
static const char *const words[] = {
	":", ".", "0", "0x", "+", "-", " ", "f", "00000000", "03:00.0", NULL,
};

/* A second opinion on what an address is. */
static bool is_address(const char *text)
{
	size_t digits, colons = 0;
	const char *p = text;

	for (; *p; p++)
		colons += *p == ':';
	if (colons < 1 || colons > 2)
		return false;
	if (colons == 2) {
		digits = strspn(text, "0123456789abcdefABCDEF");
		if (digits < 1 || digits > 8 || text[digits] != ':')
			return false;
		text += digits + 1;
	}
	digits = strspn(text, "0123456789abcdefABCDEF");
	if (digits < 1 || digits > 2 || text[digits] != ':')
		return false;
	text += digits + 1;
	digits = strspn(text, "0123456789abcdefABCDEF");
	if (digits < 1 || digits > 2 || text[digits] != '.')
		return false;
	/* 00 to 1f. */
	if (digits == 2 && *text > '1')
		return false;
	text += digits + 1;
	return *text >= '0' && *text <= '7' && !text[1];
}

static void address(const char *input)
{
	struct reason why = { .text = "" };
	char bdf[PCI_BDF_MAX];
	int ret = pci_resolve(bdf, input, &why);

	fuzz_check((ret == -EINVAL) == !is_address(input), "an address or none?");
	fuzz_check(!ret || why.text[0], "an error without reason");
	if (!ret)
		fuzz_check(!strcmp(bdf, "0000:03:00.0") || !strcmp(bdf, "10000:01:1f.7"), bdf);
}

static void configuration(const char *input, size_t size)
{
	unsigned char cfg[256] = { [0x06] = 0x10, [0x34] = 0x40 };
	struct pci_function fn;
	size_t i, at = 0x40;

	/* Half of them a sane list, broken by a few bytes; the others anything. */
	if (fuzz_random() % 2) {
		for (i = 0; i < size && at + 8 <= sizeof(cfg); i++, at += 8) {
			cfg[at] = i % 3 ? 0x05 : 0x11;
			cfg[at + 1] = (unsigned char)(fuzz_random() % 8 ? at + 8 : fuzz_random());
			cfg[at + 2] = (unsigned char)input[i];
			cfg[at + 3] = (unsigned char)fuzz_random();
		}
	} else {
		for (i = 0; i < sizeof(cfg); i++)
			cfg[i] = (unsigned char)fuzz_random();
	}
	fuzz_file(FUNCTION "/config", cfg, fuzz_random() % 4 ? sizeof(cfg) :
		  fuzz_random() % (sizeof(cfg) + 1));
	fuzz_check(!pci_read(&fn, "0000:03:00.0", NULL), "the function is not found");
	fuzz_check(fn.msi <= 128 && !(fn.msi & (fn.msi - 1)), "number of MSI vectors");
	fuzz_check(fn.msix <= 2048, "number of MSI-X vectors");
}

static void target(const char *input, size_t size)
{
	static bool made;

	if (!made) {
		fuzz_file(FUNCTION "/vendor", "0x8086\n", 7);
		fuzz_file("/sys/bus/pci/devices/10000:01:1f.7/vendor", "0x8086\n", 7);
		made = true;
	}
	address(input);
	configuration(input, size);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
