# Every target installs what it lacks first: on Debian, Go, git and make are enough to start from.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := help

GO       ?= go
P        ?= 2
BENCH    ?= .
FUZZTIME ?= 20s
OUT      ?= out/pool

# The newest release known to build through the module proxy with the Go version of go.mod.
GOLANGCI_LINT ?= github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# g3n's GLFW is built for X11, so a screen means DISPLAY. Wayland desktops set it too, for Xwayland;
# WAYLAND_DISPLAY alone would end in a panic at the first window.
HEADLESS := $(if $(DISPLAY),,run)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

# go's -v names the packages that it compiles, so that one sees how far it is.
SLOWLY = echo "building; the first time this compiles g3n's C code, which takes some minutes (packages are named as they are begun)"

.PHONY: demo
demo: packages ## run the pool: a window where there is a screen, else pictures and a report in out/pool
ifeq ($(HEADLESS),)
	@$(SLOWLY)
	$(GO) run -v ./demo/pool
else
	@echo "no DISPLAY: drawing without a screen into $(OUT)"
	mkdir -p $(OUT)
	@$(SLOWLY)
	.ci/with-display $(GO) run -v ./demo/pool -headless -frames 600 -size 1280x720 -out $(OUT) -report $(OUT)/report.json -budget 8ms
endif

# Go's own limit, ten minutes for a package, is too little for a busy machine.
TIMEOUT ?= 60m

# -short leaves out what test-long runs.
SHORT ?= -short

.PHONY: test
test: wasm-runner ## vet, then the tests but for the longest ones: some minutes
	+@MAKE='$(MAKE)' .ci/groups build vet test-kernels test-pure test-drawn test-raylib

# What make test does not shorten is left to it. go test reads GOFLAGS, which make hands on as they are.
.PHONY: test-long
test-long: wasm-runner ## at full length the tests that make test shortens, and arm64's bits in an emulator: more than half an hour
	+@tests=$$($(GO) run .ci/shortened.go tests); AMONG=$$($(GO) run .ci/shortened.go packages); export AMONG; \
	GOFLAGS="$$($(GO) env GOFLAGS) -run=$$tests" SHORT= MAKE='$(MAKE)' .ci/groups test-pure test-drawn test-arm64

.PHONY: build
build: packages
	@$(SLOWLY)
	$(GO) build -v ./...

.PHONY: vet
vet: packages
	$(GO) vet ./...

# fluid and physics build and pass without a C compiler. Vet has seen everything by now, so go test need not.
.PHONY: test-pure
test-pure: ## the tests of fluid and physics, with cgo off (no C compiler, no screen)
	@list=$$(.ci/packages pure); set -x; CGO_ENABLED=0 $(GO) test -vet=off $(SHORT) -timeout $(TIMEOUT) -p $(P) $$list

.PHONY: test-drawn
test-drawn: packages ## the tests of scene, demo and assets, on a virtual screen where there is no other
	@list=$$(.ci/packages drawn); [ -n "$$list" ] || { echo "no scene, demo or assets package yet"; exit 0; }; \
	set -x; .ci/with-display $(GO) test -vet=off $(SHORT) -timeout $(TIMEOUT) -p $(P) $$list

# Their generator is a module of its own, so that no one else needs what it is made with.
KERNELS = $(GO) generate ./fluid/... ./physics/...

.PHONY: kernels
kernels: ## write the kernels in assembly anew
	$(KERNELS)

.PHONY: test-kernels
test-kernels: ## vet the kernels' generator, and compare what it writes with what is here
	cd fluid/internal/gen; $(GO) vet ./...
	@sum() { find fluid physics -name '*_amd64.s' -o -name '*_layout_amd64_test.go' | sort | xargs sha256sum; }; \
	here=$$(sum); set -x; $(KERNELS); { set +x; } 2>/dev/null; \
	diff <(echo "$$here") <(sum) || { echo "these were not what the generator writes; they are now"; exit 1; }

# A module of its own, so that no one else needs raylib.
.PHONY: test-raylib
test-raylib: packages ## the test of demo/raylib, the example of another engine
	@set -x; cd demo/raylib; $(GO) vet -tags x11 .; ../../.ci/with-display $(GO) test -vet=off -tags x11 -timeout $(TIMEOUT) .

# An emulated step takes some ten times as long as one, and far longer on a busy machine.
.PHONY: test-arm64
test-arm64: emulator ## compare the bits of an emulated arm64 with this machine's
	@set -x; ARM64_EMULATOR=$$(command -v qemu-aarch64 || true) CGO_ENABLED=0 \
	$(GO) test -vet=off -v -timeout 3h -p 1 -run '^TestSameBitsForAnyBuild$$' ./fluid ./physics

.PHONY: race
race: packages ## the tests of fluid and physics under the race detector
	@list=$$(.ci/packages pure); set -x; CGO_ENABLED=1 $(GO) test -race -vet=off $(SHORT) -timeout 2h -p $(P) $$list

.PHONY: check
check: ## the tests of fluid with deep invariants of mesh, matrix and volumes checked in every step
	@list=$$(.ci/packages pure | grep '/fluid'); set -x; CGO_ENABLED=0 $(GO) test -tags check -vet=off $(SHORT) -timeout $(TIMEOUT) -p $(P) $$list

# One package at a time, so that no benchmark shares the cores with another.
.PHONY: bench
bench: ## the benchmarks of fluid and physics (BENCH=regexp)
	@list=$$(.ci/packages pure); set -x; $(GO) test -vet=off -p 1 -run '^$$' -timeout 3h -bench '$(BENCH)' -benchmem $$list

.PHONY: fuzz
fuzz: packages ## every fuzz target for FUZZTIME each (default 20s)
	@FUZZTIME=$(FUZZTIME) .ci/with-display .ci/fuzz

.PHONY: lint
lint: packages ## gofmt and golangci-lint
	@list=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $(wildcard assets demo fluid physics scene)); \
	[ -z "$$list" ] || { printf 'not formatted with gofmt:\n%s\n' "$$list"; exit 1; }
	@if golangci-lint version 2>/dev/null | grep -q 'version v\?2\.'; then set -x; golangci-lint run; \
	else set -x; $(GO) run $(GOLANGCI_LINT) run; fi

.PHONY: packages
packages: # the system packages: headers for g3n and, without a screen, a virtual one
	@.ci/system-packages build $(HEADLESS)

.PHONY: emulator
emulator: # of arm64; the test that wants it skips without
	@.ci/system-packages emulate || echo "no emulator of arm64: its bits are not compared"

.PHONY: wasm-runner
wasm-runner: # Node.js; the tests that want it skip without
	@.ci/system-packages wasm || echo "no node: WebAssembly's bits are not compared"
