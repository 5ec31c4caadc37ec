package controls

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// drawnShare is the part of a shape that its column brings, and restShare what may be missing in the end.
	drawnShare = .75
	restShare  = .02
	// drawTime, s, is how long a shape takes to fill through its column, if the liquid does not get faster than fastestDraw, m/s, or slower than
	// slowestDraw.
	drawTime    = .75
	slowestDraw = 1.3
	fastestDraw = 4
	// leastColumn, in cells, is the radius of a column; it is columnShare of that of a disc as large as the shape is broad.
	leastColumn = 2.5
	columnShare = .4
)

// column is the way up to a shape from the liquid below.
type column struct {
	axis   int
	up     int        // +1 or -1: the way up along the axis
	middle [3]float64 // a place on its axis: the shape's lowest, m
	found  bool       // there is liquid below,
	bottom float64    // and this is how high it is, m along up
	depth  float64    // from middle down to there, m
	radius float64    // m
	speed  float64    // of the liquid that rises, m/s
	cells  []bool     // of the lattice
}

// findColumn finds how far below a shape there is liquid. up is the way up; zero means that there is none.
func (s *Set) findColumn(c *Control, up r3.Vec) (found bool) {
	u := reproducible.Array(up)
	k := &c.column
	k.axis = 0
	for a := range 3 {
		if math.Abs(u[a]) > math.Abs(u[k.axis]) {
			k.axis = a
		}
	}
	if u[k.axis] == 0 {
		return false
	}
	k.up = int(math.Copysign(1, u[k.axis]))
	lowest := math.Inf(1)
	for _, x := range c.now.Positions {
		if y := reproducible.Array(x); float64(float64(k.up)*y[k.axis]) < lowest {
			lowest, k.middle = float64(float64(k.up)*y[k.axis]), y
		}
	}
	s.pts = s.pts[:0]
	lo, hi := reproducible.Array(s.Domain.Min), reproducible.Array(s.Domain.Max)
	for n := 0; ; n++ {
		at := k.middle
		at[k.axis] -= float64(float64(n*k.up) * s.CellSize)
		if at[k.axis] < lo[k.axis] || at[k.axis] > hi[k.axis] {
			break
		}
		s.pts = append(s.pts, reproducible.Vector(at))
	}
	if !k.found { // later the column itself is liquid
		liquid, _ := s.measure()
		for n, part := range liquid {
			if k.found = part > .9; k.found {
				k.bottom = float64(float64(k.up)*reproducible.Array(s.pts[n])[k.axis]) - float64(2*s.CellSize)
				break
			}
		}
	}
	k.depth = lowest - k.bottom
	return k.found
}

// addColumn adds the cells of the column to the shape's, and chooses how fast the liquid rises.
func (s *Set) addColumn(c *Control) {
	r, k := &c.raster, &c.column
	area := float64(float64(len(r.Crossings[k.axis])) / 2 * s.CellSize * s.CellSize) // two crossings on each line through the shape
	k.radius = max(leastColumn*s.CellSize, columnShare*math.Sqrt(area/math.Pi))
	k.cells = arrays.Resize(k.cells, len(r.Inside))
	for i := range r.Inside {
		x := reproducible.Array(c.centre(i))
		away, below := 0., float64(float64(k.up)*(k.middle[k.axis]-x[k.axis]))
		for a := range x {
			if a != k.axis {
				away += float64((x[a] - k.middle[a]) * (x[a] - k.middle[a]))
			}
		}
		k.cells[i] = !r.Inside[i] && below > -2*s.CellSize && below < k.depth && away < k.radius*k.radius
	}
	lacks := float64((c.Told.WantedL - c.Told.HeldL) * litre)
	k.speed = max(slowestDraw, min(fastestDraw, lacks/(drawTime*math.Pi*k.radius*k.radius)))
}

// inColumn tells whether a place is in the column.
func (c *Control) inColumn(x *[3]float64) bool {
	i := c.index(c.lattice(x))
	return i >= 0 && i < len(c.column.cells) && c.column.cells[i]
}

// holds tells whether a cell of the lattice is in the shape or its column.
func (c *Control) holds(i int) bool {
	return i >= 0 && (c.raster.Inside[i] || i < len(c.column.cells) && c.column.cells[i])
}

// drawn is how a face to air moves while liquid is drawn to the shape, and what part of that counts. Faces to liquid are open, so that it can come in,
// and so is its surface within shape and column. At their walls it moves with the shape.
func (c *Control) drawn(s *Set, gr *graph.Graph, f int32, at *place) (blend, speed float64) {
	if !s.nearSurface(c, at, 1) {
		return 0, 0
	}
	blend, speed = c.blend, gr.Along(int(f), &c.mean.velocity)
	within := at.outBy(-float64(.5 * float64(at.edge) * s.CellSize))
	if !c.inColumn(&within) {
		surface := c.at(at, false)
		blend, speed = min(1, float64(blend*surface.weight)), gr.Along(int(f), &surface.velocity)
	}
	return blend, speed
}

// raise gives the liquid in a column its speed: as an emitter does, before the pressure acts.
func (s *Set) raise(gr *graph.Graph, c *Control) {
	k := &c.column
	if len(k.cells) == 0 {
		return
	}
	target := c.mean.velocity
	target[k.axis] += float64(float64(k.up) * k.speed)
	for f, u := range gr.U {
		x := gr.FaceCentre(f)
		if s.cut[f] || !c.inColumn(&x) {
			continue
		}
		gain := float64(c.blend * (gr.Along(f, &target) - u))
		gr.U[f] += gain
		gain = float64(gain * float64(*s.Density*gr.Area[f]*gr.Open[f]*gr.Dist[f]))
		gr.AddAlong(f, &c.impulse, gain)
		gr.AddAlong(f, &s.raised, gain)
	}
}
