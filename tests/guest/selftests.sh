#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# selftests.sh DIR: (in the lab's root) builds upstream's vfio_pci_device_test,
# vfio_pci_device_init_perf_test and vfio_pci_driver_test, static, out of the linux-source package of
# the newest kernel, and puts them into DIR. Built once for each source; the result is kept in the
# lab's cache, the sources are not.
#
# Three things are changed on the way. Debian's kernels have no iommufd, so the default IOMMU mode is
# that of the type 1 container. A test may take 600 s instead of 30: an emulated CPU on a busy host
# took 20 s for some, and what the harness stops lives on in a process of its own that keeps the
# device. And uuid.h, which these tests do not need, is stood in for where it
# is not installed: with it a VF token cannot be parsed, which would fail loudly.

set -eu

to=$1
programs="vfio_pci_device_test vfio_pci_device_init_perf_test vfio_pci_driver_test"
archive=$(printf '%s\n' /usr/src/linux-source-*.tar.xz | sort -V | tail -n 1)
[ -e "$archive" ] || {
	echo "selftests.sh: no linux-source package in the lab's root" >&2
	exit 1
}
key=$({ stat -c '%n %s %Y' "$archive"; cat "$0"; } | sha256sum | cut -c1-16)
built=/cache/vfio-selftests-$key
work=$built.partial

# unpack: the kernel's uapi headers and what the tests include.
unpack()
{
	local name

	name=$(basename "$archive" .tar.xz)
	tar -x -J --strip-components=1 -f "$archive" \
		"$name"/{Makefile,Kbuild,scripts,include,arch/x86} \
		"$name"/tools/{include,arch/x86,scripts,build} \
		"$name"/tools/testing/selftests/{kselftest.h,kselftest_harness.h,kselftest,vfio} \
		"$name"/drivers/dma/{idxd,ioat} "$name"/drivers/net/ethernet/intel/igb
}

stand_in_for_uuid()
{
	[ ! -e /usr/include/uuid/uuid.h ] || return 0
	mkdir -p stand-in/uuid
	cat >stand-in/uuid/uuid.h <<-END
	typedef unsigned char uuid_t[16];
	static inline int uuid_parse(const char *in, uuid_t out)
	{
		(void)in;
		(void)out;
		return -1;
	}
	END
}

build()
{
	local tests=tools/testing/selftests lib=tools/testing/selftests/vfio/lib sources program

	make -s headers ARCH=x86
	sed -i 's/^\(const char \*default_iommu_mode = \).*/\1MODE_VFIO_TYPE1V2_IOMMU;/' \
		$lib/iommu.c
	grep -q '^const char \*default_iommu_mode = MODE_VFIO_TYPE1V2_IOMMU;' $lib/iommu.c
	sed -i 's/^#define TEST_TIMEOUT_DEFAULT 30$/#define TEST_TIMEOUT_DEFAULT 600/' \
		$tests/kselftest_harness.h
	grep -q '^#define TEST_TIMEOUT_DEFAULT 600$' $tests/kselftest_harness.h
	stand_in_for_uuid
	mapfile -t sources < <(find $lib -name '*.c')
	mkdir built
	for program in $programs; do
		gcc -O2 -static -s -pthread -D_GNU_SOURCE= -isystem usr/include -I stand-in \
			-I $tests -I $lib/include -I tools/include -o "built/$program" \
			"$tests/vfio/$program.c" "${sources[@]}"
	done
}

if [ ! -e "$built" ]; then
	rm -rf "$work"
	mkdir -p "$work"
	cd "$work"
	unpack
	build
	mv built "$built"
	cd /
	rm -rf "$work"
fi
mkdir -p "$to"
cp "$built"/* "$to"
