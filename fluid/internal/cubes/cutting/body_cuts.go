package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// bodyCuts is what bodies cut of the blocks that they reach.
type bodyCuts struct {
	topology
	domain *domain
	work   []scratch // per worker

	jobs   []bodyJobs // per body
	queue  []jobAt    // the jobs to be measured
	near   Near       // while they are
	round  int        // how often measure was called
	hits   []*job     // per base cell: the first body that touches it now, or nil
	merged []merged   // per base cell
}

// init makes room for so many base cells.
func (cuts *bodyCuts) init(bases int) {
	cuts.hits, cuts.merged = make([]*job, bases), make([]merged, bases)
}

// forget drops the jobs of the bodies from the first given on.
func (cuts *bodyCuts) forget(first int) {
	for i := first; i < len(cuts.jobs); i++ {
		cuts.jobs[i] = cuts.jobs[i][:0]
	}
}

// measure finds what the bodies cut. Liquid may be where near tells.
func (cuts *bodyCuts) measure(pool *par.Pool, bodies []rigid.Solid, near Near) {
	cuts.round++
	cuts.near = near
	for len(cuts.jobs) < len(bodies) {
		cuts.jobs = append(cuts.jobs, nil)
	}
	cuts.forget(len(bodies))
	cuts.queue = cuts.queue[:0]
	for i := range bodies {
		cuts.addJobs(int32(i), &bodies[i])
	}
	par.Each(pool, len(cuts.queue), 1, cuts, (*bodyCuts).runJobs)
	cuts.near = Near{}
	cuts.linkHits()
}

func (cuts *bodyCuts) runJobs(worker int, i int32) {
	p := cuts.queue[i]
	cuts.runJob(&cuts.work[worker], &cuts.jobs[p.body][p.entry])
}

// addJobs queues the blocks that a body's bounds, one coarsest-of-them cell wider, reach. Those
// of a body that stands still are not measured again.
func (cuts *bodyCuts) addJobs(i int32, body *rigid.Solid) {
	g := cuts.g
	p := g.ToPoint(body.Bounds.Min.X, body.Bounds.Min.Y, body.Bounds.Min.Z)
	q := g.ToPoint(body.Bounds.Max.X, body.Bounds.Max.Y, body.Bounds.Max.Z)
	lo := [3]int{inside(p.X-.5, g.Dim[0]), inside(p.Y-.5, g.Dim[1]), inside(p.Z-.5, g.Dim[2])}
	hi := [3]int{inside(q.X+.5, g.Dim[0]), inside(q.Y+.5, g.Dim[1]), inside(q.Z+.5, g.Dim[2])}
	list := &cuts.jobs[i]
	known := len(*list)
	*list = (*list)[:0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				j, base := list.next(), g.BaseAt(x, y, z)
				now := cuts.keyOf(base)
				if !body.Still || j.rough || len(*list) > known || j.base != base || j.key != now {
					cuts.queue = append(cuts.queue, jobAt{i, int32(len(*list) - 1)})
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

// runJob measures a body in a block. It is a hit if there is a cell that the body touches or a face that it shuts.
func (cuts *bodyCuts) runJob(s *scratch, j *job) {
	j.faces, j.cells, j.hit, j.rough, j.round = j.faces[:0], j.cells[:0], false, false, cuts.round
	k := cuts.block(j.base)
	if j.at.Porous < 1 {
		cuts.cutJob(s, j, &k)
	}
	if j.at.Porous > 0 {
		cuts.addSamples(s, j, &k)
	}
}

// cutJob finds the faces and cells of a block that a body cuts.
func (cuts *bodyCuts) cutJob(s *scratch, j *job, k *block) {
	lo, hi, near := s.boundNear(j.at, k)
	if !near {
		return
	}
	s.finest = finestCut
	if j.at.Sheet {
		s.finest = finestSheet
	}
	s.enter(cuts.domain, k)
	s.nodeDistances(k, lo, hi, j.at.Distance)
	nearest := cuts.findCut(s, j, k, lo, hi)
	s.finish(j, k)
	if j.at.Thin && nearest < wallReach {
		cuts.shutAcross(s, j, k, lo, hi)
	}
	j.hit = j.hit || len(j.faces) > 0
	j.cells = keep(j.cells, func(c *solidCell) bool { return c.solid != 0 || c.taken != 0 })
}

// shutAcross shuts the faces that a thin body's walls stand across, and has them take what they part from the cells.
func (cuts *bodyCuts) shutAcross(s *scratch, j *job, k *block, lo, hi [3]int) {
	n := k.n * k.n * k.n
	fill(s.room[:n], -1)
	clear(s.gain[:n])
	s.listFaces(j, k)
	cuts.domain.shutThin(s, k, lo, hi, wall{j.at.Distance, j.at.Thickness, j.at.Sheet},
		func(slot int, c *crossing) { s.shut(j, cuts.g, k, slot, c) },
		func(i int, own, _ float64) { s.clipToWall(i, own) })
	for i := range j.cells {
		c := &j.cells[i]
		room, gain := s.room[c.cell-k.first], s.gain[c.cell-k.first]
		if room < 0 {
			continue
		}
		if c.taken = 1 - float64(room*(1+gain)); c.solid == 0 {
			c.x = k.cellMiddle(c.cell) // what has no solid part has no centroid of one
		}
	}
}

// wallReach, in cells, is more than the way from where a wall stands across that between the centres of two cells beside each other to the
// nearest corner of either: √3/2.
const wallReach = .87

// eachHit calls visit for the jobs that met their body, in order.
func (cuts *bodyCuts) eachHit(visit func(j *job)) {
	for i := range cuts.jobs {
		for e := range cuts.jobs[i] {
			if j := &cuts.jobs[i][e]; j.hit {
				visit(j)
			}
		}
	}
}

// Moving calls visit for every face slot of a block that bodies which may move shut wholly, with the body and a point of
// the face, m.
func (d *Discretiser) Moving(b int32, visit func(body int32, axis uint8, slot int32, x r3.Vec)) {
	for j := d.bodies.hits[b]; j != nil; j = j.next {
		if j.at.Fixed {
			continue
		}
		for f := range j.faces {
			if s := &j.faces[f]; s.taken > 0 && d.State[s.axis][s.slot] == Shut {
				visit(j.body, s.axis, s.slot, s.x)
			}
		}
	}
}
