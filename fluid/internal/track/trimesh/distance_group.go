package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A query of the mesh's boxes finds triangles in the order of its tree, so that those that follow each other are neighbours. Groups of fan of them, of as many groups
// and so on are searched like a tree.
const (
	groupFan    = 4
	groupLevels = 4
)

// group is what holds some triangles: a box, by its middle and half of its sides, a little more. On the levels below discLevels it is also
// a disc around the middle, with a unit normal, or 0, that they do not stand out of by more than thick on either side.
type group struct {
	middle, half, normal r3.Vec
	radius, thick        float64
}

// discLevels have few triangles, which are nearly in one plane on most surfaces: a box aslant to that is much larger than the disc.
const discLevels = 2

// gather prepares the triangles that have been found.
func (q *Probe) gather() {
	q.faces = arrays.Resize(q.faces, len(q.found))
	for i, t := range q.found {
		a, b, c := q.mesh.Corners(t)
		q.faces[i].set(t, a, b, c)
	}
	n, size := len(q.faces), 1
	for l := range q.group {
		size *= groupFan
		count := (n + size - 1) / size
		q.group[l] = arrays.Resize(q.group[l], count)
		for g := range q.group[l] {
			if l == 0 {
				q.group[l][g] = aroundFaces(q.faces[g*size : min(n, (g+1)*size)])
			} else {
				q.group[l][g] = aroundGroups(q.group[l-1][g*groupFan : min(len(q.group[l-1]), (g+1)*groupFan)])
			}
			if l < discLevels {
				q.group[l][g].flatten(q.faces[g*size : min(n, (g+1)*size)])
			}
		}
	}
}

func aroundFaces(faces []face) group {
	box := r3.Box{Min: faces[0].A, Max: faces[0].A}
	for i := range faces {
		f := &faces[i]
		b, c := r3.Add(f.A, f.AB), r3.Add(f.A, f.AC)
		box.Min, box.Max = boxes.Min(box.Min, boxes.Min(f.A, boxes.Min(b, c))), boxes.Max(box.Max, boxes.Max(f.A, boxes.Max(b, c)))
	}
	return groupAround(box)
}

func aroundGroups(groups []group) group {
	box := r3.Box{Min: groups[0].middle, Max: groups[0].middle}
	for _, g := range groups {
		box.Min, box.Max = boxes.Min(box.Min, r3.Sub(g.middle, g.half)), boxes.Max(box.Max, r3.Add(g.middle, g.half))
	}
	return groupAround(box)
}

func groupAround(box r3.Box) group {
	half := reproducible.Scale(.5, r3.Sub(box.Max, box.Min))
	return group{middle: r3.Add(box.Min, half), half: reproducible.Scale(1+tie, half)}
}

// flatten finds the disc.
func (g *group) flatten(faces []face) {
	var n r3.Vec
	for i := range faces {
		n = r3.Add(n, faces[i].normal)
	}
	if size := reproducible.Norm(n); size > 0 {
		g.normal = reproducible.Scale(1/size, n)
	}
	thick, far2 := 0., 0.
	for i := range faces {
		d := r3.Sub(faces[i].A, g.middle)
		for _, d := range [3]r3.Vec{d, r3.Add(d, faces[i].AB), r3.Add(d, faces[i].AC)} {
			height := reproducible.Dot(d, g.normal)
			thick, far2 = max(thick, math.Abs(height)), max(far2, reproducible.Norm2(d)-float64(height*height))
		}
	}
	g.radius, g.thick = math.Sqrt(far2)*(1+tie), thick*(1+tie)
}

// mayHold tells whether the disc is within a distance of a place.
func (g *group) mayHold(x *r3.Vec, within2 float64) bool {
	dx, dy, dz := x.X-g.middle.X, x.Y-g.middle.Y, x.Z-g.middle.Z
	height := float64(dx*g.normal.X) + float64(dy*g.normal.Y) + float64(dz*g.normal.Z)
	over := math.Abs(height) - g.thick
	over = .5 * (over + math.Abs(over)) // not below 0
	room := within2 - float64(over*over)
	if room < 0 {
		return false
	}
	aside := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) - float64(height*height)
	rim := math.Sqrt(room) + g.radius
	return aside <= float64(rim*rim)
}

// distance2 is the squared distance of a place to a group's box.
func (g *group) distance2(x *r3.Vec) float64 {
	a, b, c := math.Abs(x.X-g.middle.X)-g.half.X, math.Abs(x.Y-g.middle.Y)-g.half.Y, math.Abs(x.Z-g.middle.Z)-g.half.Z
	// |a| + a is twice a, or 0 if that is negative.
	a, b, c = a+math.Abs(a), b+math.Abs(b), c+math.Abs(c)
	return .25 * (float64(a*a) + float64(b*b) + float64(c*c))
}

// search finds what is nearest to each node. The triangles that are nearest to the nodes before it along each axis are good ones to begin with: one of these is in most cases the nearest; where a search has kept far off all triangles, the nodes
// beyond need none.
func (q *Probe) search(b *NodeBox, limit float64) {
	nx, ny := b.Count[0], b.Count[1]
	top := groupLevels - 1
	for k := range b.Count[2] {
		for j := range ny {
			for i := range nx {
				at := i + nx*(j+ny*k)
				s := &q.nodes[at]
				*s = nodeState{best: limit, triangle: Gone}
				x := b.at(i, j, k)
				var near [3]int32 // different ones
				n := 0
				if i > 0 {
					n = q.before(s, at-1, &near, n)
				}
				if j > 0 {
					n = q.before(s, at-nx, &near, n)
				}
				if k > 0 {
					n = q.before(s, at-nx*ny, &near, n)
				}
				if s.free -= b.Spacing; s.free > limit*(1+tie) {
					continue
				}
				for _, f := range near[:n] {
					q.improve(s, &x, &q.faces[f], f)
				}
				if least2 := q.descend(s, &x, top, 0, len(q.group[top]), math.Inf(1)); s.triangle == Gone {
					s.free = math.Sqrt(least2)
				}
			}
		}
	}
}

// before takes over what is known of a node next to another one: how far off all triangles are, and the place of the nearest one, if it is not among n already. It returns
// how many these are.
func (q *Probe) before(s *nodeState, at int, near *[3]int32, n int) int {
	o := &q.nodes[at]
	s.free = max(s.free, o.free)
	if o.triangle == Gone || slices.Contains(near[:n], o.face) {
		return n
	}
	near[n] = o.face
	return n + 1
}

// descend looks into those of some groups that may hold something as near as what is known. It returns a squared distance that everything is beyond if it finds nothing, at most least2.
func (q *Probe) descend(s *nodeState, x *r3.Vec, level, first, end int, least2 float64) float64 {
	groups := q.group[level][first:end]
	for i := range groups {
		within2 := float64(s.best*s.best) * (1 + 4*tie)
		if level < discLevels {
			if !groups[i].mayHold(x, within2) {
				least2 = min(least2, within2)
				continue
			}
		} else if d2 := groups[i].distance2(x); d2 > within2 {
			least2 = min(least2, d2)
			continue
		}
		below := (first + i) * groupFan
		if level > 0 {
			least2 = q.descend(s, x, level-1, below, min(below+groupFan, len(q.group[level-1])), least2)
			continue
		}
		for i := below; i < min(below+groupFan, len(q.faces)); i++ {
			f := &q.faces[i]
			if f.t == s.triangle {
				continue
			}
			if f.mayBe(x, s.best) {
				q.improve(s, x, f, int32(i))
			}
			least2 = min(least2, within2)
		}
	}
	return least2
}
