# A thin front to CMake. `make run` and `make test` work on a fresh Debian machine: what is missing is installed
# by tools/deps.sh (as root or through sudo; otherwise it prints the one line to run).
.PHONY: all programs tests configure run test lint bench sanitize tsan fuzz torture portable coverage web site play web-test install uninstall proof proofs paper windows deb dist dist-test release \
	everywhere docs clean deps

JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30

# The programs and the library; what tests them is built by `make test`.
all: programs
	@tools/where.sh build $(PREFIX)

configure: deps
	@cmake --preset release >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log

programs: configure
	@cmake --build build --parallel $(JOBS) --target programs

tests: configure
	@cmake --build build --parallel $(JOBS)

deps:
	@tools/deps.sh build

# The boards first, by a program that has only what they need; then the rest is built.
run: configure
	@cmake --build build --parallel $(JOBS) --target sortie-first
	@build/first/sortie --version
	@tools/demo.sh build/first
	@$(MAKE) --no-print-directory all

test: tests
	@cd build && ctest --output-on-failure --parallel $(JOBS)

lint:
	@tools/deps.sh build lint
	@tools/lint.sh

bench: programs
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
torture: tests
	@tools/torture.sh build

# clang, musl and plain POSIX, with their quick tests.
portable:
	@tools/deps.sh build portable
	@tools/portable.sh

coverage:
	@tools/deps.sh build lint
	@tools/coverage.sh

web:
	@tools/deps.sh web
	@tools/web.sh

# The page as a folder for a host of files, in build/site.
site:
	@tools/deps.sh web site
	@tools/site.sh

play: programs web
	@build/sortie serve --open

web-test: tests site
	@tools/deps.sh browser
	@tools/web_test.sh

# The proof that the first player wins Gomoku: made out of its core, checked, and then also installed. `make proofs`
# has all that are there checked, by two checkers, which takes some hours; both print a table of what was accepted.
proof: programs
	@tools/deps.sh proof
	@tools/proof.sh build

proofs: programs
	@tools/deps.sh proof
	@tools/proof.sh build --all

# The paper of the proofs, its tables made from the files, in build/paper.
paper:
	@tools/deps.sh paper
	@tools/paper.sh

# Installs into $(DESTDIR)$(PREFIX): programs, man pages, completions, the library with its header.
install: programs
	@DESTDIR=$(DESTDIR) tools/install.sh build $(PREFIX)

uninstall:
	@DESTDIR=$(DESTDIR) tools/uninstall.sh build/install_manifest.txt

# The reference of the C library, in build/docs/reference.
docs:
	@tools/deps.sh docs
	@tools/reference.sh

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

# Everything that is put on a release page, tried, in build/release: TWICE=1 builds it in two folders and compares, PARTS
# makes only some of it (tools/release.sh names them).
release:
	@tools/release.sh $(if $(TWICE),--twice) $(PARTS)

# Older processors, arm64 and Windows under qemu and wine, and the packages.
everywhere: tests windows deb
	@tools/deps.sh everywhere
	@tools/everywhere_test.sh
	@tools/deb_test.sh

clean:
	rm -rf build
