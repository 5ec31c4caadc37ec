package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/synth"
)

func TestMain(m *testing.M)                { playtest.MainOf(m, &demo, .1, run) }
func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

// recorded is what a run writes: left and right in turns.
func recorded(t *testing.T, args string) []int16 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.wav")
	if out, code := playtest.Run(t, "-headless -cell .1 -wav "+file+" "+args); code != 0 || !strings.Contains(out, file) {
		t.Fatalf("exit code %d and %q", code, out)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const head = 44
	if len(b) < head || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" || binary.LittleEndian.Uint32(b[24:]) != synth.Rate {
		t.Fatalf("no WAV: % x", b[:min(len(b), head)])
	}
	samples := make([]int16, (len(b)-head)/2)
	if err := binary.Read(bytes.NewReader(b[head:]), binary.LittleEndian, samples); err != nil {
		t.Fatal(err)
	}
	return samples
}

// loudness is the root mean square of one side's samples between two times, s, of full scale.
func loudness(samples []int16, side int, from, to float64) float64 {
	sum, n := 0., 0
	for i := int(from * synth.Rate); i < int(to*synth.Rate); i++ {
		v := float64(samples[synth.Channels*i+side]) / math.MaxInt16
		sum, n = sum+v*v, n+1
	}
	return math.Sqrt(sum / float64(n))
}

// The dam falls in silence, and is heard from the right, where it hits the wall. The same run gives the same file.
func TestDamIsHeardWhereItHitsTheWall(t *testing.T) {
	all := recorded(t, "-frames 90")
	if len(all) != synth.Channels*synth.Rate*3/2 {
		t.Fatalf("%d samples", len(all))
	}
	const left, right = 0, 1
	before, hits := loudness(all, right, 0, .4), loudness(all, right, .55, 1.1)
	t.Logf("before %.5f, as it hits %.4f right, %.4f left", before, hits, loudness(all, left, .55, 1.1))
	if before > .002 || hits < .02 || hits < 20*before {
		t.Errorf("before it hits the wall the loudness is %g, then %g", before, hits)
	}
	if l := loudness(all, left, .55, .8); l >= loudness(all, right, .55, .8) {
		t.Error("the wall is on the right, and sounds from the left")
	}
	for i, v := range recorded(t, "-frames 90") {
		if v != all[i] {
			t.Fatalf("sample %d differs in another run", i)
		}
	}
}

// -wav without -headless is refused, and so is a file that can't be written.
func TestWhatCannotBeRecorded(t *testing.T) {
	for args, want := range map[string]int{"-wav x.wav": option.BadUsage, "-headless -frames 1 -wav " + filepath.Join(t.TempDir(), "none", "x.wav"): play.Failed} {
		if out, code := playtest.Run(t, args); code != want || !strings.Contains(out, "sound:") {
			t.Errorf("%q: exit code %d and %q", args, code, out)
		}
	}
}

// The tap and the ball are heard, at their places; both are of the program.
func TestTankIsPlayedThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	all := recorded(t, "-frames 420")
	tap, ball := loudness(all, 1, 3.5, 4.8), loudness(all, 0, falls+.2, falls+.5)
	calm := loudness(all, 0, falls-.3, falls)
	t.Logf("tap %.4f, calm %.4f, ball %.4f", tap, calm, ball)
	if tap < 2*calm || ball < 2*calm {
		t.Errorf("the tap has %g, the ball %g, and what is between them %g", tap, ball, calm)
	}
}
