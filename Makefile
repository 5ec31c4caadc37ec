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
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

.PHONY: demo
demo: packages ## run the pool: a window where there is a screen, else pictures and a report in out/pool
ifeq ($(HEADLESS),)
	$(GO) run ./demo/pool
else
	@echo "no DISPLAY: drawing without a screen into $(OUT)"
	mkdir -p $(OUT)
	.ci/with-display $(GO) run ./demo/pool -headless -frames 600 -size 1280x720 -out $(OUT) -report $(OUT)/report.json -budget 8ms
endif

.PHONY: test
test: packages emulator vet test-pure test-drawn ## vet, then every test once

.PHONY: vet
vet: packages
	$(GO) vet ./...

# fluid and physics build and pass without a C compiler. Vet has seen everything by now, so go test need not.
.PHONY: test-pure
test-pure: ## the tests of fluid and physics, with cgo off (no C compiler, no screen)
	@list=$$(.ci/packages pure); set -x; CGO_ENABLED=0 $(GO) test -vet=off -p $(P) $$list

.PHONY: test-drawn
test-drawn: packages ## the tests of scene, demo and assets, on a virtual screen where there is no other
	@list=$$(.ci/packages drawn); [ -n "$$list" ] || { echo "no scene, demo or assets package yet"; exit 0; }; \
	set -x; .ci/with-display $(GO) test -vet=off -p $(P) $$list

.PHONY: race
race: packages ## the tests of fluid and physics under the race detector
	@list=$$(.ci/packages pure); set -x; CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 30m -p $(P) $$list

# One package at a time, so that no benchmark shares the cores with another.
.PHONY: bench
bench: ## the benchmarks of fluid and physics (BENCH=regexp)
	@list=$$(.ci/packages pure); set -x; $(GO) test -vet=off -p 1 -run '^$$' -bench '$(BENCH)' -benchmem $$list

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
emulator: # of arm64; the tests that want it skip without
	@.ci/system-packages emulate || echo "no emulator of arm64: its bits are not compared"
