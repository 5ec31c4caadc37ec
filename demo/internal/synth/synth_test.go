package synth

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/sounds"
)

const frame = 1. / 60

// play has a synth play sources for a frame, and then nothing, for so many frames.
func play(s *Synth, frames int, sources ...sounds.Source) (all []int16) {
	for range frames {
		all = append(all, s.Step(sources, frame)...)
		sources = nil
	}
	return all
}

func energyOf(samples []int16) (sum float64) {
	for _, v := range samples {
		sum += float64(v) * float64(v) / (math.MaxInt16 * math.MaxInt16)
	}
	return sum / Rate
}

func splash(power float64) sounds.Source {
	return sounds.Source{Kind: sounds.Splash, Key: 1, Size: .1, Energy: power * frame, Power: power, Speed: 2}
}

// A bubble's spectrum peaks where Minnaert says, whether it comes alone, from a drop or from a pocket that surfaces.
func TestBubbleRingsAtMinnaertsFrequency(t *testing.T) {
	for _, src := range []sounds.Source{
		{Kind: sounds.PocketSurfaced, Size: 3e-3, Energy: 1}, {Kind: sounds.Drop, Size: 6e-3, Energy: 1}, {Kind: sounds.PocketFormed, Size: .02, Energy: 1},
	} {
		got := play(New(), 30, src)
		left := make([]float64, len(got)/2)
		for i := range left {
			left[i] = float64(got[2*i])
		}
		peak, at := 0., 0
		for i, c := range fourier.NewFFT(len(left)).Coefficients(nil, left) {
			if v := cmplx.Abs(c); v > peak {
				peak, at = v, i
			}
		}
		f := float64(at) * Rate / float64(len(left))
		t.Logf("%v of %g m: %.1f Hz, Minnaert %.1f Hz", src.Kind, src.Size, f, src.Frequency())
		if want := src.Frequency(); math.Abs(f-want) > .03*want {
			t.Errorf("%v of %g m: %.1f Hz, want %.1f", src.Kind, src.Size, f, want)
		}
	}
}

// Twice the energy sounds with twice the energy, of noise and of bubbles.
func TestEnergyIsLinear(t *testing.T) {
	for name, of := range map[string]func(x float64) sounds.Source{
		"splash": splash,
		"drop":   func(x float64) sounds.Source { return sounds.Source{Kind: sounds.Drop, Size: 2e-3, Energy: 1e-2 * x} },
		"bubbles": func(x float64) sounds.Source {
			return sounds.Source{Kind: sounds.Bubbles, Key: 1, Size: 1e-3, Energy: 1e-2 * x, Rate: 1e4}
		},
	} {
		one, two := energyOf(play(New(), 30, of(10))), energyOf(play(New(), 30, of(20)))
		if one == 0 || math.Abs(two/one-2) > .02 {
			t.Errorf("%s: energies %g and %g", name, one, two)
		}
	}
}

// What goes on has the power that gain says.
func TestPowerOfAFlow(t *testing.T) {
	s := New()
	src := sounds.Source{Kind: sounds.Tap, Size: .05, Power: 100}
	got := 0.
	for n := range 120 {
		if e := energyOf(s.Step([]sounds.Source{src}, frame)); n >= 60 {
			got += e
		}
	}
	if want := gain * gain * 100.; math.Abs(got-want) > .1*want { // over a second
		t.Errorf("power %g, want %g", got, want)
	}
}

func TestSilence(t *testing.T) {
	s := New()
	loud := func(v int16) bool { return v != 0 }
	if slices.ContainsFunc(play(s, 60), loud) {
		t.Error("nothing sounds")
	}
	all := play(s, 240, splash(100), sounds.Source{Kind: sounds.Drop, Size: .01, Energy: 1})
	if !slices.ContainsFunc(all[:1000], loud) || slices.ContainsFunc(all[len(all)-Rate:], loud) || len(s.noises)+len(s.rings) > 0 {
		t.Errorf("a splash does not die away; %d and %d voices", len(s.noises), len(s.rings))
	}
}

// However much sounds, nothing clips: no wave is flat at its top.
func TestNothingClips(t *testing.T) {
	s := New()
	for _, power := range []float64{1e3, 1e6, 1e9} {
		loudest := 0.
		for c := range Channels {
			all, run := play(s, 20, splash(power), sounds.Source{Kind: sounds.Drop, Size: .01, Energy: power}), 0
			for i := c; i < len(all); i += Channels {
				v := math.Abs(float64(all[i]))
				if loudest = max(loudest, v); v > ceiling*math.MaxInt16+1 {
					t.Fatalf("power %g: sample %d is %d", power, i, all[i])
				}
				if run++; v < .5*math.MaxInt16 || all[i] != all[max(c, i-Channels)] {
					run = 0
				}
				if run >= 3 {
					t.Errorf("power %g: samples at %d are flat", power, i)
				}
			}
		}
		if loudest < .5*math.MaxInt16 {
			t.Errorf("power %g: the loudest sample is %g", power, loudest)
		}
	}
}

func TestSameBitsEachTime(t *testing.T) {
	run := func() []int16 {
		return play(New(), 60, splash(50), sounds.Source{Kind: sounds.Bubbles, Key: 1, Size: 1e-3, Energy: 1, Rate: 1e5}, sounds.Source{Kind: sounds.Rain, Key: 1, Size: 1e-3, Power: 2})
	}
	if !slices.Equal(run(), run()) {
		t.Error("two runs differ")
	}
}

// What is on the left is louder there, what is far is fainter.
func TestPlace(t *testing.T) {
	sides := func(x r3.Vec) (left, right float64) {
		s := New()
		s.Listen(r3.Vec{Z: 2}, r3.Vec{})
		src := splash(100)
		src.Position = x
		all := play(s, 30, src)
		for i, v := range all {
			if e := float64(v) * float64(v); i%2 == 0 {
				left += e
			} else {
				right += e
			}
		}
		return left, right
	}
	l, r := sides(r3.Vec{X: -2})
	if l < 5*r {
		t.Errorf("on the left: %g and %g", l, r)
	}
	l, r = sides(r3.Vec{})
	if math.Abs(l/r-1) > .01 {
		t.Errorf("in front: %g and %g", l, r)
	}
	if far, _ := sides(r3.Vec{Z: -2}); math.Abs(l/far-4) > .1 {
		t.Errorf("twice as far: %g and %g", l, far)
	}
}

// A step of any length gives the samples of its time.
func TestSamplesOfASecond(t *testing.T) {
	for _, rate := range []int{30, 59, 60, 144, 240} {
		s, n := New(), 0
		for range rate {
			n += len(s.Step(nil, 1/float64(rate)))
		}
		if n != Channels*Rate {
			t.Errorf("%d steps a second have %d samples", rate, n)
		}
	}
}

func TestWAV(t *testing.T) {
	var b bytes.Buffer
	if err := WriteWAV(&b, []int16{1, -2, 3, -4}); err != nil {
		t.Fatal(err)
	}
	got := b.Bytes()
	var tail [4]int16
	if err := binary.Read(bytes.NewReader(got[44:]), binary.LittleEndian, &tail); err != nil {
		t.Fatal(err)
	}
	if len(got) != 52 || string(got[:4]) != "RIFF" || string(got[8:16]) != "WAVEfmt " || binary.LittleEndian.Uint32(got[24:]) != Rate || tail != [4]int16{1, -2, 3, -4} {
		t.Errorf("% x", got)
	}
}
