# SPDX-License-Identifier: GPL-2.0-only
# For the makefiles of programs that test user/'s library: how they and the library are compiled,
# whatever CFLAGS they choose, and O, where to. PACKAGES are theirs beside the library's own.
CC ?= cc
PKG_CONFIG ?= pkg-config
USER_DIR := ../../user
PACKAGES += jansson libtracefs libtraceevent
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wformat=2 -Wvla
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -pthread -iquote $(USER_DIR) $(WARN) $(WERROR) $(CFLAGS) \
	$(PACKAGE_CFLAGS)
ALL_LIBS = $(PACKAGE_LIBS) -lm -pthread $(LDLIBS)
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
PACKAGE_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES))
LIB := $(O)/lib/libmsilat.a
Q := $(if $(V),,@)

all:

$(O)/%.o: %.c | $(O)
	@$(if $(V),,echo "  CC      $@")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Its own makefile knows what the library depends on.
$(LIB): FORCE
	$(Q)$(MAKE) --no-print-directory -C $(USER_DIR) lib O=$(abspath $(O))/lib CFLAGS="$(CFLAGS)"

$(O):
	$(Q)mkdir -p $@

clean:
	$(Q)rm -rf $(O)

-include $(wildcard $(O)/*.d)

.PHONY: all clean FORCE
.SECONDARY:
