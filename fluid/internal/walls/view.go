package walls

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// View finds which targets a wall hides from which places. Its steps: Add the places; Approach; Target for each target of the places that
// are left; Trace. Places and targets are those before the wall's motion.
type View struct {
	// Samples are the added places; after Approach, those near the wall.
	Samples []Sample

	s     *scratch
	wall  *Wall
	gap   float64     // m
	lines []sightLine // to the targets that the wall may hide; their ends are in s.pts
}

// Sample is a place with up to viewTargets targets.
type Sample struct {
	Of     int     // index of the caller's place
	Size   float64 // greatest depth in a wall of the place and its targets to count as beside it, m: a cell's edge
	Hidden uint8   // bits of the hidden targets
	at     r3.Vec  // in the wall's frame
	d      float64 // the wall's distance there, m
}

// sightLine is a line from a sample to one of its targets.
type sightLine struct {
	sample, target int
	to             r3.Vec  // the target, or a place beside the wall if the target is in it
	far            float64 // the distance there, m
}

const (
	// MaxSamples is the greatest number of places in a view.
	MaxSamples = 64
	// viewTargets is the greatest number of targets of a sample.
	viewTargets = 8
)

// View returns a worker's view for one wall, without samples.
func (s *Set) View(worker, wall int) *View {
	k := &s.scratch[worker]
	v := &k.view
	v.wall, k.Solid = &s.Walls[wall], s.Walls[wall].Distance
	v.Samples, k.pts = v.Samples[:0], k.pts[:0]
	return v
}

// Add adds a place, m, with the caller's index and its size.
func (v *View) Add(of int, x r3.Vec, size float64) {
	v.Samples = append(v.Samples, Sample{Of: of, Size: size, at: v.wall.inFrame(x, true)})
	v.s.pts = append(v.s.pts, v.Samples[len(v.Samples)-1].at)
}

// Approach drops the samples whose distance from the wall exceeds reach times their size, moves the others out of the wall, and prepares
// the view for their targets.
func (v *View) Approach(reach float64) {
	s := v.s
	s.evaluate()
	s.inside = s.inside[:0]
	n := 0
	for i := range v.Samples {
		p := &v.Samples[i]
		if p.d = float64(s.dist[i]); p.d > reach*p.Size {
			continue
		}
		if p.d < 0 && p.d > -p.Size {
			s.inside = append(s.inside, insidePlace{of: n, x: p.at, d: p.d, gap: 2 * v.gap})
		}
		if n < i {
			v.Samples[n] = *p
		}
		n++
	}
	v.Samples = v.Samples[:n]
	s.moveOutside()
	for _, o := range s.inside {
		v.Samples[o.of].at, v.Samples[o.of].d = o.x, o.gap
	}
	v.lines, s.pts = v.lines[:0], s.pts[:0]
}

// Target adds a target, m, of a sample.
func (v *View) Target(sample, target int, x r3.Vec) {
	p, to := &v.Samples[sample], v.wall.inFrame(x, true)
	if p.d < 0 || reproducible.Norm2(r3.Sub(to, p.at)) > p.d*p.d {
		v.lines = append(v.lines, sightLine{sample: sample, target: target, to: to})
		v.s.pts = append(v.s.pts, to)
	}
}

// Trace sets the samples' Hidden bits.
func (v *View) Trace() {
	v.classify()
	v.s.keepBlocked()
	for i := range v.s.Rays {
		v.hide(&v.lines[v.s.Rays[i].Of])
	}
}

func (v *View) hide(l *sightLine) { v.Samples[l.sample].Hidden |= 1 << l.target }

// classify decides which targets are visible and which hidden, as far as the distances at their places suffice, and makes rays for the others.
func (v *View) classify() {
	s := v.s
	s.evaluate()
	s.Rays, s.inside = s.Rays[:0], s.inside[:0]
	for i := range v.lines {
		l := &v.lines[i]
		l.far = float64(s.dist[i])
		if p := &v.Samples[l.sample]; l.far < 0 && l.far > -p.Size {
			s.inside = append(s.inside, insidePlace{of: i, x: l.to, d: l.far, gap: 2 * v.gap})
		}
	}
	s.moveOutside()
	for _, o := range s.inside {
		v.lines[o.of].to, v.lines[o.of].far = o.x, o.gap
	}
	for i := range v.lines {
		l := &v.lines[i]
		p := &v.Samples[l.sample]
		d := r3.Sub(l.to, p.at)
		length := reproducible.Norm(d)
		switch {
		case length == 0 || p.d+l.far >= length:
		case p.d < 0 || l.far < 0:
			v.hide(l)
		default:
			s.Rays = append(s.Rays, Ray{Of: i, From: p.at, Dir: reproducible.Scale(1/length, d), Length: length, Gap: v.gap, D: p.d, far: l.far})
		}
	}
}

// pretests is the number of places along a ray, its quarters, where the distance is evaluated before the ray is traced.
const pretests = 3

// keepBlocked keeps the rays that meet the solid. It traces only those that clearsWall does not accept: these are
// few.
func (s *scratch) keepBlocked() {
	s.pts = s.pts[:0]
	for i := range s.Rays {
		r := &s.Rays[i]
		for k := range pretests {
			s.pts = append(s.pts, r3.Add(r.From, reproducible.Scale(float64(k+1)/(pretests+1)*r.Length, r.Dir)))
		}
	}
	s.evaluate()
	n := 0
	for i := range s.Rays {
		r := &s.Rays[i]
		if !clearsWall(r.D, [pretests]float32(s.dist[pretests*i:]), r.far) {
			r.Length -= max(0, r.far-r.Gap) // beyond, nothing is nearer than the gap
			s.Rays[n] = *r
			n++
		}
	}
	s.Rays = s.Rays[:n]
	s.Trace()
	s.Rays = slices.DeleteFunc(s.Rays, func(r Ray) bool { return !r.Stopped() })
}

// clearsWall reports whether the distances at the ends and at the quarters of a line prove that the line doesn't pass through a wall. On a line
// that does, the distance falls to zero and rises again: half way from a place before the wall to one behind it, the distance is less
// than half of that at the end farther from the wall.
func clearsWall(near float64, quarter [pretests]float32, far float64) bool {
	first, middle, last := float64(quarter[0]), float64(quarter[1]), float64(quarter[2])
	return middle >= max(near, far)/2 && first >= max(near, middle)/2 && last >= max(middle, far)/2
}
