package cutting

// merged is the bodies whose shares are off a block's open fractions: how many, and the round of bodyCuts in which they
// were taken off.
type merged struct {
	hits  int32
	round int
}

// linkHits makes a list of the hits of each block, in the order of the bodies.
func (cuts *bodyCuts) linkHits() {
	clear(cuts.hits)
	for i := len(cuts.jobs) - 1; i >= 0; i-- {
		for e := range cuts.jobs[i] {
			if j := &cuts.jobs[i][e]; j.hit {
				j.next = cuts.hits[j.base]
				cuts.hits[j.base] = j
			}
		}
	}
}

// openBlock finds what static solids, walls and bodies leave open of a block. Where neither has changed, what the last
// Solids found stays.
func (d *Discretiser) openBlock(s *scratch, b int32) {
	fixedAnew := d.static.update(s, b)
	if !fixedAnew && !d.bodies.changed(b) {
		return
	}
	k, g := d.block(b), &d.masks[b]
	if fixedAnew {
		d.static.readMasks(&g.fixed, &k)
	}
	cells := k.n * k.n * k.n
	for a := range 3 {
		open, fixed := d.Open[a][k.first:][:cells], d.static.open[a][k.first:][:cells]
		if fixedAnew {
			copy(open, fixed)
		} else {
			g.reopen(a, open, fixed)
		}
	}
	copy(d.Volume[k.first:][:cells], d.static.volume[k.first:])
	g.now = g.fixed
	d.bodies.merged[b] = merged{round: d.bodies.round}
	d.mergeHits(&k, true)
	g.static = g.now.solid
	d.mergeHits(&k, false)
}

// mergeHits merges the bodies that touch a block: those that never move, or the others.
func (d *Discretiser) mergeHits(k *block, fixed bool) {
	for j := d.bodies.hits[k.b]; j != nil; j = j.next {
		if j.at.Fixed == fixed {
			d.merge(j, k)
			d.bodies.merged[k.b].hits++
		}
	}
}

// changed tells whether other bodies than those merged are hits in a block, or the same measured anew. A body that
// is new to the block was measured later. So where the number is the same and none was measured later, the bodies are the same.
func (cuts *bodyCuts) changed(b int32) bool {
	hits := int32(0)
	for j := cuts.hits[b]; j != nil; j = j.next {
		if hits++; j.round > cuts.merged[b].round {
			return true
		}
	}
	return hits != cuts.merged[b].hits
}

// merge takes the body's share off the open fractions, in the order of the jobs, and leaves in
// each solidFace what the body really took. Of a face that a wall shuts the body takes what it covers: no liquid presses on that part of the
// body, and without it the body's area vector in the cell would be tilted.
func (d *Discretiser) merge(j *job, k *block) {
	gaps := &d.masks[k.b].now
	for i := range j.faces {
		f := &j.faces[i]
		if f.end {
			continue
		}
		open := &d.Open[f.axis][f.slot]
		if d.static.open[f.axis][f.slot] == 0 {
			f.solid, f.porous = f.solid-f.porous, 0
			f.taken = f.solid
			continue
		}
		if f.taken = min(f.solid, *open); *open-f.taken < least {
			f.taken = *open
		}
		*open -= f.taken
		gaps.coverFace(int(f.axis), int(f.slot-k.first), *open)
	}
	for i := range j.cells {
		c := &j.cells[i]
		volume := &d.Volume[c.cell]
		*volume = max(0, *volume-float32(c.taken*k.h*k.h*k.h))
		gaps.setSolid(int(c.cell-k.first), mostly(*volume, k.h))
	}
}
