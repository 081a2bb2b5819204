# A thin front to CMake. `make run` and `make test` work on a fresh Debian machine: what is missing is installed
# by tools/deps.sh (as root or through sudo; otherwise it prints the one line to run).
.PHONY: all run test lint bench sanitize tsan fuzz torture coverage web play web-test install uninstall proof windows deb dist dist-test \
	everywhere clean deps

JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30

all: deps
	@cmake --preset release >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log
	@cmake --build build --parallel $(JOBS)

deps:
	@tools/deps.sh build

run: all
	@build/sortie --version
	@tools/demo.sh build

test: all
	@cd build && ctest --output-on-failure --parallel $(JOBS)

lint:
	@tools/deps.sh build lint
	@tools/lint.sh

bench: all
	@build/sortie bench
	@bench/ratios.sh build

sanitize:
	@tools/deps.sh build lint
	@tools/sanitize.sh asan-ubsan

tsan:
	@tools/deps.sh build lint
	@tools/sanitize.sh tsan

fuzz:
	@tools/deps.sh build lint
	@tools/fuzz.sh $(FUZZ_SECONDS)

# Every call of short runs fails once, and every one is the last once; a sample of it is in the suite.
torture: all
	@tools/torture.sh build

coverage:
	@tools/deps.sh build lint
	@tools/coverage.sh

web:
	@tools/deps.sh web
	@tools/web.sh

play: all web
	@build/sortie serve --open

web-test: all web
	@tools/deps.sh browser
	@tools/web_test.sh

# The proof that the first player wins Gomoku: unpacked, checked, and then also installed.
proof: all
	@tools/deps.sh proof
	@tools/proof.sh build

# Installs into $(DESTDIR)$(PREFIX): programs, man pages, completions, the library with its header.
install: all
	@DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)

uninstall:
	@DESTDIR=$(DESTDIR) tools/uninstall.sh build/install_manifest.txt

# The Windows programs, and the zip Gomocup takes, in build/windows.
windows:
	@tools/deps.sh build windows
	@tools/windows.sh

# Debian packages in build/deb.
deb:
	@tools/deps.sh build web deb
	@tools/deb.sh

# The source archive; make dist-test unpacks, builds and tests it.
dist:
	@tools/dist.sh

dist-test:
	@tools/deps.sh build
	@tools/dist.sh --test

# Older processors, arm64 and Windows under qemu and wine, and the packages.
everywhere: all windows deb
	@tools/deps.sh everywhere
	@tools/everywhere_test.sh
	@tools/deb_test.sh

clean:
	rm -rf build
