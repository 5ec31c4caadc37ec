package meshsdf

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// orient turns whole patches so that their normals point out of the solid.
func (m *mesh) orient(patches []patch) error {
	if err := m.orientSolids(patches); err != nil {
		return err
	}
	m.orientSheets(patches)
	return nil
}

func (m *mesh) turn(p *patch) {
	faces := m.faceRun(p)
	for i, f := range faces {
		faces[i] = [3]int32{f[0], f[2], f[1]}
	}
	p.volume = -p.volume
}

// orientSolids orients patches that enclose a volume by themselves. One that is in no
// other points outwards. One inside another is a cavity where it was given the other
// way round than the one it is in, and part of it otherwise.
func (m *mesh) orientSolids(patches []patch) error {
	var order []int
	for i := range patches {
		if patches[i].countsAsSolid() {
			order = append(order, i)
		}
	}
	if len(order) > MaxPieces {
		return fmt.Errorf("the mesh is in %d closed pieces; at most %d are taken", len(order), MaxPieces)
	}
	slices.SortStableFunc(order, func(a, b int) int { // large first: parents before children
		return cmp.Compare(math.Abs(patches[b].volume), math.Abs(patches[a].volume))
	})
	given, out := make([]float64, len(order)), make([]float64, len(order))
	trees := make([]*geom.TriangleTree, len(order))
	for k, i := range order {
		p := &patches[i]
		given[k], out[k] = 1, 1
		if p.volume < 0 {
			given[k] = -1
		}
		for j := k - 1; j >= 0; j-- { // the smallest that holds it
			q := &patches[order[j]]
			if !boxHolds(q, p) {
				continue
			}
			if trees[j] == nil {
				trees[j] = geom.NewTriangleTree(m.verts, m.faceRun(q))
			}
			if m.holds(trees[j], p) {
				out[k] = out[j] * given[k] * given[j]
				break
			}
		}
		// The tree of an already turned parent has been built from its turned faces, or
		// before: holds looks at the magnitude only.
		if given[k] != out[k] {
			m.turn(p)
		}
	}
	return nil
}

func boxHolds(q, p *patch) bool {
	return boxes.Contains(q.box, p.box.Min) && boxes.Contains(q.box, p.box.Max)
}

// holds reports whether samples all over p are inside the patch t was built from.
func (m *mesh) holds(t *geom.TriangleTree, p *patch) bool {
	const samples = 9
	for k := range samples {
		f := m.faces[p.first+k*p.count/samples]
		if math.Abs(t.WindingNumber(m.centroid(f), -1)) < 0.5 {
			return false
		}
	}
	return true
}

// orientSheets orients the other patches by rays from both sides: a side from which
// rays cross the mesh an even number of times is outside (Takayama et al. 2014). A patch
// whose rays do not agree is given or reversed as the others are.
func (m *mesh) orientSheets(patches []patch) {
	var unsure []*patch
	var asGiven, reversed float64
	var t *geom.TriangleTree
	for i := range patches {
		p := &patches[i]
		if p.countsAsSolid() {
			continue
		}
		if t == nil {
			t = geom.NewTriangleTree(m.verts, m.faces)
		}
		vote := m.rayVote(t, p)
		switch {
		case math.Abs(vote) < 0.2:
			unsure = append(unsure, p)
		case vote < 0:
			m.turn(p)
			reversed += p.area
		default:
			asGiven += p.area
		}
	}
	if reversed > asGiven {
		for _, p := range unsure {
			m.turn(p)
		}
	}
}

// rayVote is in [-1, 1]: 1 where every ray says that the patch's normals point out.
func (m *mesh) rayVote(t *geom.TriangleTree, p *patch) float64 {
	n := min(p.count, 16)
	sum := 0
	for k := range n {
		face := p.first + k*p.count/n
		f := m.faces[face]
		centre, normal := m.centroid(f), m.normal(f)
		for _, dir := range geom.Directions {
			if reproducible.Dot(dir, normal) < 0 {
				dir = reproducible.Scale(-1, dir)
			}
			front := t.Crossings(centre, dir, int32(face)) & 1
			back := t.Crossings(centre, reproducible.Scale(-1, dir), int32(face)) & 1
			sum += back - front
		}
	}
	return float64(sum) / float64(n*len(geom.Directions))
}

// dropSheets drops patches that bound nothing: where the winding number of the rest is
// an integer on both sides, a patch is a wall within the solid or a fin outside it.
// It returns the area of the fins, m². A mesh of nothing else is left as it is.
func (m *mesh) dropSheets(patches []patch) (fins float64) {
	var t *geom.TriangleTree
	dropped := make([]bool, len(patches))
	left := len(m.faces)
	for i := range patches {
		p := &patches[i]
		if p.countsAsSolid() {
			continue
		}
		if t == nil {
			t = geom.NewTriangleTree(m.verts, m.faces)
		}
		if rest, whole := m.restAround(t, p); whole {
			dropped[i] = true
			left -= p.count
			if math.Abs(rest) < 0.5 {
				fins += p.area
			}
		}
	}
	if left == 0 {
		return 0
	}
	k := 0
	m.keep(func(i int) bool {
		for i >= patches[k].first+patches[k].count {
			k++
		}
		return !dropped[k]
	})
	return fins
}

// restAround is the mean winding number of the other patches on p, and whether it is an
// integer nearly everywhere on it.
func (m *mesh) restAround(t *geom.TriangleTree, p *patch) (mean float64, whole bool) {
	n := min(p.count, 16)
	off := 0.0
	own := geom.NewTriangleTree(m.verts, m.faceRun(p))
	for k := range n {
		local := k * p.count / n
		centre := m.centroid(m.faces[p.first+local])
		w := t.WindingNumber(centre, int32(p.first+local)) - own.WindingNumber(centre, int32(local))
		mean += w / float64(n)
		off += math.Abs(w-math.Round(w)) / float64(n)
	}
	return mean, off < 0.1
}
