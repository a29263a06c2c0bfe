# SPDX-License-Identifier: GPL-2.0-only
# The front door. `make help` lists what there is.
KERNEL ?= newest
KERNELDIR ?= /lib/modules/$(shell uname -r)/build
PKG_CONFIG ?= pkg-config
SOAK_KERNELS := newest 6.12 6.1 debug
BENCH_KERNELS ?= newest 6.12 6.1

all: user kmod

user:
	@$(PKG_CONFIG) --exists jansson libtracefs || { \
		echo "user: needs the headers of jansson and libtracefs:"; \
		echo "      apt-get install libjansson-dev libtracefs-dev pkg-config"; \
		echo "      (or build everything in the lab: make demo)"; exit 1; }
	@$(MAKE) --no-print-directory -C user

kmod:
	@if [ -e "$(KERNELDIR)/Makefile" ]; then \
		$(MAKE) --no-print-directory -C kmod KERNELDIR="$(KERNELDIR)"; \
	else \
		echo "kmod: not built: no headers of the running kernel in $(KERNELDIR)"; \
		echo "      apt-get install linux-headers-$$(uname -r), or use the lab: make demo"; \
	fi

demo:
	@lab/demo $(KERNEL)

hazard-demo:
	@lab/hazard-demo $(KERNEL)

check: lab-build
	@tests/check $(KERNEL)

check-guest: lab-build
	@KERNEL=$(KERNEL) tests/run tests/guest

# SHORT=1 for CI; STRATEGY=NAME for one of ours; STRATEGY_FILE=PATH/strategy_NAME.c for a handler and
# MODULE='PATH [PARAM...]' for a module of one's own: kmod/README.md, "Judging your own".
validate:
	@lab/validate $(if $(SHORT),--short) $(STRATEGY:%=--strategy %) \
		$(STRATEGY_FILE:%=--handler %) $(if $(MODULE),--module '$(MODULE)')

check-conformance: lab-build
	@CONFORMANCE=full KERNEL=$(KERNEL) tests/run tests/guest/conformance.t && \
		cat build/lab/conformance.txt

soak: lab-build
	@lab/build $(SOAK_KERNELS)
	@SOAK=1 FUZZ_SECONDS=120 tests/check $(SOAK_KERNELS)

bench: lab-build
	@lab/enter tests/bench/record.sh
	@tests/bench/paths.sh $(BENCH_KERNELS)

style: lab-root
	@lab/enter tests/run tests/style

lab-root:
	@lab/root >/dev/null

lab-build:
	@lab/build $(KERNEL)

lab-shell: lab-build
	@lab/shell --kernel $(KERNEL)

clean:
	rm -rf build
	@if [ -e "$(KERNELDIR)/Makefile" ]; then \
		$(MAKE) --no-print-directory -C kmod KERNELDIR="$(KERNELDIR)" clean; fi

help:
	@echo 'make                    msilat for this host, and the module if its headers are here'
	@echo 'make demo               the main job in the virtual lab: table and pictures'
	@echo 'make hazard-demo        guests lost to interrupts that signal an eventfd in hard IRQ; KERNEL=…'
	@echo 'make check              the tests that fit ten minutes; KERNEL="newest 6.1" for all that CI runs there'
	@echo 'make check-guest        the guest tests; KERNEL=6.1, 6.12, 7.3, newest or debug'
	@echo 'make validate           RT safety of every strategy, judged by lockdep; SHORT=1; of your own'
	@echo '                        handler: STRATEGY_FILE=…, or module: MODULE=… (kmod/README.md)'
	@echo 'make check-conformance  upstream VFIO selftests on vfio-pci and on ours; KERNEL=…'
	@echo 'make soak               the same on all kernels, and what takes long'
	@echo 'make bench              paths of all strategies in instructions, against the committed table'
	@echo 'make lab-shell          a shell in a guest with the tools and the project; KERNEL=…'
	@echo 'make style              style checks only'
	@echo 'make clean              remove what was built (the lab is cached elsewhere: lab/README.md)'
	@echo
	@echo 'MSILAT_CACHE  where the lab is kept   MSILAT_MIRROR  Debian mirror   MSILAT_KVM=0|1'

.PHONY: all user kmod demo hazard-demo check check-guest validate check-conformance soak bench \
	style lab-root lab-build lab-shell clean help
