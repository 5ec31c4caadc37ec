package scene

import (
	"testing"
	"time"
)

// paced draws pictures on a graphics card that takes some time for each quality, and returns the quality of each. Times are known after delay pictures.
func paced(most DrawQuality, budget time.Duration, pictures int, takes func(i int, q DrawQuality) time.Duration) []DrawQuality {
	p := newPace(most)
	q := most
	var drawn []DrawQuality
	for i := range pictures {
		if i >= delay {
			q = p.picture(takes(i-delay, drawn[i-delay]), budget, most)
		}
		drawn = append(drawn, q)
	}
	return drawn
}

// changes is how often the quality changes.
func changes(drawn []DrawQuality) (n int) {
	for i := 1; i < len(drawn); i++ {
		if drawn[i] != drawn[i-1] {
			n++
		}
	}
	return n
}

// steady is a graphics card that takes some ms for DrawLow, DrawMedium and DrawHigh, times a load.
func steady(low, medium, high float64, load func(i int) float64) func(i int, q DrawQuality) time.Duration {
	takes := map[DrawQuality]float64{DrawLow: low, DrawMedium: medium, DrawHigh: high}
	return func(i int, q DrawQuality) time.Duration {
		return time.Duration(takes[q] * load(i) * (1 + .1*scatter(i, 1, 2)) * float64(time.Millisecond))
	}
}

// The quality is the best one that fits, and stays.
func TestPaceFindsTheQuality(t *testing.T) {
	even := func(int) float64 { return 1 }
	for name, c := range map[string]struct {
		low, medium, high float64
		most, want        DrawQuality
		changes           int
	}{
		"fast card":               {.5, 1, 2, DrawHigh, DrawHigh, 0},
		"middle card":             {1, 2, 5, DrawHigh, DrawMedium, 1},
		"slow card":               {3, 6, 9, DrawHigh, DrawLow, 2},
		"far too slow card":       {9, 20, 40, DrawHigh, DrawLow, 2},
		"no better than asked":    {.5, 1, 2, DrawMedium, DrawMedium, 0},
		"at the budget's edge":    {2, 3.7, 4.1, DrawHigh, DrawMedium, 1},
		"none cheaper than asked": {9, 20, 40, DrawLow, DrawLow, 0},
	} {
		drawn := paced(c.most, 4*time.Millisecond, 3600, steady(c.low, c.medium, c.high, even))
		if got := drawn[len(drawn)-1]; got != c.want || changes(drawn) != c.changes {
			t.Errorf("%s: quality %d after %d changes, want %d after %d", name, got, changes(drawn), c.want, c.changes)
		}
	}
}

// A load that ends lets the quality rise again; one that comes and goes does so ever more seldom.
func TestPaceAfterALoad(t *testing.T) {
	once := func(i int) float64 {
		if i < 600 {
			return 3
		}
		return 1
	}
	drawn := paced(DrawHigh, 4*time.Millisecond, 3600, steady(1, 2, 3, once))
	if drawn[599] != DrawLow || drawn[len(drawn)-1] != DrawHigh || changes(drawn) != 4 {
		t.Errorf("quality %d under load, %d at last, %d changes", drawn[599], drawn[len(drawn)-1], changes(drawn))
	}
	pulse := func(i int) float64 {
		if i/180%2 == 0 {
			return 2
		}
		return 1
	}
	drawn = paced(DrawHigh, 4*time.Millisecond, 2*7200, steady(1, 1.5, 3, pulse))
	first, second := changes(drawn[:7200]), changes(drawn[7200:])
	t.Logf("a load of 3 s every 6 s: %d changes in the first two minutes, %d in the next", first, second)
	if first > 12 || second > 6 {
		t.Errorf("a load of 3 s every 6 s: %d changes in the first two minutes, %d in the next", first, second)
	}
}

// Without a budget, or timers, the quality is the game's; SetQuality counts at once.
func TestQualityWithoutBudget(t *testing.T) {
	l := NewLiquid(&fakeLiquid{}, LiquidOptions{Quality: DrawHigh})
	defer l.Dispose()
	l.stage.keepPace()
	if l.Quality() != DrawHigh {
		t.Errorf("quality %d", l.Quality())
	}
	l.SetQuality(DrawLow)
	if l.Quality() != DrawLow {
		t.Errorf("quality %d after SetQuality", l.Quality())
	}
	b := NewLiquid(&fakeLiquid{}, LiquidOptions{Quality: DrawHigh, DrawBudget: time.Millisecond})
	defer b.Dispose()
	c := &b.stage.clock
	c.times = []time.Duration{3 * time.Millisecond, time.Millisecond}
	for range paceMean {
		b.stage.keepPace() // no new times
	}
	if b.Quality() != DrawHigh {
		t.Error("times that are not new count")
	}
	for range paceMean {
		c.fresh = true
		b.stage.keepPace()
	}
	if b.Quality() != DrawMedium {
		t.Errorf("quality %d at 4 ms of 1", b.Quality())
	}
	if b.SetQuality(DrawHigh); b.Quality() != DrawHigh {
		t.Errorf("quality %d after SetQuality", b.Quality())
	}
}
