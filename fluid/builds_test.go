package fluid_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A compiler may round x*y+z once where the processor can, or twice. Go's rounds it once for GOAMD64=v3 and for arm64, but
// for products that are converted. Fluid and physics convert theirs, and use no function of others that doesn't: the
// bits are the same for all, with AVX2 kernels and with their twins in plain Go.
func TestSameBitsForAnyBuild(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("builds programs for two levels of amd64")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		const steps = 60
		args := []string{".05", strconv.Itoa(steps), of.String()}
		if of == fluid.Tetrahedra { // in cells of the same size they take several times as long
			args[0] = ".1"
		}
		want := bitsOf(t, "GOAMD64=v1", nil, args...)
		if len(want) != 2*steps {
			t.Fatalf("%d hashes of %d steps", len(want), steps)
		}
		t.Run("v3", func(t *testing.T) {
			if at := firstOther(want, bitsOf(t, "GOAMD64=v3", nil, args...)); at >= 0 {
				t.Errorf("GOAMD64=v3 gives other bits than v1 from step %d on", at+1)
			}
		})
		t.Run("arm64", func(t *testing.T) {
			emulator := os.Getenv("ARM64_EMULATOR") // so slow that it has a run of its own
			if emulator == "" {
				t.Skip("ARM64_EMULATOR names no emulator of arm64; see make test-arm64")
			}
			if at := firstOther(want, bitsOf(t, "GOARCH=arm64", []string{emulator}, args...)); at >= 0 {
				t.Errorf("arm64 gives other bits than amd64 from step %d on", at+1)
			}
		})
	})
}

// In a browser, which runs WebAssembly, the bits are the same too. Node.js runs it here.
func TestSameBitsInWebAssembly(t *testing.T) {
	run := wasmRunner(t)
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		steps := testrig.InShort(15, 100)
		args := []string{".1", strconv.Itoa(steps), of.String()}
		want := bitsOf(t, "", nil, args...)
		got := bitsOf(t, "GOOS=js GOARCH=wasm", run, args...)
		if len(want) != 2*steps {
			t.Fatalf("%d hashes of %d steps", len(want), steps)
		}
		if at := firstOther(want, got); at >= 0 {
			t.Errorf("WebAssembly gives other bits than %s from step %d on", runtime.GOARCH, at+1)
		}
	})
}

// wasmRunner is the command that runs a WebAssembly program, with Go's own script for Node.js.
func wasmRunner(t *testing.T) []string {
	t.Helper()
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
	return []string{"node", "--stack-size=8192", script}
}

// Nowhere does the compiler fuse a product and a sum, in what is put in place of calls of other modules' functions
// neither: it tells of each place where it would, again for packages that it has built before.
func TestNothingIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("builds fluid for two kinds of machine")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	for _, machine := range []string{"GOAMD64=v3", "GOARCH=arm64"} {
		t.Run(machine, func(t *testing.T) {
			places := slices.DeleteFunc(fused(t, machine, "./..."), func(place string) bool {
				place = strings.TrimSpace(place)
				return strings.HasPrefix(place, "tracktest/") || strings.HasPrefix(place, "internal/testrig/") // they measure, and no step depends on them
			})
			if len(places) > 0 {
				t.Errorf("convert these products, as in float64(x*y) + z:\n%s", strings.Join(places, "\n"))
			}
		})
		t.Run(machine+" elsewhere", func(t *testing.T) {
			if places := fused(t, machine, "gonum.org/v1/gonum/spatial/r3"); len(places) == 0 {
				t.Error("the compiler tells of no place in a package that doesn't convert its products")
			}
		})
	}
}

// fused lists the places, each with the calls that led to it, where the compiler makes one instruction of a product and a sum.
func fused(t *testing.T, machine, packages string) (places []string) {
	t.Helper()
	build := exec.Command("go", "build", "-gcflags=-d=fmahash=vy", packages)
	build.Env = append(os.Environ(), "GOARCH=amd64", "CGO_ENABLED=0", machine)
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

// bitsOf is what testdata/bits prints, built for a machine, and run by a program of its own if the
// machine is another.
func bitsOf(t *testing.T, machine string, run []string, args ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bits")
	build := exec.Command("go", "build", "-o", program, "./testdata/bits")
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), strings.Fields(machine)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run = append(append(run, program), args...)
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

// firstOther is the first step, from 0, in which two runs differ, -1 if there is none.
func firstOther(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i / 2
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b)) / 2
	}
	return -1
}
