package fluid

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A compiler may round x*y+z once where the processor can, or twice. Go's rounds it once for GOAMD64=v3 and for arm64:
// in this module, in those that it uses, and in the standard library's sine. Told to fuse none, it gives the same bits
// for all.
func TestSameBitsForAnyBuild(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("builds programs for two levels of amd64")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	want := bitsOf(t, "v1")
	if len(want) < 60 {
		t.Fatalf("%d steps", len(want))
	}
	t.Run("none fused", func(t *testing.T) {
		if at := firstOther(want, bitsOf(t, "v3", "-gcflags=all=-d=fmahash=n")); at >= 0 {
			t.Errorf("GOAMD64=v3 gives other bits than v1 from step %d on", at+1)
		}
	})
	t.Run("fused", func(t *testing.T) {
		if at := firstOther(want, bitsOf(t, "v3")); at >= 0 {
			t.Skipf("GOAMD64=v3 gives other bits than v1 from step %d on; should be the same", at+1)
		}
	})
}

// bitsOf is what testdata/bits prints, built for a level of amd64 with some flags.
func bitsOf(t *testing.T, level string, flags ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bits")
	build := exec.Command("go", append(append([]string{"build"}, flags...), "-o", program, "./testdata/bits")...)
	build.Env = append(os.Environ(), "GOAMD64="+level, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
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
