package decor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
)

// reach is the box of a group's corners in the world.
func reach(g *Group) (lo, hi r3.Vec) {
	lo = r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
	hi = r3.Scale(-1, lo)
	for p := range g.Corners() {
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	return lo, hi
}

func near(a, b r3.Vec) bool { return r3.Norm(r3.Sub(a, b)) < 1e-5 }

// Beams and rods go from one end to the other, whichever way; a beam stays upright.
func TestBeamsAndRods(t *testing.T) {
	for _, c := range []struct{ a, b, lo, hi r3.Vec }{
		{at(0, 1, 0), at(2, 1, 0), at(0, .9, -.2), at(2, 1.1, .2)},
		{at(0, 1, 3), at(0, 1, -1), at(-.2, .9, -1), at(.2, 1.1, 3)},
		{at(1, 0, 1), at(1, 2, 1), at(.9, 0, .8), at(1.1, 2, 1.2)},
	} {
		var s Set
		g := s.Here()
		g.Beam(c.a, c.b, .4, .2, Oak)
		if lo, hi := reach(g); !near(lo, c.lo) || !near(hi, c.hi) {
			t.Errorf("a beam from %v to %v is in %v to %v", c.a, c.b, lo, hi)
		}
		rod := s.Here()
		rod.Rod(c.a, c.b, .1, Iron)
		lo, hi := reach(rod)
		along := r3.Unit(r3.Sub(c.b, c.a))
		if got, want := math.Abs(r3.Dot(along, r3.Sub(hi, lo))), r3.Norm(r3.Sub(c.b, c.a)); math.Abs(got-want) > 1e-5 {
			t.Errorf("a rod from %v to %v is %g m long, want %g", c.a, c.b, got, want)
		}
	}
}

// A curtain is seen from the left of the way that it is hung along: its triangles and its normals look there, and its folds stay within their depth.
func TestDrapeFacesLeft(t *testing.T) {
	var s Set
	g := s.Here()
	g.Drape([]r3.Vec{at(0, 0, 0), at(0, 0, 5)}, 1, 3, .1, .4, Velvet) // along z the left is +x
	l := g.Parts[0].TriangleList
	corner := func(a []float32, i int) r3.Vec {
		return r3.Vec{X: float64(a[3*i]), Y: float64(a[3*i+1]), Z: float64(a[3*i+2])}
	}
	for i := 0; i < len(l.Positions)/3; i += 3 {
		a, b, c := corner(l.Positions, i), corner(l.Positions, i+1), corner(l.Positions, i+2)
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		if n.X <= 0 || corner(l.Normals, i).X <= 0 || r3.Dot(n, corner(l.Normals, i)) <= 0 {
			t.Fatalf("a triangle at %v looks to %v, its corner to %v", a, n, corner(l.Normals, i))
		}
	}
	if lo, hi := reach(g); !near(lo, at(-.1, 1, 0)) || !near(hi, at(.1, 3, 5)) {
		t.Errorf("it hangs in %v to %v", lo, hi)
	}
}

// What stands at a side of a basin is seen from within the basin's planes, and hidden behind the wall that it stands at.
func TestSides(t *testing.T) {
	domain := r3.Box{Min: at(-3, 0, -2), Max: at(3, 2, 2)}
	eyes := [4]r3.Vec{at(0, 1, -4), at(0, 1, 4), at(-5, 1, 0), at(5, 1, 0)}
	for i, side := range Sides(domain) {
		var s Set
		g := s.Beyond(side)
		for k, eye := range eyes {
			if g.Visible(eye) != (i != k) {
				t.Errorf("side %d seen from beyond side %d: %v", i, k, g.Visible(eye))
			}
		}
	}
	var s Set
	if !s.Here().Visible(at(9, 9, 9)) {
		t.Error("what stands at no side is hidden")
	}
}

// Each stuff looks alike in a window and traced: the mean light of its picture is that of the traced texture over its edge.
func TestTracedStuffs(t *testing.T) {
	for _, s := range []Stuff{Granite, Towels, Iron} {
		p, m := s.made(), s.Traced()
		var drawn, traced float64
		for i := 0; i < len(p.Picture.Pix); i += 4 {
			drawn += raytrace.Display(0, float32(p.Picture.Pix[i+1])/255, 0).Y
		}
		drawn /= float64(len(p.Picture.Pix) / 4)
		const n = 128
		for i := range n * n {
			u, v := (float64(i%n)+.5)/n*p.Edge, (float64(i/n)+.5)/n*p.Edge
			traced += m.Texture(&raytrace.Point{U: u, V: v}).Y / (n * n)
		}
		if math.Abs(traced-drawn) > .02*drawn {
			t.Errorf("%+v: %.4f traced, %.4f drawn", s, traced, drawn)
		}
	}
}

// A reclined back leans away from the foot.
func TestLoungerReclines(t *testing.T) {
	var s Set
	g := s.Here()
	g.Lounger(r3.Vec{}, 0, Towels)
	back := g.Parts[len(g.Parts)-2]
	up := r3.Rotation(back.Rotation).Rotate(at(0, 0, 1))
	if up.Y < .3 || up.Z < .3 || quat.Abs(back.Rotation)-1 > 1e-9 {
		t.Errorf("its back points to %v", up)
	}
}
