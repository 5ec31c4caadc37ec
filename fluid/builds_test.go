package fluid

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// unfused tells the compiler to round products before they are added to.
const unfused = "-gcflags=all=-d=fmahash=n"

// A compiler may round x*y+z once where the processor can, or twice. Go's rounds it once for GOAMD64=v3 and for arm64:
// in this module, in those that it uses, and in the standard library's sine. Told to fuse none, it gives the same bits
// for all, with AVX2 kernels and with their twins in plain Go.
func TestSameBitsForAnyBuild(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("builds programs for two levels of amd64")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	want := bitsOf(t, "GOAMD64=v1", nil)
	if len(want) < 60 {
		t.Fatalf("%d steps", len(want))
	}
	t.Run("none fused", func(t *testing.T) {
		if at := firstOther(want, bitsOf(t, "GOAMD64=v3", nil, unfused)); at >= 0 {
			t.Errorf("GOAMD64=v3 gives other bits than v1 from step %d on", at+1)
		}
	})
	t.Run("fused", func(t *testing.T) {
		if at := firstOther(want, bitsOf(t, "GOAMD64=v3", nil)); at >= 0 {
			t.Skipf("GOAMD64=v3 gives other bits than v1 from step %d on; should be the same", at+1)
		}
	})
	t.Run("arm64", func(t *testing.T) {
		const emulator = "qemu-aarch64"
		if _, err := exec.LookPath(emulator); err != nil {
			t.Skip(err, "(Debian's package qemu-user)")
		}
		if at := firstOther(want, bitsOf(t, "GOARCH=arm64", []string{emulator}, unfused)); at >= 0 {
			t.Errorf("arm64 gives other bits than amd64 from step %d on", at+1)
		}
	})
}

// bitsOf is what testdata/bits prints, built for a machine with some flags, and run by a program of its own if the
// machine is another.
func bitsOf(t *testing.T, machine string, run []string, flags ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bits")
	build := exec.Command("go", append(append([]string{"build"}, flags...), "-o", program, "./testdata/bits")...)
	build.Env = append(os.Environ(), machine, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run = append(run, program)
	out, err := exec.Command(run[0], run[1:]...).CombinedOutput()
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
