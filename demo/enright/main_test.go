package main

import (
	"strings"
	"testing"
)

// A short run of all trackers with coarse cells ends well, and draws without a screen.
func TestRun(t *testing.T) {
	t.Setenv("DISPLAY", "")
	if code := test.Main(strings.Fields("-cells 2 -vertices 100 -sizes small -size 64x64 -out " + t.TempDir())); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
