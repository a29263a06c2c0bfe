# SPDX-License-Identifier: GPL-2.0-only
# For the makefiles of helper programs that run in a guest: static ones, built in O inside the lab's
# root. INCLUDES: where their headers are beside the uapi of the module.
CFLAGS ?= -O2
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -pthread -static -s -Wall -Wextra -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Werror -I ../../kmod/uapi \
	$(INCLUDES:%=-I %) $(CFLAGS)
Q := $(if $(V),,@)

all:

$(O)/%.o: %.c | $(O)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O):
	$(Q)mkdir -p $@

clean:
	$(Q)rm -rf $(O)

-include $(wildcard $(O)/*.d)

.PHONY: all clean
.SECONDARY:
