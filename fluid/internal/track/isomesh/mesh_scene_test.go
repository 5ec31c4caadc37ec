package isomesh

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// meshScene is a grid filled from formulas.
type meshScene struct {
	g    *layout.Grid
	pool *par.Pool
	phi  *layout.Scalar
	vel  *layout.Velocity
	foam *layout.Scalar // or nil
	mesh *Mesh
}

type meshField func(x, y, z float64) float64

func newMeshScene(t testing.TB, g *layout.Grid, workers int, phi meshField) *meshScene {
	s := &meshScene{g: g, pool: par.New(workers)}
	t.Cleanup(s.pool.Close)
	s.phi, s.vel = layout.NewScalar(g), layout.NewVelocity(g)
	s.phi.Gather(s.pool, meshSample(g, phi))
	var faces [3][]float32
	for a := range 3 {
		faces[a] = make([]float32, g.Cells())
		for i := range faces[a] {
			faces[a][i] = float32(a + 1)
		}
	}
	s.vel.Gather(s.pool, &faces)
	s.mesh = NewMesh(g, s.pool)
	return s
}

// sprinkle lays foam of x + 2y everywhere.
func (s *meshScene) sprinkle() {
	s.foam = layout.NewScalar(s.g)
	s.foam.Gather(s.pool, meshSample(s.g, func(x, y, z float64) float64 { return x + 2*y }))
}

func (s *meshScene) extract(lo, hi [3]float64) *Mesh {
	s.mesh.Extract(s.phi, s.vel, s.foam, lo, hi)
	return s.mesh
}

func meshSample(g *layout.Grid, f meshField) []float32 {
	v := make([]float32, g.Cells())
	for b := range int32(g.Bases()) {
		l := g.Cur.Level[b]
		n, h, lo := 1<<l, g.CellSize(l), g.Corner(b)
		for c := range n * n * n {
			i, j, k := c%n, c/n%n, c/n/n
			v[g.Cur.Cell(b, i, j, k)] = float32(f(lo[0]+(float64(i)+.5)*h, lo[1]+(float64(j)+.5)*h, lo[2]+(float64(k)+.5)*h))
		}
	}
	return v
}

// meshMixed makes a grid of random levels from low to high that differ by at most one across
// faces, edges and corners.
func meshMixed(dim [3]int, h float64, low, high int, seed uint64) *layout.Grid {
	g := layout.New([3]float64{-1, 2, .5}, h, dim, uint8(low))
	r := rand.New(rand.NewPCG(seed, 1))
	for b := range int32(g.Bases()) {
		if r.IntN(3) == 0 {
			g.Set(b, uint8(low+r.IntN(high-low+1)))
		}
	}
	for again := true; again; {
		again = false
		for b := range int32(g.Bases()) {
			at := g.BaseCoords(b)
			for d := range 27 {
				nb := g.BaseAt(at[0]+d%3-1, at[1]+d/3%3-1, at[2]+d/9-1)
				if nb != layout.None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
	g.Settle()
	return g
}

// all is the whole grid as a domain.
func (s *meshScene) all() (lo, hi [3]float64) {
	for a := range 3 {
		lo[a] = s.g.Origin[a]
		hi[a] = lo[a] + s.g.H*layout.Edge*float64(s.g.Dim[a])
	}
	return lo, hi
}

func (m *Mesh) position(v uint32) [3]float64 {
	p := m.Positions[3*v:]
	return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
}

// welded gives each vertex the first vertex of its cell.
func (m *Mesh) welded() []uint32 {
	w := make([]uint32, len(m.Foam))
	for p := range m.parts {
		for _, c := range m.parts[p].cells {
			first := uint32(m.slots[c.slot])
			for i := range bits.OnesCount8(c.flags) {
				w[first+uint32(i)] = first
			}
		}
		for _, c := range m.parts[p].panes {
			w[m.slots[c.slot]] = uint32(m.slots[c.slot])
		}
	}
	return w
}

// meshTopology is what a check of a closed mesh found.
type meshTopology struct {
	open, crowded int // edges without a partner; edges of more than two triangles
	euler         int
}

func (m *Mesh) topology() (r meshTopology) {
	w := m.welded()
	count := map[[2]uint32]int{}
	used := map[uint32]bool{}
	faces := len(m.Indices) / 3
	for f := range faces {
		for c := range 3 {
			a, b := w[m.Indices[3*f+c]], w[m.Indices[3*f+(c+1)%3]]
			used[a] = true
			count[[2]uint32{a, b}]++
		}
	}
	edges := 0
	for e, n := range count {
		back := count[[2]uint32{e[1], e[0]}]
		if back != n {
			r.open++
		}
		if n > 1 {
			r.crowded++
		}
		if e[0] < e[1] || back == 0 {
			edges++
		}
	}
	r.euler = len(used) - edges + faces
	return r
}

// measure gives the area, m², and the volume, m³, positive if the mesh faces outward.
func (m *Mesh) measure(index []uint32) (area, volume float64) {
	o := m.position(0)
	for f := 0; f < len(index); f += 3 {
		var e [3][3]float64
		for c := range 3 {
			p := m.position(index[f+c])
			for a := range 3 {
				e[c][a] = p[a] - o[a]
			}
		}
		n := meshCross(meshSub(e[1], e[0]), meshSub(e[2], e[0]))
		area += .5 * math.Sqrt(meshDot(n, n))
		volume += meshDot(e[0], n) / 6
	}
	return area, volume
}

func meshSub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func meshDot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func meshCross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// backward counts triangles that face away from their vertices' normals, of those with an area.
func (m *Mesh) backward(tiny float64) (n int) {
	for f := 0; f < len(m.Indices); f += 3 {
		a, b, c := m.position(m.Indices[f]), m.position(m.Indices[f+1]), m.position(m.Indices[f+2])
		face := meshCross(meshSub(b, a), meshSub(c, a))
		var sum [3]float64
		for i := range 3 {
			for x := range 3 {
				sum[x] += float64(m.Normals[3*m.Indices[f+i]+uint32(x)])
			}
		}
		if math.Sqrt(meshDot(face, face)) > tiny && meshDot(face, sum) <= 0 {
			n++
		}
	}
	return n
}
