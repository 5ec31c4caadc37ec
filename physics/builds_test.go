package physics

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// builds are those that may round x*y+z once: Go's compiler does for what they may run on.
var builds = []string{"GOAMD64=v3", "GOARCH=arm64"}

// In no build is a product rounded only with the sum that it is in: see package reproducible. The compiler says where it would.
func TestNothingIsFused(t *testing.T) {
	needsGo(t)
	for _, machine := range builds {
		t.Run(machine, func(t *testing.T) {
			if got := fused(t, machine, "./testdata/fused"); len(got) != 1 || !strings.Contains(got[0], "fused.go:4:") {
				t.Fatalf("the compiler says that it fuses %q, want one place in fused.go, line 4", got)
			}
			if got := fused(t, machine, "."); len(got) > 0 {
				t.Errorf("%s rounds %d products only with a sum; convert them, as in float64(x*y) + z:\n%s", machine, len(got), strings.Join(got, "\n"))
			}
		})
	}
}

// fused lists where a build of a package rounds a product with a sum: file:line:column of the call that was inlined
// and so on down to the sum. The go command repeats what the compiler said when it takes a build from its cache.
func fused(t *testing.T, machine, dir string) (places []string) {
	t.Helper()
	build := exec.Command("go", "build", "-gcflags=-d=fmahash=vy", "-o", os.DevNull, dir)
	build.Env = append(os.Environ(), machine, "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if place, _, ok := strings.Cut(line, " [bisect-match"); ok {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// The same calls give the same bits in any build, with AVX2 kernels and with their twins in plain Go.
func TestSameBitsForAnyBuild(t *testing.T) {
	needsGo(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("compares with amd64")
	}
	want := bitsOf(t, "GOAMD64=v1")
	if len(want) < 240 {
		t.Fatalf("%d steps", len(want))
	}
	for _, machine := range builds {
		t.Run(machine, func(t *testing.T) {
			run := []string{}
			if machine == "GOARCH=arm64" {
				run = append(run, os.Getenv("ARM64_EMULATOR")) // so slow that it has a run of its own
				if run[0] == "" {
					t.Skip("ARM64_EMULATOR names no emulator of arm64; see make test-arm64")
				}
			}
			got := bitsOf(t, machine, run...)
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("%s gives other bits than GOAMD64=v1 from step %d on", machine, i+1)
				}
			}
		})
	}
}

// In a browser, which runs WebAssembly, the bits are the same too. Node.js runs it here.
func TestSameBitsInWebAssembly(t *testing.T) {
	for _, name := range []string{"node", "go"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err, "(Debian's package nodejs, or Go's own distribution)")
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	if _, err := os.Stat(script); err != nil {
		t.Skip(err, "(a part of Go's own distribution)")
	}
	want, got := bitsOf(t, ""), bitsOf(t, "GOOS=js GOARCH=wasm", "node", "--stack-size=8192", script)
	if len(want) != 240 || len(got) != 240 {
		t.Fatalf("%d and %d hashes of 240 steps", len(want), len(got))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("WebAssembly gives other bits than %s from step %d on", runtime.GOARCH, i+1)
		}
	}
}

// bitsOf is what testdata/bits prints, built for a machine, and run by a program of its own if the machine is another.
func bitsOf(t *testing.T, machine string, run ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bits")
	build := exec.Command("go", "build", "-o", program, "./testdata/bits")
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), strings.Fields(machine)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run = append(run, program)
	command := exec.Command(run[0], run[1:]...)
	command.Env = []string{"PATH=" + os.Getenv("PATH")} // Go's script for Node.js takes no more than 8 kB of them
	out, err := command.CombinedOutput()
	if err != nil && strings.Contains(string(out), "microarchitecture") {
		t.Skipf("%s", out)
	} else if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

func needsGo(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
}
