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
	corners   []corner // of the surface's triangles
	heads     []int32  // of each column: its last cut, or -1
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

// over makes the columns those of a grid.
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
	c.corners = c.corners[:0]
	for i := 0; i+2 < len(s.Positions); i += 3 {
		c.corners = append(c.corners, c.corner(s.Positions[i:]))
	}
	n := uint32(len(c.corners))
	for i := 0; i+2 < len(s.Indices); i += 3 {
		if a, b, d := s.Indices[i], s.Indices[i+1], s.Indices[i+2]; max(a, b, d) < n {
			c.cutTriangle([3]corner{c.corners[a], c.corners[b], c.corners[d]})
		}
	}
	for i := 0; i+3 < len(s.Droplets); i += 4 {
		p := c.corner(s.Droplets[i:])
		if x, z := p.x+.5, p.z+.5; x >= 0 && z >= 0 && x < float32(c.nx) && z < float32(c.nz) {
			c.add(int(x), int(z), p.y, max(s.Droplets[i+3], float32(c.edge.Y/2)))
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

// corner is a place with x and z in columns, the middle of the first at 0, and y in m.
type corner struct{ x, y, z float32 }

func (c *columns) corner(v []float32) corner {
	return corner{float32((float64(v[0])-c.low.X)/c.edge.X) - .5, v[1], float32((float64(v[2])-c.low.Z)/c.edge.Z) - .5}
}

// cutTriangle adds the cuts of a triangle. Of triangles that share an edge a line cuts one: edges are cut from their end of less z.
func (c *columns) cutTriangle(t [3]corner) {
	most := min(max(t[0].z, t[1].z, t[2].z), float32(c.nz))
	for z := max(ceil(min(t[0].z, t[1].z, t[2].z)), 0); float32(z) < most; z++ {
		var x, y [2]float32
		n, a := 0, t[2]
		for _, b := range t {
			if (a.z > float32(z)) != (b.z > float32(z)) {
				from, to := a, b
				if from.z > to.z {
					from, to = to, from
				}
				s := (float32(z) - from.z) / (to.z - from.z)
				x[n], y[n] = from.x+s*(to.x-from.x), from.y+s*(to.y-from.y)
				n++
			}
			a = b
		}
		if x[0] > x[1] {
			x[0], x[1], y[0], y[1] = x[1], x[0], y[1], y[0]
		}
		last := min(x[1], float32(c.nx))
		for i := max(ceil(x[0]), 0); float32(i) < last; i++ {
			c.add(i, z, y[0]+(y[1]-y[0])*(float32(i)-x[0])/(x[1]-x[0]), 0)
		}
	}
}

// ceil is the least integer that is not less than x.
func ceil(x float32) int {
	i := int(x)
	if float32(i) < x {
		i++
	}
	return i
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
