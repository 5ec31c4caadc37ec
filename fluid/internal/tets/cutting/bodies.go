package cutting

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// job is one body at one base cell, and what was found there.
type job struct {
	body, base int32
	key        key // of the base cell when it was measured
	at         *rigid.Solid
	list       coverList
	round      int  // of merge, in which it was measured
	next       *job // at the same base cell, of the next body that is a hit there
}

// hit tells whether the body touches anything.
func (j *job) hit() bool { return len(j.list.covers)+len(j.list.pores) > 0 }

// bodyJobs is the jobs of one body. What is kept beyond len is memory.
type bodyJobs []job

// next lengthens the list by one job with the memory, and perhaps the findings, of an old one.
func (l *bodyJobs) next() *job {
	if n := len(*l); n < cap(*l) {
		*l = (*l)[:n+1]
	} else {
		*l = append(*l, job{})
	}
	return &(*l)[len(*l)-1]
}

// bodyCuts is what bodies cut of the base cells that they reach.
type bodyCuts struct {
	d     *Discretiser
	jobs  []bodyJobs // per body
	queue []jobAt    // the jobs to be measured
	hits  []*job     // per base cell: the first body that touches it now, or nil
}

// jobAt is where a job is: the body and the entry in its list.
type jobAt struct{ body, entry int32 }

// forget drops the jobs of the bodies from the first given on.
func (cuts *bodyCuts) forget(first int) {
	for i := first; i < len(cuts.jobs); i++ {
		for e := range cuts.jobs[i] {
			cuts.jobs[i][e].key[0] = unmeasured
		}
		cuts.jobs[i] = cuts.jobs[i][:0]
	}
}

// measure finds what the bodies cut.
func (cuts *bodyCuts) measure(bodies []rigid.Solid) {
	for len(cuts.jobs) < len(bodies) {
		cuts.jobs = append(cuts.jobs, nil)
	}
	cuts.forget(len(bodies))
	cuts.queue = cuts.queue[:0]
	for i := range bodies {
		cuts.addJobs(int32(i), &bodies[i])
	}
	par.Each(cuts.d.pool, len(cuts.queue), 1, cuts, (*bodyCuts).runJob)
	clear(cuts.hits)
	for i := len(cuts.jobs) - 1; i >= 0; i-- {
		for e := range cuts.jobs[i] {
			if j := &cuts.jobs[i][e]; j.hit() {
				j.next = cuts.hits[j.base]
				cuts.hits[j.base] = j
			}
		}
	}
}

// addJobs queues the base cells whose edges a body's bounds reach. Those of a body that stands still are not measured again.
func (cuts *bodyCuts) addJobs(i int32, body *rigid.Solid) {
	d := cuts.d
	list := &cuts.jobs[i]
	known := len(*list)
	*list = (*list)[:0]
	box := boxes.Grown(body.Bounds, float64(sideReach*d.domain.baseEdge))
	if whole := d.g.Whole(); !boxes.Overlap(boxes.Grown(whole, float64(sideReach*d.domain.baseEdge)), box) {
		return
	}
	lo, hi := d.g.BaseRange(box)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				j, base := list.next(), d.g.BaseAt(x, y, z)
				now := d.static.bases[base].now
				if !body.Still || len(*list) > known || j.base != base || j.key != now {
					cuts.queue = append(cuts.queue, jobAt{i, int32(len(*list) - 1)})
				}
				j.body, j.base, j.key, j.at = i, base, now, body
			}
		}
	}
}

// runJob measures a body at a base cell.
func (cuts *bodyCuts) runJob(worker int, i int32) {
	p, d := cuts.queue[i], cuts.d
	j := &cuts.jobs[p.body][p.entry]
	j.round = d.merge.round + 1
	c := cutter{distance: j.at.Distance, bounds: j.at.Bounds, centre: reproducible.Array(j.at.Centre), sides: d.static.bases[j.base].sides, wall: wall{thickness: -1}}
	if j.at.Thin {
		c.wall = wall{thickness: j.at.Thickness, sheet: j.at.Sheet}
	}
	s := &d.work[worker]
	if j.list.clear(); j.at.Porous < 1 {
		d.cut(s, &d.domain, &c, j.base, &j.list)
	}
	if j.at.Porous > 0 {
		cuts.addSamples(j)
	}
}

// Moving calls visit for every edge of a base cell that bodies which may move shut wholly, with the body and a place of the polygon, m.
func (d *Discretiser) Moving(b int32, visit func(body, edge int32, x r3.Vec)) {
	for j := d.bodies.hits[b]; j != nil; j = j.next {
		if j.at.Fixed {
			continue
		}
		for i := range j.list.covers {
			c := &j.list.covers[i]
			if e := d.l.EdgeRuns[b] + c.edge; c.taken > 0 && d.State[e] == Shut {
				visit(j.body, e, reproducible.Vector(c.at))
			}
		}
	}
}
