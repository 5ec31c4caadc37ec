package mesh

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// flying is scratch of detachDroplets: the pieces of the mesh, each by its vertex with the lowest number.
type flying struct {
	root      []int32   // per vertex: its piece
	volume    []float64 // per piece, m³
	box       []r3.Box
	listed    []int32 // triangles of pieces that may fly, piece by piece
	fractions trimesh.Fractions
	cells     cellRange
	around    track.Box   // that range
	row       []track.Row // per finest cell of it
	part, all []float64   // likewise: what the piece fills of it, and what all liquid
}

// cellRange is so many finest cells along each axis from one on.
type cellRange struct{ first, count [3]int }

// A piece is looked at if it has at most mostFlying finest cells' volume, and its box at most mostBox cells: larger ones have rows.
const (
	mostFlying = 2
	mostBox    = 1000
)

// detachDroplets makes droplets of the pieces that hold no row. They fly on with the velocity that they had.
func (t *Tracker) detachDroplets(rows *track.Rows, dt float64) {
	mesh, s := &t.track.Mesh, &t.flying
	if len(t.track.Velocity) != len(mesh.Position) {
		return // nothing has moved
	}
	t.findPieces()
	flown := 0
	for from := 0; from < len(s.listed); {
		piece, to := s.root[mesh.Triangle[s.listed[from]][0]], from+1
		for to < len(s.listed) && s.root[mesh.Triangle[s.listed[to]][0]] == piece {
			to++
		}
		if triangles := s.listed[from:to]; t.flies(rows, piece, triangles) && t.launch(piece, triangles, dt) {
			rows.Remove(s.around, s.part)
			flown++
		}
		from = to
	}
	if flown > 0 {
		for _, i := range s.listed {
			if s.volume[s.root[mesh.Triangle[i][0]]] == 0 {
				t.remove(i)
			}
		}
		t.track.CloseGaps()
		t.report.Flown += flown
	}
}

// remove removes a triangle, with the vertices that have no other.
func (t *Tracker) remove(i int32) {
	mesh := &t.track.Mesh
	corners := mesh.Triangle[i]
	mesh.RemoveTriangle(i)
	for _, v := range corners {
		if len(mesh.VertexTriangles[v]) == 0 {
			mesh.RemoveVertex(v)
		}
	}
}

// findPieces measures the pieces, and lists the triangles of those that may fly.
func (t *Tracker) findPieces() {
	mesh, s := &t.track.Mesh, &t.flying
	n := len(mesh.Position)
	s.root, s.volume, s.box = mesh.Connected(s.root), arrays.Resize(s.volume, n), arrays.Resize(s.box, n)
	clear(s.volume)
	for v, x := range mesh.Position {
		s.box[v] = r3.Box{Min: x, Max: x}
	}
	for v, root := range s.root {
		s.box[root] = r3.Box{Min: boxes.Min(s.box[root].Min, mesh.Position[v]), Max: boxes.Max(s.box[root].Max, mesh.Position[v])}
	}
	for i, v := range mesh.Triangle {
		if v[0] != trimesh.Gone {
			a, b, c := mesh.Corners(int32(i))
			root := s.root[v[0]]
			s.volume[root] += geom.Sixfold(mesh.Position[root], a, b, c) / 6
		}
	}
	s.listed = s.listed[:0]
	most := float64(mostFlying * t.in.CellSize * t.in.CellSize * t.in.CellSize)
	for i, v := range mesh.Triangle {
		if v[0] == trimesh.Gone {
			continue
		}
		if volume := s.volume[s.root[v[0]]]; volume > 0 && volume <= most {
			s.listed = append(s.listed, int32(i))
		}
	}
	slices.SortFunc(s.listed, func(i, j int32) int {
		return cmp.Or(cmp.Compare(s.root[mesh.Triangle[i][0]], s.root[mesh.Triangle[j][0]]), cmp.Compare(i, j))
	})
}

// flies tells whether a piece holds no row: none of the cells of which it fills more than all other liquid does is one. What is in solids, beyond
// the domain's sides or at thin walls does not fly.
func (t *Tracker) flies(rows *track.Rows, piece int32, triangles []int32) bool {
	s, origin, h := &t.flying, t.in.Tiles.Origin, t.in.CellSize
	if !s.cells.cover(&s.box[piece], reproducible.Vector(origin), h) {
		return false
	}
	s.fractions.MeasurePart(&t.track.Mesh, triangles, reproducible.Vector(origin), h)
	n := s.cells.len()
	s.part, s.all, s.row = arrays.Resize(s.part, n), arrays.Resize(s.all, n), arrays.Resize(s.row, n)
	s.fractions.Box(s.part, s.cells.first, s.cells.count)
	t.parts.of.Box(s.all, s.cells.first, s.cells.count)
	s.around = s.cells.box(origin, h)
	rows.Find(s.row, s.around)
	open := false
	for i, part := range s.part {
		if !(part > leastPart) {
			s.part[i] = 0
			continue
		}
		if s.row[i]&track.IsFixed != 0 || part >= s.all[i]/2 && s.row[i]&track.IsRow != 0 {
			return false
		}
		open = open || s.row[i]&track.IsOpen != 0
	}
	return open
}

// cover makes the range that of the cells that a box overlaps, if they are not too many.
func (r *cellRange) cover(box *r3.Box, origin r3.Vec, h float64) bool {
	low, high := reproducible.Array(r3.Sub(box.Min, origin)), reproducible.Array(r3.Sub(box.Max, origin))
	n := 1
	for a := range 3 {
		r.first[a] = int(math.Floor(low[a] / h))
		r.count[a] = int(math.Floor(high[a]/h)) - r.first[a] + 1
		if r.count[a] > mostBox {
			return false
		}
		n *= r.count[a]
	}
	return n <= mostBox
}

func (r *cellRange) len() int { return r.count[0] * r.count[1] * r.count[2] }

// box is that of the cells.
func (r *cellRange) box(origin [3]float64, h float64) track.Box {
	for a := range origin {
		origin[a] += float64(float64(r.first[a]) * h)
	}
	return track.Box{Low: reproducible.Vector(origin), Edge: h, Count: r.count}
}

// launch makes a droplet of a piece, with the mean velocity of its volume, and what gravity adds as the grid adds it to its liquid. It is false if there
// is no room for it.
func (t *Tracker) launch(piece int32, triangles []int32, dt float64) bool {
	s, spray := &t.flying, t.in.Spray
	at, velocity := t.track.Mesh.Mean(triangles, t.track.Velocity)
	velocity = r3.Add(velocity, reproducible.Scale(dt, reproducible.Vector(spray.Gravity)))
	if !spray.Add(single(at), single(velocity), radiusOf(s.volume[piece])) {
		return false
	}
	s.volume[piece] = 0
	return true
}
