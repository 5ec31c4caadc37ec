package shapes

import (
	"math"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

var theFigure = sync.OnceValue(NewFigure)

// times are those of the choreography at a distance of step seconds.
func times(step float64) (all []float64) {
	for i := range int(End/step) + 1 {
		all = append(all, float64(i)*step)
	}
	return all
}

func TestFigureIsClosed(t *testing.T) {
	m := theFigure().Rest
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if e := euler(m); e != 2 {
		t.Errorf("Euler characteristic %d, want 2", e)
	}
	if n := len(m.Positions); n < 2000 || n > 6000 {
		t.Errorf("%d vertices, want 2000 to 6000", n)
	}
	if n := crossings(m.Positions, m.Triangles); n != 0 {
		t.Errorf("%d pairs of triangles cross", n)
	}
	box := m.Bounds()
	if h := box.Max.Y - box.Min.Y; math.Abs(h-1.63) > .02 || math.Abs(box.Min.Y) > .01 {
		t.Errorf("the figure reaches from %.3f m to %.3f m", box.Min.Y, box.Max.Y)
	}
	if v, want := m.Volume(), sampledVolume(figureParts(), figureBox); math.Abs(v/want-1) > .01 {
		t.Errorf("%.4f m³, want %.4f to a hundredth", v, want)
	}
	slim, total := math.Pi, 0.
	for _, c := range m.Triangles {
		a := leastAngle(m.Positions[c[0]], m.Positions[c[1]], m.Positions[c[2]])
		slim, total = min(slim, a), total+a
	}
	mean := total / float64(len(m.Triangles))
	t.Logf("%d vertices, %d triangles, %.1f l, least angle %.0f°, on average %.0f°", len(m.Positions), len(m.Triangles), 1000*m.Volume(), slim/degree, mean/degree)
	if slim < 20*degree || mean < 45*degree {
		t.Errorf("least angle %.1f°, on average %.1f°; want at least 20° and 45°", slim/degree, mean/degree)
	}
}

// A limb on cells of 5 cm is filled if a ball of 12 cm fits into it everywhere along its bone; of 16 cm in the legs.
func TestFigureIsThick(t *testing.T) {
	body := figureParts()
	s := skeleton()
	for _, c := range []struct {
		from, to Bone
		radius   float64
	}{
		{LeftUpperArm, LeftForearm, .06}, {LeftForearm, LeftHand, .06}, {RightUpperArm, RightForearm, .06}, {RightForearm, RightHand, .06},
		{LeftThigh, LeftShin, .08}, {LeftShin, LeftFoot, .08}, {RightThigh, RightShin, .08}, {RightShin, RightFoot, .08},
		{Pelvis, Spine, .08}, {Spine, Chest, .08}, {Neck, Head, .05},
	} {
		for i := range 21 {
			p := r3.Add(s[c.from].at, r3.Scale(float64(i)/20, r3.Sub(s[c.to].at, s[c.from].at)))
			if d := -distance(body, p); d < c.radius {
				t.Errorf("bones %d to %d: %.3f m to the surface at %v; want at least %.3f m", c.from, c.to, d, p, c.radius)
			}
		}
	}
}

func TestFigureSkin(t *testing.T) {
	f := theFigure()
	for v, b := range f.skin {
		sum := 0.
		for i, part := range b.part {
			if part < 0 || b.bone[i] < 0 || int(b.bone[i]) >= bones {
				t.Fatalf("vertex %d: bone %d moves it by %g", v, b.bone[i], part)
			}
			sum += part
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("vertex %d: the weights sum to %g", v, sum)
		}
	}
	// Weights fade over several edges: no bone gains or loses most of a vertex along one.
	for _, c := range f.Rest.Triangles {
		for k := range c {
			var change [bones]float64
			for i := range most {
				a, b := &f.skin[c[k]], &f.skin[c[(k+1)%3]]
				change[a.bone[i]] -= a.part[i]
				change[b.bone[i]] += b.part[i]
			}
			for b, d := range change {
				if math.Abs(d) > .4 {
					t.Errorf("vertices %d and %d: bone %d moves one %.2f more than the other", c[k], c[(k+1)%3], b, d)
				}
			}
		}
	}
}

// The rest pose, reached through the bones, is the mesh itself.
func TestFigureRestPose(t *testing.T) {
	f := NewFigure()
	p := pose{stretch: 1, palm: 1}
	var rate pose
	p.place(&rate, &f.skeleton, &f.placed)
	at := make([]r3.Vec, len(f.skin))
	for v, x := range f.Rest.Positions {
		f.skin[v].move(x, v, f, at, nil)
		if d := r3.Norm(r3.Sub(at[v], x)); d > 1e-12 {
			t.Fatalf("vertex %d is %g m from where it rests", v, d)
		}
	}
}

func TestFigureVelocities(t *testing.T) {
	f := theFigure()
	n := len(f.Rest.Positions)
	at, velocity, before, after := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
	const h = 1e-4
	worst, fastest, when := 0., 0., 0.
	for _, s := range times(.113) {
		if math.Abs(s-Risen) < 2*h {
			continue // acceleration jumps there
		}
		f.At(s, at, velocity)
		f.At(s-h, before, nil)
		f.At(s+h, after, nil)
		for v := range velocity {
			if s > h {
				worst = max(worst, r3.Norm(r3.Sub(velocity[v], r3.Scale(1/(2*h), r3.Sub(after[v], before[v])))))
			}
			if speed := r3.Norm(velocity[v]); speed > fastest {
				fastest, when = speed, s
			}
		}
	}
	t.Logf("velocities differ from differences by %.1e m/s; the fastest vertex has %.2f m/s, at %.1f s", worst, fastest, when)
	if worst > 1e-6 {
		t.Errorf("velocities differ from differences by %g m/s, must be at most 1e-6", worst)
	}
	if fastest > 2 || fastest < 1.7 {
		t.Errorf("the fastest vertex has %.2f m/s; want 1.7 to 2", fastest)
	}
	for _, s := range []float64{-1, 0, Risen, End, End + 1} {
		f.At(s, at, velocity)
		for v := range velocity {
			if speed := r3.Norm(velocity[v]); speed > 1e-9 {
				t.Fatalf("at %g s vertex %d has %g m/s; the figure should rest", s, v, speed)
			}
		}
	}
}

func TestFigureVolume(t *testing.T) {
	f := theFigure()
	least, most := math.Inf(1), 0.
	for _, s := range times(.1) {
		v := f.Volume(s)
		least, most = min(least, v), max(most, v)
	}
	t.Logf("%.1f to %.1f l", 1000*least, 1000*most)
	if most > 1.12*least {
		t.Errorf("%.1f to %.1f l; want at most 12 %% apart", 1000*least, 1000*most)
	}
}

func TestFigureDoesNotCrossItself(t *testing.T) {
	f := theFigure()
	step := .1
	if testing.Short() {
		step = .45
	}
	at := make([]r3.Vec, len(f.Rest.Positions))
	for _, s := range times(step) {
		f.At(s, at, nil)
		if n := crossings(at, f.Rest.Triangles); n > 0 {
			t.Errorf("%d pairs of triangles cross at %.2f s", n, s)
		}
	}
}

// The figure begins below the surface in a pool of 1.2 m, and then stands in it to below the hips.
func TestFigureRises(t *testing.T) {
	f := theFigure()
	m := Mesh{make([]r3.Vec, len(f.Rest.Positions)), f.Rest.Triangles}
	f.At(0, m.Positions, nil)
	if box := m.Bounds(); box.Max.Y > -.1 || box.Min.Y < -1.15 {
		t.Errorf("at first from %.2f to %.2f m", box.Min.Y, box.Max.Y)
	}
	for _, s := range times(.1) {
		if s < Risen {
			continue
		}
		if y := boneOf(f, Pelvis, s).Position.Y; y < .3 {
			t.Errorf("at %.1f s the hips are at %.2f m", s, y)
		}
		f.At(s, m.Positions, nil)
		if wet := wetLitres(m); wet < 10 {
			t.Errorf("at %.1f s %.0f l are in the pool; want at least 10", s, wet)
		}
	}
	last := make([]r3.Vec, len(m.Positions))
	f.At(Risen, m.Positions, nil)
	f.At(End, last, nil)
	for v := range last {
		if d := r3.Norm(r3.Sub(last[v], m.Positions[v])); d > 1e-9 {
			t.Fatalf("vertex %d is %g m from where it was at Risen", v, d)
		}
	}
}

// wetLitres is what is below y = 0: what the mesh has with the rest pressed flat onto the surface.
func wetLitres(m Mesh) float64 {
	low := make([]r3.Vec, len(m.Positions))
	for v, p := range m.Positions {
		p.Y = min(p.Y, 0)
		low[v] = p
	}
	return 1000 * Volume(low, m.Triangles)
}

// The palm is level, faces up, and moves as the mesh around it does.
func TestFigurePalm(t *testing.T) {
	f := theFigure()
	middle, nearest := -1, math.Inf(1)
	top := r3.Add(dishCentre, r3.Vec{Y: dishThick / 2})
	for v, p := range f.Rest.Positions {
		if d := r3.Norm(r3.Sub(p, top)); d < nearest {
			middle, nearest = v, d
		}
	}
	n := len(f.Rest.Positions)
	at, velocity := make([]r3.Vec, n), make([]r3.Vec, n)
	for _, s := range times(.25) {
		palm := f.Palm(s)
		f.At(s, at, velocity)
		if d := r3.Norm(r3.Sub(at[middle], palm.Position)); d > 1.5*nearest+1e-9 {
			t.Errorf("at %.2f s the palm is %.3f m from its vertex, which rests %.3f m from it", s, d, nearest)
		}
		if d := r3.Norm(r3.Sub(velocity[middle], palm.Velocity)); d > .1 {
			t.Errorf("at %.2f s the palm's velocity differs by %.3f m/s from its vertex's", s, d)
		}
		q := palm.Rotation
		if up := 1 - 2*(q.Imag*q.Imag+q.Kmag*q.Kmag); math.Abs(up-1) > 1e-12 {
			t.Errorf("at %.2f s the palm is not level: %v", s, q)
		}
		if s >= Offered && s <= Withdrawn {
			if palm.Position.Y < .3 {
				t.Errorf("at %.2f s the palm is at %.2f m; should be well out of the pool", s, palm.Position.Y)
			}
			// Friction of .3 holds what rides on it, and it is never dropped.
			const h = 1e-3
			push := r3.Scale(1/(2*h), r3.Sub(f.Palm(s+h).Velocity, f.Palm(s-h).Velocity))
			if a := math.Hypot(push.X, push.Z); a > .3*(9.81+push.Y) {
				t.Errorf("at %.2f s the palm accelerates by %.2f m/s² sideways and %.2f m/s² upwards", s, a, push.Y)
			}
		}
	}
	f.At(Offered, at, nil)
	wide := 0.
	for v, b := range f.skin {
		if b.bone[0] == RightHand && b.part[0] > .99 {
			d := r3.Sub(at[v], f.Palm(Offered).Position)
			wide = max(wide, 2*math.Hypot(d.X, d.Z))
		}
	}
	if wide < .45 || wide > .5 {
		t.Errorf("the palm is %g m wide, want .45 to .5", wide)
	}
}

// boneOf is the frame of a bone's joint at a time.
func boneOf(f *Figure, b Bone, t float64) Frame {
	f.place(t)
	return f.frame(b, r3.Vec{})
}

// A bone's rotation, as a quaternion, is the matrix that turns what hangs on it.
func TestFigureBone(t *testing.T) {
	f := theFigure()
	for _, s := range times(.7) {
		for b := Root; b < skirt; b++ {
			q := boneOf(f, b, s).Rotation
			for _, x := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				got, want := r3.Rotation(q).Rotate(x), f.placed[b].rotation.value.apply(x)
				if r3.Norm(r3.Sub(got, want)) > 1e-12 {
					t.Fatalf("bone %d at %g s: %v goes to %v, want %v", b, s, x, got, want)
				}
			}
		}
	}
}

func TestFigureAllocatesNothing(t *testing.T) {
	f := theFigure()
	n := len(f.Rest.Positions)
	at, velocity := make([]r3.Vec, n), make([]r3.Vec, n)
	s := 0.
	if got := testing.AllocsPerRun(20, func() {
		f.At(s, at, velocity)
		f.Palm(s)
		f.Volume(s)
		s += .7
	}); got != 0 {
		t.Errorf("%g allocations", got)
	}
}

func TestFigurePanics(t *testing.T) {
	f := theFigure()
	at := make([]r3.Vec, len(f.Rest.Positions))
	for name, call := range map[string]func(){
		"positions":  func() { f.At(0, at[1:], nil) },
		"velocities": func() { f.At(0, at, at[1:]) },
		"time":       func() { f.At(math.NaN(), at, nil) },
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "shapes: Figure") {
					t.Errorf("%s: says %q", name, said)
				}
			}()
			call()
		}()
	}
}
