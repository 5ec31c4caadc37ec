package control

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

const (
	// maxCoord is the largest coordinate, m. maxSpeed is the largest velocity component, m/s: more than the difference of two positions over
	// minStep.
	maxCoord = 1e9
	maxSpeed = 1e17
	// maxVertices lets three indices per vertex fit in an int32.
	maxVertices = 1 << 28
	// maxRate is the greatest rate of a clock by another: velocities times it are far from overflow.
	maxRate = 1e9

	// maxTime is the largest time, s: some 30 years, in which a float64 still resolves microseconds.
	maxTime = 1e9
)

// revision returns a checksum of triangles; never 0.
func revision(triangles [][3]int32) uint64 {
	var b [12]byte
	sum := codec.Checksum(0, []byte("triangles"))
	for _, t := range triangles {
		for k, v := range t {
			binary.LittleEndian.PutUint32(b[4*k:], uint32(v))
		}
		sum = codec.Checksum(sum, b[:])
	}
	return max(sum, 1)
}

// checkTriangles returns an error if triangles over n vertices are not a closed, oriented manifold: by indices, and by edges that two triangles must
// share in opposite directions.
func checkTriangles(n int, triangles [][3]int32) error {
	if n > maxVertices {
		return fmt.Errorf("%d vertices; must be at most %d", n, maxVertices)
	}
	if len(triangles) < 4 {
		return fmt.Errorf("%d triangles; a closed mesh has at least 4", len(triangles))
	}
	if len(triangles) > 2*maxVertices {
		return fmt.Errorf("%d triangles; must be at most %d", len(triangles), 2*maxVertices)
	}
	for i, t := range triangles {
		for _, v := range t {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("triangle %d has index %d; must be 0 to %d", i, v, n-1)
			}
		}
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			return fmt.Errorf("triangle %d is %v; its three vertices must differ", i, t)
		}
	}
	return checkEdges(sortedEdges(triangles))
}

// edge is one side of a triangle.
type edge struct {
	lo, hi int32 // its vertices
	corner int32 // 3 times the triangle, plus the corner at which the side begins
	back   bool  // it runs from hi to lo
}

// sortedEdges returns the sides of all triangles, sorted by their vertices.
func sortedEdges(triangles [][3]int32) []edge {
	edges := make([]edge, 0, 3*len(triangles))
	for i, t := range triangles {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			edges = append(edges, edge{min(a, b), max(a, b), int32(3*i + k), a > b})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		switch {
		case a.lo != b.lo:
			return int(a.lo) - int(b.lo)
		case a.hi != b.hi:
			return int(a.hi) - int(b.hi)
		}
		return int(a.corner) - int(b.corner)
	})
	return edges
}

// checkEdges returns an error if edges are open, shared by more than two triangles, or run along twice in one direction.
func checkEdges(edges []edge) error {
	var open, crowded, twisted int
	var first [3]edge
	for i := 0; i < len(edges); {
		j := i + 1
		for j < len(edges) && edges[j].lo == edges[i].lo && edges[j].hi == edges[i].hi {
			j++
		}
		switch {
		case j-i == 1:
			if open++; open == 1 {
				first[0] = edges[i]
			}
		case j-i > 2:
			if crowded++; crowded == 1 {
				first[1] = edges[i]
			}
		case edges[i].back == edges[i+1].back:
			if twisted++; twisted == 1 {
				first[2] = edges[i]
			}
		}
		i = j
	}
	switch {
	case open > 0:
		return fmt.Errorf("the mesh is open: %d edges have one triangle, the first between vertices %d and %d; each must have two", open, first[0].lo, first[0].hi)
	case crowded > 0:
		return fmt.Errorf("the mesh is not manifold: %d edges have more than two triangles, the first between vertices %d and %d; each must have two", crowded, first[1].lo, first[1].hi)
	case twisted > 0:
		return fmt.Errorf("the triangles are not oriented alike: %d edges are run along twice in one direction, the first between vertices %d and %d; "+
			"must be once in each, counter-clockwise seen from outside", twisted, first[2].lo, first[2].hi)
	}
	return nil
}

// checkConnected returns an error if a closed mesh over n vertices has several pieces, unused vertices, or vertices whose triangles
// form more than one fan.
func checkConnected(n int, triangles [][3]int32) error {
	var pieces, fans geom.Sets
	pieces.Reset(len(triangles))
	fans.Reset(3 * len(triangles))
	edges := sortedEdges(triangles)
	for i := 0; i+1 < len(edges); i += 2 { // checkEdges has seen that they come in pairs
		a, b := edges[i].corner, edges[i+1].corner
		pieces.Join(a/3, b/3)
		fans.Join(a, next(b)) // the two sides run in opposite directions
		fans.Join(next(a), b)
	}
	count := 0
	for i := range pieces {
		if pieces[i] == int32(i) {
			count++
		}
	}
	fanOf := make([]int32, n)
	for i := range fanOf {
		fanOf[i] = -1
	}
	pinched, at := 0, int32(-1)
	for i := range fans {
		v, fan := triangles[i/3][i%3], fans.Find(int32(i))
		switch {
		case fanOf[v] == -1:
			fanOf[v] = fan
		case fanOf[v] >= 0 && fanOf[v] != fan:
			fanOf[v] = -2
			if pinched++; at < 0 {
				at = v
			}
		}
	}
	unused := 0
	for _, fan := range fanOf {
		if fan == -1 {
			unused++
		}
	}
	switch {
	case unused > 0:
		return fmt.Errorf("%d of %d vertices are in no triangle, the first is %d; each must be in one", unused, n, slices.Index(fanOf, -1))
	case count > 1:
		return fmt.Errorf("the mesh is not connected: it is in %d pieces; must be in one", count)
	case pinched > 0:
		return fmt.Errorf("the mesh is not manifold: at %d vertices triangles only touch, the first is %d; those of a vertex must form one fan", pinched, at)
	}
	return nil
}

// next returns the next corner of a corner's triangle.
func next(corner int32) int32 { return corner - corner%3 + (corner+1)%3 }

// checkVectors returns an error that names the first vector, of the slice named what, with a component outside of ±most.
func checkVectors(what string, v []r3.Vec, most float64, unit string) error {
	for i, p := range v {
		if !inRange(p, most) {
			return fmt.Errorf("%s[%d]: %v %s; coordinates must be within ±%g", what, i, p, unit, most)
		}
	}
	return nil
}

func inRange(p r3.Vec, most float64) bool {
	return math.Abs(p.X) <= most && math.Abs(p.Y) <= most && math.Abs(p.Z) <= most
}

// checkVolume returns an error if a mesh encloses no positive volume.
func checkVolume(positions []r3.Vec, triangles [][3]int32) error {
	v := geom.Volume(positions, triangles)
	if v > flat*boxVolume(positions) {
		return nil
	}
	if v < -flat*boxVolume(positions) {
		return fmt.Errorf("the volume is %.4g m³; must be > 0: triangles must be counter-clockwise seen from outside", v)
	}
	return fmt.Errorf("the volume is %.4g m³; must be > 0", v)
}

// flat is the greatest relative volume of rounding, over that of the bounds: that of a flat mesh far from the origin.
const flat = 1e-12

// boxVolume returns the volume of a cube around positions, m³.
func boxVolume(positions []r3.Vec) float64 {
	s := boxes.Around(positions).Size()
	side := max(s.X, s.Y, s.Z)
	return side * side * side
}

// checkTime returns an error if a time, named what, is out of its limits.
func checkTime(what string, t float64) error {
	if !(math.Abs(t) <= maxTime) {
		return fmt.Errorf("%s: %g s; must be within ±%g s", what, t, maxTime)
	}
	return nil
}
