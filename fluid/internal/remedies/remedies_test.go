package remedies

import (
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// culprits is the causes of a step's failure.
type culprits []Choice

func (c culprits) fails(left Choice) bool {
	for _, bad := range c {
		if !left.Of(bad.Kind).Has(bad.ID) {
			return true
		}
	}
	return false
}

// run takes substeps as a liquid does, and returns the numbers of rollbacks and of failed attempts, and the choices.
func run(l *Ladder, acting []Choice, bad culprits, substeps int) (back, failed int, chosen []Choice) {
	for range substeps {
		l.Begin()
		ok := true
		for l.Kind != Motion && bad.fails(l.Choice) {
			failed++
			if !l.Failed(acting) {
				back, ok = back+1, false
				break
			}
		}
		if ok && l.Passed() {
			chosen = append(chosen, l.Choice)
		}
	}
	return back, failed, chosen
}

func TestLadderFindsWhatIsWrong(t *testing.T) {
	one := func(k Kind, id int64) Choice { return Choice{k, true, id} }
	acting := []Choice{one(Emitters, 3), one(Emitters, 4), one(Sinks, 7), one(Controls, 2), {Kind: Forces}, {Kind: Volume}}
	many := slices.Clone(acting)
	for id := range int64(30) {
		many = append(many, one(Bodies, id))
	}
	for _, c := range []struct {
		acting []Choice
		bad    culprits
		want   Choice
	}{
		{acting, culprits{one(Emitters, 4)}, one(Emitters, 4)},
		{acting, culprits{one(Emitters, 3), one(Emitters, 4)}, Choice{Kind: Emitters}},
		{acting, culprits{one(Sinks, 7)}, one(Sinks, 7)},
		{acting, culprits{{Kind: Forces}}, Choice{Kind: Forces}},
		{acting, culprits{one(Sinks, 7), one(Controls, 2)}, Choice{Kind: Everything}},
		{acting, culprits{{Kind: Motion}}, Choice{Kind: Motion}},
		{many, culprits{one(Bodies, 21)}, Choice{Kind: Bodies}},
		{append([]Choice{one(Bodies, 21)}, many...), culprits{one(Bodies, 21)}, one(Bodies, 21)},
		{nil, culprits{one(Emitters, 4)}, Choice{Kind: Everything}},
	} {
		var l Ladder
		back, failed, chosen := run(&l, c.acting, c.bad, 5000)
		if back != 1 || len(chosen) == 0 || slices.ContainsFunc(chosen, func(x Choice) bool { return x != c.want }) {
			t.Errorf("%v: %d rolled back, chosen %v, want %v", c.bad, back, chosen, c.want)
		}
		if most := 40; failed > most || len(chosen) > 12 { // the times that it is tried again get twice as rare
			t.Errorf("%v: %d attempts of 5000 substeps fail, chosen %d times", c.bad, failed, len(chosen))
		}
		if back, _, _ := run(&l, c.acting, nil, longest+Watch+2); back != 0 || l.Recent() {
			t.Errorf("%v: %v is left out when nothing is wrong any more", c.bad, l.Choice)
		}
	}
}

// A decoded state continues like the encoded one.
func TestLadderIsSaved(t *testing.T) {
	acting, bad := []Choice{{Emitters, true, 5}}, culprits{{Emitters, true, 5}}
	for n := range 60 {
		var a, b Ladder
		run(&a, acting, bad, n)
		var c codec.Codec
		c.Write()
		a.Code(&c)
		c.Read(slices.Clone(c.Bytes()), 11)
		b.Code(&c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		for range 40 {
			run(&a, acting, bad, 1)
			if run(&b, acting, bad, 1); a.Choice != b.Choice || a.left != b.left || a.watch != b.watch || a.period != b.period {
				t.Fatalf("after %d substeps: %v and %v", n, a, b)
			}
		}
	}
}
