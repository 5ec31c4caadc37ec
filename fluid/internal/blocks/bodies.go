package blocks

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// job is one body in one block, and what was found there.
type job struct {
	body  int32
	base  int32
	key   key // of the block when it was measured
	at    *Body
	faces []solidFace
	cells []solidCell
	hit   bool
}

type solidFace struct {
	axis  uint8
	slot  int32
	at    [3]uint8 // place in the block
	solid float64  // fraction of the area
	taken float64  // of it, what no solid before this one had
	x     r3.Vec   // centroid of the solid part, m
	end   bool     // the face is on the high end of the grid, and the slot that of the cell below
}

// solidCell is a cell that the body fills in part or touches.
type solidCell struct {
	cell  int32
	solid float64 // fraction of the volume
	taken float64 // likewise, of what the liquid has; less than 0 where a thin wall leaves more than the cell
	x     r3.Vec  // centroid of the solid part, m
}

// touching, in edges of a cell, is how near to a cell's nearest corner a body counts as at the cell.
const touching = .75

// bodyJobs is the jobs of one body. What is kept beyond len is memory.
type bodyJobs []job

// next lengthens the list by one job with the memory, and perhaps the findings, of an old one.
func (l *bodyJobs) next() *job {
	if n := len(*l); n < cap(*l) {
		*l = (*l)[:n+1]
	} else {
		*l = append(*l, job{base: grid.None})
	}
	return &(*l)[len(*l)-1]
}

// addJobs queues the blocks that a body's bounds, one coarsest-of-them cell wider, reach. Those
// of a body that stands still are not measured again.
func (d *Discretiser) addJobs(i int32, body *Body) {
	g := d.g
	p := g.ToPoint(body.Bounds.Min.X, body.Bounds.Min.Y, body.Bounds.Min.Z)
	q := g.ToPoint(body.Bounds.Max.X, body.Bounds.Max.Y, body.Bounds.Max.Z)
	lo := [3]int{inside(p.X-.5, g.Dim[0]), inside(p.Y-.5, g.Dim[1]), inside(p.Z-.5, g.Dim[2])}
	hi := [3]int{inside(q.X+.5, g.Dim[0]), inside(q.Y+.5, g.Dim[1]), inside(q.Z+.5, g.Dim[2])}
	list := &d.jobs[i]
	known := len(*list)
	*list = (*list)[:0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				j, base := list.next(), g.BaseAt(x, y, z)
				now := d.keyOf(base)
				if !body.Still || len(*list) > known || j.base != base || j.key != now {
					d.queue = append(d.queue, jobAt{i, int32(len(*list) - 1)})
				}
				j.body, j.base, j.key, j.at = i, base, now, body
			}
		}
	}
}

// jobAt is where a job is: the body and the entry in its list.
type jobAt struct{ body, entry int32 }

// inside clamps a coordinate in base cells to an index.
func inside(v float64, n int) int {
	if !(v > 0) {
		return 0
	}
	return int(min(v, float64(n-1)))
}

func (d *Discretiser) runJob(s *scratch, j *job) {
	j.faces, j.cells = j.faces[:0], j.cells[:0]
	k := d.block(j.base)
	s.pts = append(s.pts[:0], k.middle())
	j.at.Distance(s.dist[:1], s.pts)
	if j.hit = float64(s.dist[0]) <= k.reach(); !j.hit {
		return
	}
	s.finest = finestCut
	if j.at.Sheet {
		s.finest = finestSheet
	}
	lo, hi := k.span(j.at)
	d.nodeDistances(s, &k, lo, hi, j.at.Distance)
	d.jobFaces(s, j, &k, lo, hi)
	s.jobCells(j, &k)
	if j.at.Thin {
		d.shutThin(s, &k, lo, hi, j.at.Distance, j.at.Sheet, func(a, slot int) { j.shut(d.g, &k, a, slot) })
		for i := range j.cells {
			if room := s.room[j.cells[i].cell-k.first]; room >= 0 {
				j.cells[i].taken = 1 - float64(room)
			}
		}
	}
}

// jobFaces notes the faces of the block's cells lo ≤ cell < hi that the body covers a part of, and in
// s.near the cells that it comes near to.
func (d *Discretiser) jobFaces(s *scratch, j *job, k *block, lo, hi [3]int) {
	level := d.g.Cur.Level[j.base]
	s.near, s.pts = s.near[:0], s.pts[:0]
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				at := [3]int{x, y, z}
				c := k.first + int32(x+k.n*(y+k.n*z))
				cd := cube(s, k, at)
				nearest, _ := extent(&cd)
				if nearest < touching {
					s.near = append(s.near, nearCell{c, at, cd})
					s.pts = append(s.pts, k.centre(x, y, z))
				}
				// A composite face on the low side reaches beyond the cell it is stored at.
				if nearest >= touch && x > 0 && y > 0 && z > 0 {
					continue
				}
				for a := range 3 {
					d.solidFace(s, j, k, level, a, at, c)
					if at[a] == k.n-1 && d.g.Neighbour[k.b][2*a+1] == grid.None {
						d.solidEnd(s, j, k, a, at, c)
					}
				}
			}
		}
	}
}

// nearCell is a cell that a body comes near to, and its distances at the corners, in cells.
type nearCell struct {
	cell    int32
	at      [3]int
	corners [8]float64
}

// jobCells measures what the body fills of the cells in s.near.
func (s *scratch) jobCells(j *job, k *block) {
	middle := s.mids[:len(s.pts)]
	j.at.Distance(middle, s.pts)
	for i := range s.near {
		c := &s.near[i]
		solid, x := s.solidVolume(j.at.Distance, k, c.at, &c.corners, float64(middle[i])/k.h)
		j.cells = append(j.cells, solidCell{c.cell, solid, solid, k.inCell(c.at, x)})
	}
}

// span is the cells of the block, lo ≤ cell < hi, that a body's bounds come near. It is even, so
// that no composite face is cut in two.
func (k *block) span(body *Body) (lo, hi [3]int) {
	from := [3]float64{body.Bounds.Min.X, body.Bounds.Min.Y, body.Bounds.Min.Z}
	to := [3]float64{body.Bounds.Max.X, body.Bounds.Max.Y, body.Bounds.Max.Z}
	for a := range 3 {
		lo[a] = inside((from[a]-k.lo[a])/k.h-1, k.n) &^ 1
		hi[a] = min(k.n, (inside((to[a]-k.lo[a])/k.h+1, k.n)+2)&^1)
	}
	return lo, hi
}

// solidFace notes a face of which the body covers a part.
func (d *Discretiser) solidFace(s *scratch, j *job, k *block, level uint8, a int, at [3]int, c int32) {
	size := 1
	if at[a] == 0 {
		if nb := d.g.Neighbour[k.b][2*a]; nb != grid.None && d.g.Cur.Level[nb] < level {
			if d.covered(k, a, at) {
				return
			}
			size = 2
		}
	}
	solid, cx, cy := s.solidArea(j.at.Distance, k, a, at, size)
	if solid = tidy(solid); solid == 0 {
		return
	}
	j.faces = append(j.faces, solidFace{uint8(a), c, [3]uint8{uint8(at[0]), uint8(at[1]), uint8(at[2])}, solid, 0, k.onFace(a, at, cx, cy), false})
}

// solidEnd notes the part that the body covers of the wall at the high end of the grid.
func (d *Discretiser) solidEnd(s *scratch, j *job, k *block, a int, at [3]int, c int32) {
	at[a]++
	solid, cx, cy := s.solidArea(j.at.Distance, k, a, at, 1)
	if solid = tidy(solid); solid > 0 {
		j.faces = append(j.faces, solidFace{uint8(a), c, [3]uint8{uint8(at[0]), uint8(at[1]), uint8(at[2])}, solid, solid, k.onFace(a, at, cx, cy), true})
	}
}

// onFace is the point of a face (u, v) cells along the two axes after a.
func (k *block) onFace(a int, at [3]int, u, v float64) r3.Vec {
	f := [3]float64{float64(at[0]), float64(at[1]), float64(at[2])}
	f[(a+1)%3] += u
	f[(a+2)%3] += v
	return r3.Vec{X: k.lo[0] + f[0]*k.h, Y: k.lo[1] + f[1]*k.h, Z: k.lo[2] + f[2]*k.h}
}

// inCell is the point of a cell m of its edges from its low corner.
func (k *block) inCell(at [3]int, m [3]float64) r3.Vec {
	return r3.Vec{X: k.lo[0] + (float64(at[0])+m[0])*k.h, Y: k.lo[1] + (float64(at[1])+m[1])*k.h, Z: k.lo[2] + (float64(at[2])+m[2])*k.h}
}

// shut covers a face wholly: a thin wall stands across it.
func (j *job) shut(g *grid.Grid, k *block, a, slot int) {
	i := slot - int(k.first)
	at := [3]int{i % k.n, i / k.n % k.n, i / (k.n * k.n)}
	if at[a] == 0 {
		nb := g.Neighbour[k.b][2*a]
		if nb == grid.None {
			return
		}
		if g.Cur.Level[nb] < g.Cur.Level[k.b] {
			at[(a+1)%3] &^= 1
			at[(a+2)%3] &^= 1
			slot = int(k.first) + at[0] + k.n*(at[1]+k.n*at[2])
		}
	}
	for f := range j.faces {
		if j.faces[f].slot == int32(slot) && j.faces[f].axis == uint8(a) && !j.faces[f].end {
			j.faces[f].solid, j.faces[f].x = 1, k.onFace(a, at, .5, .5)
			return
		}
	}
	j.faces = append(j.faces, solidFace{uint8(a), int32(slot), [3]uint8{uint8(at[0]), uint8(at[1]), uint8(at[2])}, 1, 0, k.onFace(a, at, .5, .5), false})
}

// merge takes the body's share off the open fractions, in the order of the jobs, and leaves in
// each solidFace what the body really took. Behind a wall the body takes what it covers: the wall
// is shut anyway, but what the body covers of it no liquid presses on, and without that the
// body's patch in the cell would seem to lean.
func (d *Discretiser) merge(j *job) {
	d.cut[j.base] = true
	for i := range j.faces {
		f := &j.faces[i]
		if f.end {
			continue
		}
		open := &d.Open[f.axis][f.slot]
		if d.fixedOpen[f.axis][f.slot] == 0 {
			f.taken = f.solid
			continue
		}
		if f.taken = min(f.solid, *open); *open-f.taken < least {
			f.taken = *open
		}
		*open -= f.taken
	}
	h := d.g.CellSize(d.g.Cur.Level[j.base])
	for _, c := range j.cells {
		d.Volume[c.cell] = max(0, d.Volume[c.cell]-float32(c.taken*h*h*h))
	}
}

// wet gathers each body's K from the faces it covers: the wetted patch of a cell is minus
// the solid parts of its faces, and so are its area vector and its moment.
func (d *Discretiser) wet(bodies int) {
	gr := d.gr
	for len(gr.Bodies) < bodies {
		gr.Bodies = append(gr.Bodies, graph.Wetting{})
	}
	gr.Bodies = gr.Bodies[:bodies]
	for b := range gr.Bodies {
		w := &gr.Bodies[b]
		w.Row, w.K, w.Gap = w.Row[:0], w.K[:0], w.Gap[:0]
		w.More, w.Less = [6][6]float64{}, [6][6]float64{}
		w.Area, w.Volume, w.Whole = 0, 0, 0
	}
	d.pool.For(len(gr.Bodies), 1, d.wetChunk)
}

// patch is where a body meets the liquid of one row.
type patch struct {
	k [6]float64
	// gap is, per axis, the liquid between the plane through the row's centre and the body's
	// surface: volume, first and second moments along the next two axes about the body's centre. It is
	// the half cells on the faces that the body covers less the part of the cell that it fills.
	gap [3][6]float64
}

// add puts a volume v at an arm x into an axis's gap.
func (p *patch) add(a int, v float64, x [3]float64) {
	y, z := x[(a+1)%3], x[(a+2)%3]
	for i, m := range [6]float64{1, y, z, y * y, y * z, z * z} {
		p.gap[a][i] += v * m
	}
}

// inertia adds liquid of unit density that gives way along an axis only: v w wᵀ with w the wrench of
// a unit force along the axis.
func inertia(to *[6][6]float64, a int, gap *[6]float64) {
	// A force along a at y and z along the next two axes turns by z about the first, -y about the second.
	i, j, k := a, 3+(a+1)%3, 3+(a+2)%3
	to[i][i] += gap[0]
	to[i][j] += gap[2]
	to[j][i] += gap[2]
	to[i][k] -= gap[1]
	to[k][i] -= gap[1]
	to[j][j] += gap[5]
	to[j][k] -= gap[4]
	to[k][j] -= gap[4]
	to[k][k] += gap[3]
}

func (d *Discretiser) wetBody(s *scratch, w *graph.Wetting, jobs []job) {
	for len(s.ids) < d.gr.Rows {
		s.ids = append(s.ids, -1)
	}
	s.met = s.met[:0]
	line := d.waterline(jobs)
	for i := range jobs {
		if j := &jobs[i]; j.hit {
			k := d.block(j.base)
			for f := range j.faces {
				d.wetFace(s, w, &k, &j.faces[f], j.at.Centre)
			}
		}
	}
	for i := range jobs {
		if j := &jobs[i]; j.hit {
			k := d.block(j.base)
			for c := range j.cells {
				d.wetCell(s, w, &line, &k, &j.cells[c], j.at.Centre)
			}
		}
	}
	slices.Sort(w.Row)
	for _, r := range w.Row {
		p := &s.met[s.ids[r]]
		w.K = append(w.K, p.k)
		w.Area += r3.Norm(r3.Vec{X: p.k[0], Y: p.k[1], Z: p.k[2]})
		w.Gap = append(w.Gap, [3]float64{p.gap[0][0], p.gap[1][0], p.gap[2][0]})
		for a := range p.gap {
			if p.gap[a][0] > 0 {
				inertia(&w.More, a, &p.gap[a])
			} else {
				inertia(&w.Less, a, &p.gap[a])
			}
		}
		s.ids[r] = -1
	}
}

// wetCell adds a cell's share to the body's volume, and takes what it fills of a row's cell off the gaps.
func (d *Discretiser) wetCell(s *scratch, w *graph.Wetting, line *waterline, k *block, c *solidCell, centre r3.Vec) {
	solid := c.solid * k.h * k.h * k.h
	w.Volume += solid * d.fill(line, k, c)
	w.Whole += solid
	if r := d.Row[c.cell]; r >= 0 && s.ids[r] >= 0 {
		arm := r3.Sub(c.x, centre)
		for a := range 3 {
			s.met[s.ids[r]].add(a, -solid, [3]float64{arm.X, arm.Y, arm.Z})
		}
	}
}

func (d *Discretiser) wetFace(s *scratch, w *graph.Wetting, k *block, f *solidFace, centre r3.Vec) {
	if f.taken == 0 {
		return
	}
	a := int(f.axis)
	at := [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])}
	area := f.taken * k.h * k.h
	if !f.end {
		area = f.taken * d.area(k, a, at)
	}
	arm := r3.Sub(f.x, centre)
	if f.end {
		d.spread(s, w, side{[4]int32{f.slot}, 1}, a, area, arm, 1)
		return
	}
	lo, hi := d.sides(k, a, at)
	d.spread(s, w, lo, a, area, arm, 1)
	d.spread(s, w, hi, a, area, arm, -1)
}

// spread adds a face's share to the rows of one side.
func (d *Discretiser) spread(s *scratch, w *graph.Wetting, on side, a int, area float64, arm r3.Vec, sign float64) {
	area /= float64(on.n)
	x := [3]float64{arm.X, arm.Y, arm.Z}
	var n [3]float64
	n[a] = sign * area
	m := r3.Cross(arm, r3.Vec{X: n[0], Y: n[1], Z: n[2]})
	v := [6]float64{n[0], n[1], n[2], m.X, m.Y, m.Z}
	for _, c := range on.cells[:on.n] {
		r := d.Row[c]
		if r < 0 {
			continue
		}
		e := s.ids[r]
		if e < 0 {
			e = int32(len(w.Row))
			s.ids[r] = e
			w.Row = append(w.Row, r)
			s.met = append(s.met, patch{})
		}
		p := &s.met[e]
		for i := range v {
			p.k[i] += v[i]
		}
		p.add(a, area*float64(d.gr.Size[r])/2, x)
	}
}

// eachHit calls visit for the jobs that met their body, in order.
func (d *Discretiser) eachHit(visit func(j *job)) {
	for i := range d.jobs {
		for e := range d.jobs[i] {
			if j := &d.jobs[i][e]; j.hit {
				visit(j)
			}
		}
	}
}

// Moving calls visit for every face slot that bodies which may move shut wholly, with the body and a point of
// the face, m.
func (d *Discretiser) Moving(visit func(body int32, axis uint8, slot int32, x r3.Vec)) {
	d.eachHit(func(j *job) {
		if j.at.Fixed {
			return
		}
		for f := range j.faces {
			if s := &j.faces[f]; s.taken > 0 && d.State[s.axis][s.slot] == Shut {
				visit(j.body, s.axis, s.slot, s.x)
			}
		}
	})
}
