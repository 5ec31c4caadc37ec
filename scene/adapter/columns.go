package adapter

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// columns says where vertical lines, one through the middle of each column of a grid, are in the liquid.
type columns struct {
	low, edge r3.Vec // the grid's least corner, and a texel's edges, m
	nx, nz    int
	heads     []int32 // of each column: its last cut, or -1
	cuts      []cut
	first     []int32   // of each column: its first run's place in runs; one more than there are columns
	runs      []float32 // heights between which a line is in the liquid, m
	least     float32   // of the runs' heights, m
	most      float32
	heights   []float32 // scratch
}

// cut is where a line crosses the surface, or a droplet that it passes through.
type cut struct {
	y, radius float32 // m; radius is 0 for the surface
	next      int32
}

func (c *columns) over(g *WetGrid) {
	c.low, c.edge, c.nx, c.nz = g.Box.Min, g.Edges(), g.Size[0], g.Size[2]
	c.heads, c.first = make([]int32, c.nx*c.nz), make([]int32, c.nx*c.nz+1)
}

// find takes the runs of a surface and its droplets.
func (c *columns) find(s *fluid.Surface) {
	for i := range c.heads {
		c.heads[i] = -1
	}
	c.cuts, c.runs = c.cuts[:0], c.runs[:0]
	n := uint32(len(s.Positions) / 3)
	for i := 0; i+2 < len(s.Indices); i += 3 {
		if a, b, d := s.Indices[i], s.Indices[i+1], s.Indices[i+2]; max(a, b, d) < n {
			c.cutTriangle([3]r3.Vec{c.place(s.Positions[3*a:]), c.place(s.Positions[3*b:]), c.place(s.Positions[3*d:])})
		}
	}
	for i := 0; i+3 < len(s.Droplets); i += 4 {
		p := c.place(s.Droplets[i:])
		if x, z := math.Round(p.X), math.Round(p.Z); x >= 0 && z >= 0 && x < float64(c.nx) && z < float64(c.nz) {
			c.add(int(x), int(z), float32(p.Y), max(s.Droplets[i+3], float32(c.edge.Y/2)))
		}
	}
	for i := range c.heads {
		c.first[i] = int32(len(c.runs))
		c.join(c.heads[i])
	}
	c.first[len(c.heads)] = int32(len(c.runs))
	c.least, c.most = math.MaxFloat32, -math.MaxFloat32
	for _, y := range c.runs {
		c.least, c.most = min(c.least, y), max(c.most, y)
	}
}

// place is a vertex with x and z in columns, the middle of the first at 0.
func (c *columns) place(v []float32) r3.Vec {
	return r3.Vec{X: (float64(v[0])-c.low.X)/c.edge.X - .5, Y: float64(v[1]), Z: (float64(v[2])-c.low.Z)/c.edge.Z - .5}
}

// cutTriangle adds the cuts of a triangle. Of triangles that share an edge a line cuts one: edges are cut from their end of less z.
func (c *columns) cutTriangle(t [3]r3.Vec) {
	least, most := min(t[0].Z, t[1].Z, t[2].Z), max(t[0].Z, t[1].Z, t[2].Z)
	for z := max(math.Ceil(least), 0); z < min(most, float64(c.nz)); z++ {
		var x, y [2]float64
		n := 0
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			if (a.Z > z) == (b.Z > z) {
				continue
			}
			if a.Z > b.Z {
				a, b = b, a
			}
			s := (z - a.Z) / (b.Z - a.Z)
			x[n], y[n] = a.X+s*(b.X-a.X), a.Y+s*(b.Y-a.Y)
			n++
		}
		if x[0] > x[1] {
			x[0], x[1], y[0], y[1] = x[1], x[0], y[1], y[0]
		}
		for i := max(math.Ceil(x[0]), 0); i < min(x[1], float64(c.nx)); i++ {
			c.add(int(i), int(z), float32(y[0]+(y[1]-y[0])*(i-x[0])/(x[1]-x[0])), 0)
		}
	}
}

func (c *columns) add(x, z int, y, radius float32) {
	head := &c.heads[z*c.nx+x]
	c.cuts = append(c.cuts, cut{y, radius, *head})
	*head = int32(len(c.cuts) - 1)
}

// join adds the runs between a column's cuts. Where their number is odd the surface has a hole, and is left out.
func (c *columns) join(at int32) {
	c.heights = c.heights[:0]
	for ; at >= 0; at = c.cuts[at].next {
		switch k := c.cuts[at]; {
		case k.radius > 0:
			c.runs = append(c.runs, k.y-k.radius, k.y+k.radius)
		default:
			c.heights = append(c.heights, k.y)
		}
	}
	if len(c.heights)%2 == 0 {
		slices.Sort(c.heights)
		c.runs = append(c.runs, c.heights...)
	}
}

// holds reports whether a place, m, is in the liquid, as far as columns tell.
func (c *columns) holds(p r3.Vec) bool {
	x, z := (p.X-c.low.X)/c.edge.X, (p.Z-c.low.Z)/c.edge.Z
	if !(x >= 0 && z >= 0 && x < float64(c.nx) && z < float64(c.nz)) {
		return false
	}
	at, y := int(z)*c.nx+int(x), float32(p.Y)
	runs := c.runs[c.first[at]:c.first[at+1]]
	for k := 0; k+1 < len(runs); k += 2 {
		if y >= runs[k] && y <= runs[k+1] {
			return true
		}
	}
	return false
}
